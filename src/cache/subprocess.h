// Runs another program without a shell.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace flotsam {

struct ProcessResult {
    int exit_code = 0;       // 128 + signal where a signal ended it
    bool stopped = false;    // killed because `stopped` returned true
    std::string error_tail;  // the last few thousand characters of its standard error
};

// Path of the program found through PATH; empty if there is none.
std::filesystem::path findProgram(const std::string& name);

// Runs argv[0] in folder dir, without input and with standard error as its only output, and waits for its end.
// `stopped` is polled about twenty times per second; true kills the program. The program dies with this process, and
// Ctrl-C on the terminal does not reach it. Throws IoError if it cannot be started.
ProcessResult runProcess(const std::vector<std::string>& argv, const std::filesystem::path& dir,
                         const std::function<bool()>& stopped);

}  // namespace flotsam
