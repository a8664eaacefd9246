// The liquid fraction of a cell in the heat balance.
#pragma once

#include <algorithm>

#include "grid/fractions.h"
#include "liquid/solids.h"

namespace flotsam {

class LiquidFraction {
public:
    LiquidFraction(const Grid& grid, const Solids& solids_, View3<const float> phi_)
        : solids(solids_), phi(phi_), h(float(grid.h))
    {
    }
    // solid: whether a solid is near the cell.
    float operator()(Int3 c, bool solid) const
    {
        const float part = belowSurface(phi(c), h);
        if (part < sliver) return 0;
        if (!solid) return part;
        // A cell whose centre is in a solid has no heat of its own: conduction to the wall would pass through it, and a
        // hot ball released 9 % too little heat.
        const float away = solids.distance(c.x, c.y, c.z) / h;
        return away > 0 ? part * std::min(0.5f + away, 1.0f) : 0;
    }

private:
    static constexpr float sliver = 1e-3f;  // a smaller fraction is not worth a row of the matrix
    const Solids& solids;
    View3<const float> phi;
    float h;
};

}  // namespace flotsam
