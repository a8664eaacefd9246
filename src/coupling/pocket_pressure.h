// The pressure in sealed pockets, which no motion determines: docs/methods/coupling.md, section 2.
#pragma once

#include "grid/poisson.h"

namespace flotsam {

// The pressure of liquid between a body and the floor, or between bodies in contact, is determined only up to a
// constant. No motion depends on this constant, but the forces on the contacts do. It is set by the pressure of the
// liquid across the closed faces of the pocket, continued with the difference gravity_m_s per cell that gravity causes.
// Without any such liquid the least pressure of the pocket becomes zero.
void settlePockets(Vec3 gravity_m_s, PoissonSolver& solver);

}  // namespace flotsam
