// The surface next to solids that are too thin for the grid to resolve: phi is independent on either side of them.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Trilinear interpolation; samples for which isSeen(index) is false are replaced by `own`.
template <class Seen>
float trilinearSeen(View3<const float> f, Float3 index, float own, const Seen& isSeen)
{
    const GridPoint g(index);
    float sum = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Int3 o{corner & 1, corner >> 1 & 1, corner >> 2}, q = Int3{g.i, g.j, g.k} + o;
        const float weight = (o.x ? g.fx : 1 - g.fx) * (o.y ? g.fy : 1 - g.fy) * (o.z ? g.fz : 1 - g.fz);
        if (weight > 0) sum += weight * (isSeen(q) ? f(q) : own);
    }
    return sum;
}

// phi after dt_s at the cells near thin solids, from the values on their own side. Call it before phi moves, with the
// velocity at cell centres filled.
std::vector<std::vector<GapCell>> moveNearThin(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s,
                                               LiquidScratch& w);
// Sets phi of those cells.
void setPhi(const std::vector<std::vector<GapCell>>& cells, View3<float> phi);

}  // namespace flotsam
