// The pressure in sealed pockets that no motion determines: docs/methods/coupling.md, section 2.
#pragma once

#include "grid/poisson.h"

namespace flotsam {

// Liquid between a body and the floor, or between bodies that contacts hold, has a pressure up to a constant: no motion
// depends on it, but the forces on the contacts do. It becomes that of the liquid across the closed faces of the pocket,
// continued with the difference gravity_m_s per cell that gravity causes; without any such liquid its least value is
// zero.
void settlePockets(Vec3 gravity_m_s, PoissonSolver& solver);

}  // namespace flotsam
