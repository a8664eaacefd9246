#pragma once

#include <string>

#include "bench/benchmark.h"

namespace flotsam {

// A benchmark's results side by side: a row a figure, a column a result, and a last column with the goals where there
// are some.
std::string tableOf(const char* benchmark, const BenchReport& report);

}  // namespace flotsam
