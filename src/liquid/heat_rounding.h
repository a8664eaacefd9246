// Small changes of large temperatures. Floats near 300 K are 3e-5 K apart: a cup of coffee that cools by 1e-5 K a step
// would never cool if each step rounded to the nearest one. Rounded up or down by chance, in proportion to where the
// value lies between the two, the mean of many cells and steps is right.
#pragma once

#include <cmath>

#include "core/random.h"

namespace flotsam {

// One of the two floats around v. The chance follows from the keys alone: the same for any number of threads.
inline float roundByChance(double v, uint64_t step, uint64_t cell, uint64_t stage)
{
    const float nearest = float(v);
    if (double(nearest) == v || !std::isfinite(v)) return nearest;
    const float other = std::nextafter(nearest, double(nearest) < v ? HUGE_VALF : -HUGE_VALF);
    const double part = (v - double(nearest)) / (double(other) - double(nearest));  // of the way, 0 to 1/2
    return randomUnit(step, cell, stage) < part ? other : nearest;
}

}  // namespace flotsam
