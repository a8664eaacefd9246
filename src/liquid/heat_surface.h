// The temperature of the liquid surface, for frames and images.
#pragma once

#include <array>
#include <vector>

#include "liquid/state.h"

namespace flotsam {

// [K] at positions_m, interpolated linearly between the cell centres where it is known: in the liquid and in the layers
// around it that extendHeat() fills. otherwise_K where none of the eight is known.
std::vector<float> temperaturesAt(const Grid& grid, LiquidState& s, double otherwise_K,
                                  const std::vector<std::array<float, 3>>& positions_m);

}  // namespace flotsam
