// How much of a cell holds liquid that carries heat.
#pragma once

#include <algorithm>

#include "liquid/solids.h"

namespace flotsam {

// The part of a cell below a level surface through it at distance phi: what the ledger's momentum is weighed with, too.
inline float belowSurface(float phi_m, float h) { return std::clamp(0.5f - phi_m / h, 0.0f, 1.0f); }

class LiquidPart {
public:
    LiquidPart(const Grid& grid, const Solids& solids_, View3<const float> phi_)
        : solids(solids_), phi(phi_), h(float(grid.h))
    {
    }
    // solid: whether a solid is near the cell.
    float operator()(Int3 c, bool solid) const
    {
        float part = belowSurface(phi(c), h);
        if (part > 0 && solid) part *= std::clamp(0.5f + solids.distance(c.x, c.y, c.z) / h, 0.0f, 1.0f);
        return part < sliver ? 0 : part;
    }

private:
    static constexpr float sliver = 1e-3f;  // less holds no heat worth a row of a matrix
    const Solids& solids;
    View3<const float> phi;
    float h;
};

}  // namespace flotsam
