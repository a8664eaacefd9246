// Massless particles that mark the motion, for pictures.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// `count` points spread evenly over the liquid; fewer where there is none.
std::vector<Float3> seedTracers(const Grid& grid, const Solids& solids, const TracerParams& prm, LiquidState& s);
// Along the velocity for dt_s with the classical Runge-Kutta method of fourth order.
void moveTracers(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s);
// A tracer that left the liquid is brought back to its surface; to be called once the surface has moved as well.
void keepTracersInside(const Grid& grid, const Solids& solids, LiquidState& s);

}  // namespace flotsam
