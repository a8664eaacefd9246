// Runs another program without a shell.
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

namespace flotsam {

struct ProcessResult {
    int exit_code = 0;       // 128 + signal where a signal ended it
    bool stopped = false;    // ended by us because `stopped` said so
    std::string error_tail;  // the last few thousand characters of its standard error
};

// The program's path by the PATH variable; empty when there is none.
std::filesystem::path findProgram(const std::string& name);

// Runs argv[0] in folder dir with no input and no output but its standard error, and waits for its end. `stopped` is
// asked about twenty times a second; true kills the program. It dies with us, and Ctrl-C on the terminal does not reach
// it. Throws IoError when the program cannot be started.
ProcessResult runProcess(const std::vector<std::string>& argv, const std::filesystem::path& dir,
                         const std::function<bool()>& stopped);

}  // namespace flotsam
