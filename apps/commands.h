// The program's commands. Each registers its options; the command given on the command line sets the action to run.
#pragma once

#include <CLI/CLI.hpp>

#include <functional>
#include <string>

namespace flotsam {

// Exit codes; a failed gate of validate is 1.
enum ExitCode {
    exit_done = 0,
    exit_bad_input = 2,
    exit_simulation_failed = 3,
    exit_io_failed = 4,
    exit_interrupted = 130
};

// Starts of messages that tests/fuzz takes as a fault of the program.
inline constexpr const char* internal_error_text = "internal error";
inline constexpr const char* no_memory_text = "not enough memory";

using Action = std::function<int()>;

void addRunCommand(CLI::App& program, Action& action);
void addCheckCommand(CLI::App& program, Action& action);
void addRenderCommand(CLI::App& program, Action& action);
void addInfoCommand(CLI::App& program, Action& action);
void addValidateCommand(CLI::App& program, Action& action);
void addBenchCommand(CLI::App& program, Action& action);

// --threads N, applied when the command line has been read.
void addThreadsOption(CLI::App& command);

// Renders all frames of a run with a progress line; `run --render` calls it after the run.
int renderWholeRun(const std::string& dir);

}  // namespace flotsam
