// The part of `bench rigid` about joints.
#pragma once

#include "bench/benchmark.h"

namespace flotsam {

void benchJoints(BenchReport& report);

}  // namespace flotsam
