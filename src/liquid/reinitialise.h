// The thesis's way to a distance: a partial differential equation in pseudo-time.
#pragma once

#include "liquid/state.h"

namespace flotsam {

// phi_tau + w . grad phi = S(phi) (thesis eq. 89) in `near` until it rests (thesis eq. 90). around: `near` and the
// bricks beside it. Returns the number of pseudo-time steps.
int reinitialiseByPde(const Grid& grid, const BrickSet& near, const BrickSet& around, LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
