// Reinitialisation as in the thesis: a partial differential equation in pseudo-time.
#pragma once

#include "liquid/state.h"

namespace flotsam {

// phi_tau + w . grad phi = S(phi) (thesis eq. 89) in `near` until it is stationary (thesis eq. 90). around: `near` and
// the adjacent bricks. Returns the number of pseudo-time steps.
int reinitialiseByPde(const Grid& grid, const BrickSet& near, const BrickSet& around, LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
