// phi_t + u . grad phi = 0 (thesis eq. 91) for one step, by the schemes of thesis figure 28.
#pragma once

#include "liquid/state.h"

namespace flotsam {

// Advects s.phi with w.center_velocity for dt_s, within the band. phi is unchanged outside it.
void transportPhi(const Grid& grid, SurfaceScheme scheme, double dt_s, LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
