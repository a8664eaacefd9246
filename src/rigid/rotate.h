#pragma once

#include "rigid/body.h"

namespace flotsam {

// Turns a body freely for dt_s: angular momentum and energy stay what they are, to rounding.
//
// Euler's equation by the implicit midpoint rule, with m = (L + L')/2 and the body's own axes:
//     L' - L = h m x (I^-1 m),          q' = q cay(h I^-1 m)                                   docs/methods/rigid.md,
//     eq. 2
// The rule keeps both quadratic invariants |L|^2 and L.I^-1 L, and its increment of L is exactly the inverse of the
// Cayley rotation, so that L is constant in the world too. h = 2 tan(|w| dt / 2) / |w| makes steady spins exact.
void integrateFreeRotation(const Body& body, double dt_s, BodyState& s);

}  // namespace flotsam
