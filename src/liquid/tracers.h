// Massless tracer particles for images.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// `count` points distributed evenly over the liquid; fewer if there is none.
std::vector<Float3> seedTracers(const Grid& grid, const Solids& solids, const TracerParams& prm, LiquidState& s);
// Moves them with the velocity for dt_s by the classical fourth-order Runge-Kutta method.
void moveTracers(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s);
// Projects tracers that left the liquid back onto its surface; call it once the surface has moved as well.
void keepTracersInside(const Grid& grid, const Solids& solids, LiquidState& s);

}  // namespace flotsam
