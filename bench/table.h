#pragma once

#include <string>

#include "bench/benchmark.h"

namespace flotsam {

// Results of a benchmark side by side: one row per quantity, one column per result, and a last column with the targets
// if there are any.
std::string tableOf(const char* benchmark, const BenchReport& report);

}  // namespace flotsam
