// Programs that are built with the benchmarks and run as processes of their own.
#pragma once

#include <filesystem>
#include <vector>

#include "bench/benchmark.h"

namespace flotsam {

// Beside the running program; empty when it was not built.
std::filesystem::path findHelper(const std::string& name);

// Runs a command and returns the JSON object that it printed as a line of its standard error. Throws IoError when it
// fails.
Json runHelper(const std::vector<std::string>& command);

}  // namespace flotsam
