// The smallest bodies: below these, masses and moments of inertia leave the range in which the contact solver is
// accurate.
#pragma once

namespace flotsam {

inline constexpr double smallest_body_m = 1e-8;
inline constexpr double lightest_body_kg_m3 = 1e-3;

}  // namespace flotsam
