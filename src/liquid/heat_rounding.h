// Small changes of large temperatures. Floats near 300 K are 3e-5 K apart: a cup of coffee that cools by 1e-5 K per
// step would never cool if each step rounded to nearest. With stochastic rounding the mean over many cells and steps is
// right.
#pragma once

#include <cmath>

#include "core/random.h"

namespace flotsam {

// One of the two floats around v. The random number depends on the keys alone, so the result is the same for any number
// of threads.
inline float roundByChance(double v, uint64_t step, uint64_t cell, uint64_t stage)
{
    const float nearest = float(v);
    if (double(nearest) == v || !std::isfinite(v)) return nearest;
    const float other = std::nextafter(nearest, double(nearest) < v ? HUGE_VALF : -HUGE_VALF);
    const double part = (v - double(nearest)) / (double(other) - double(nearest));  // distance to v, 0 to 1/2
    return randomUnit(step, cell, stage) < part ? other : nearest;
}

}  // namespace flotsam
