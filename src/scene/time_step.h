// The time-step limit.
#pragma once

#include <cmath>

namespace flotsam {

// The longest time in which nothing with this initial speed moves farther than reach_m, including the acceleration by
// gravity [s]: v dt + g dt^2 <= reach.
inline double cflTimeStep(double speed_m_s, double gravity_m_s2, double reach_m)
{
    const double sum = speed_m_s + std::sqrt(speed_m_s * speed_m_s + 4 * gravity_m_s2 * reach_m);
    return sum > 0 ? 2 * reach_m / sum : 1e30;
}

// The length of equal steps that fill rest_s, none longer than longest_s [s].
inline double equalTimeStep(double rest_s, double longest_s)
{
    return rest_s / std::ceil(rest_s / longest_s * (1 - 1e-9));
}

}  // namespace flotsam
