// The one place that fills the layers around the domain.
#pragma once

#include "liquid/state.h"

namespace flotsam {

// phi goes on linearly past a closed side (going on unchanged, a film on a wall thins at half its speed under cubic interpolation); past an open
// one there is air, or what flows back in would be liquid from nowhere.
void fillLayers(const Grid& grid, const BrickSet& set, View3<float> phi);
// Wall faces of closed sides hold zero; past a free-slip wall the tangential velocity goes on, past a no-slip wall it is reversed
// (thesis 3.2.3.4); past an open side everything goes on.
void fillLayers(const Grid& grid, const BrickSet& set, MacView u);

}  // namespace flotsam
