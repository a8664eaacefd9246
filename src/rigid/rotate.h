#pragma once

#include "rigid/body.h"

namespace flotsam {

// Free rotation of a body for dt_s, conserving angular momentum and energy to rounding.
//
// Euler's equation by the implicit midpoint rule, with m = (L + L')/2 in the body axes (docs/methods/rigid.md, eq. 2):
//     L' - L = h m x (I^-1 m),          q' = q cay(h I^-1 m)
// The rule conserves both quadratic invariants |L|^2 and L.I^-1 L, and its increment of L is exactly the inverse of the
// Cayley rotation, so that L is constant in the world too. h = 2 tan(|w| dt / 2) / |w| makes steady spins exact.
void integrateFreeRotation(const Body& body, double dt_s, BodyState& s);

// The same for a body whose spin changes to w_rad_s by contacts in the course of dt_s: it rotates with its mean spin.
// Conserves the energy of the spin w_rad_s to rounding.
void integrateForcedRotation(const Body& body, double dt_s, Vec3 mean_rad_s, Vec3 w_rad_s, BodyState& s);

// Displaces a body by the given vector and small rotation. The spin rotates with it, so that its kinetic energy stays.
void displace(const VelocityChange& by, BodyState& s);

}  // namespace flotsam
