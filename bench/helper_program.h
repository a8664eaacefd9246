// Helper programs built with the benchmarks and run as separate processes.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/benchmark.h"

namespace flotsam {

// In the folder of the running program; empty if it was not built.
std::filesystem::path findHelper(const std::string& name);

// Runs a command and returns the JSON object printed on one line of its standard error. Throws IoError when it fails.
Json runHelper(const std::vector<std::string>& command);

}  // namespace flotsam
