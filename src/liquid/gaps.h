// Air that liquid closes in on from both sides.
//
// An air cell between two liquid cells has a velocity that is the mean of both sides': none, where they meet head-on.
// Neither surface passes its centre then, the cell stays air at zero pressure, and liquid flows into it from both sides
// for as long as there is any: two drops that collide annihilate (80 % of their volume gone in a quarter of a second).
// What a surface really does there is move with its own side's velocity.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// The air cells between two liquid ones that approach one another, and how far phi will be there after dt_s. To be
// called before phi moves.
void listGaps(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s,
              std::vector<std::vector<GapCell>>& gaps);

// phi of those cells becomes what listGaps() foresaw, where that is less.
void closeGaps(const std::vector<std::vector<GapCell>>& gaps, View3<float> phi);

}  // namespace flotsam
