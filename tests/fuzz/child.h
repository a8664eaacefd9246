// Runs the program once, with time and memory limits.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace flotsam::fuzz {

struct Limits {
    double wall_s = 60;
    double interrupt_after_s = 0;  // sends SIGINT, as Ctrl-C does; 0: never
    unsigned long long address_space_B = 4ull << 30;
};

struct Outcome {
    int code = -1;  // exit code; 128 + signal where one ended it, as in a shell
    int signal = 0;
    bool interrupted = false;  // SIGINT was sent
    bool late = false;         // killed after wall_s
    double wall_s = 0;
    long memory_kB = 0;  // at most, resident
    std::string err;     // the start of its stderr
};

// In this folder. The program finds no renderer, and keeps distance grids in `cache`.
Outcome runProgram(const std::string& program, const std::vector<std::string>& arguments,
                   const std::filesystem::path& folder, const std::filesystem::path& cache, const Limits& limits);

}  // namespace flotsam::fuzz
