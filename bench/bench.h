// The benchmarks, each as a ratio to the machine's memory bandwidth measured in the same run.
#pragma once

#include <string>
#include <vector>

namespace flotsam {

std::vector<std::string> benchNames();

// Runs the named benchmarks (all when none is named) and prints their table; writes it to json_path unless that is
// empty. Returns 0. Throws InputError for an unknown name.
int runBench(const std::vector<std::string>& names, const std::string& json_path);

}  // namespace flotsam
