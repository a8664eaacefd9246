// The liquid of a cell in the heat balance.
#pragma once

#include <algorithm>

#include "grid/fractions.h"
#include "liquid/solids.h"

namespace flotsam {

class LiquidFraction {
public:
    LiquidFraction(const Grid& grid_, const Solids& barriers_, View3<const float> phi_)
        : grid(grid_), barriers(barriers_), phi(phi_), h(float(grid.h))
    {
    }
    // solid: whether a solid or a body is near the cell.
    float operator()(Int3 c, bool solid) const
    {
        const float part = belowSurface(phi(c), h);
        if (part < sliver) return 0;
        return solid ? part * openVolume(c) : part;
    }

private:
    // A cell whose centre is in a solid has no heat of its own: conduction to the wall would pass through it, and a hot
    // ball released 9 % too little heat. Its open volume counts for its neighbours. So the sum over the cells remains
    // the volume of the liquid, and does not jump when a body passes the centres of cells.
    float openVolume(Int3 c) const
    {
        if (isInside(c)) return 0;
        const float away = std::max(cellsFromSolid(c), 0.0f);
        float volume = std::min(0.5f + away, 1.0f);
        if (away > 1.5f) return volume;
        bool is_at_thin = false;
        for (int n = 0; n < 6; ++n) {
            if (!isInDomain(neighbour(c, n))) continue;
            if (isBlocked(c, n))
                is_at_thin = true;
            else if (isInside(neighbour(c, n)))
                volume += shareOf(neighbour(c, n));
        }
        return is_at_thin ? volume + std::clamp(away - 0.5f, 0.0f, 0.5f) : volume;
    }
    // The open volume of a cell whose centre is inside, divided by the number of its neighbours outside.
    float shareOf(Int3 c) const
    {
        const float open = std::clamp(0.5f + cellsFromSolid(c), 0.0f, 1.0f);
        int count = 0;
        for (int n = 0; n < 6 && open > 0; ++n)
            count += isInDomain(neighbour(c, n)) && !isBlocked(c, n) && !isInside(neighbour(c, n));
        return count > 0 ? open / float(count) : 0;
    }
    bool isInside(Int3 c) const
    {
        return barriers.touches(c) && (barriers.isClosed(c) || barriers.distance(c.x, c.y, c.z) <= 0);
    }
    // Where a solid is too thin for the grid, the distances at the corners of the cell are not those of its centre.
    float cellsFromSolid(Int3 c) const
    {
        if (!barriers.isNearThin(c)) return barriers.distance(c.x, c.y, c.z) / h;
        return float(barriers.distanceAt(cellPosition(grid.h, c), c)) / h;
    }
    static Int3 neighbour(Int3 c, int n) { return n & 1 ? c + unit(n / 2) : c - unit(n / 2); }
    bool isBlocked(Int3 c, int n) const { return barriers.isBlocked(n / 2, n & 1 ? neighbour(c, n) : c); }
    bool isInDomain(Int3 c) const { return IndexBox{{0, 0, 0}, grid.cells}.contains(c); }

    static constexpr float sliver = 1e-3f;  // a smaller fraction is not worth a row of the matrix
    const Grid& grid;
    const Solids& barriers;
    View3<const float> phi;
    float h;
};

}  // namespace flotsam
