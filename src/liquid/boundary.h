// Fills the ghost cells around the domain; no other file does.
#pragma once

#include "core/lanes.h"
#include "liquid/state.h"

namespace flotsam {

// Whether a surface parallel to a wall lies between the centre of the outermost cell, which is liquid, and the wall.
// slope: the change of phi per cell towards the wall.
inline bool hasGap(float outermost, float slope, float h)
{
    return outermost < 0 && slope > 0.8f * h && outermost + 0.5f * slope > 0;
}

// Whether the liquid of a cell lies between its centre, which is air, and walls, and no cell next to it is liquid. On a
// floor it is none of these: see below.
inline bool isStranded(const Grid& grid, View3<const float> phi, Int3 c)
{
    const float here = phi(c);
    if (here < 0) return false;
    float at_walls = here;  // in the edge or corner where several meet
    for (int n = 0; n < 6; ++n) {
        const int axis = n / 2, side = n & 1;
        if (grid.cells[axis] == 1) continue;
        const Int3 out = side == 0 ? Int3{} - unit(axis) : unit(axis);
        if (c[axis] != (side == 0 ? 0 : grid.cells[axis] - 1)) {
            if (phi(c + out) < 0) return false;
        } else if (grid.isFloor(axis, side)) {
            return false;
        } else if (!grid.open[axis][side]) {
            at_walls += 0.5f * std::min(0.0f, here - phi(c - out));
        }
    }
    return at_walls < 0;
}

// phi in a ghost cell past a wall: linear extrapolation over `cells` cells (with constant extrapolation, a film on the
// wall thins at half its speed under cubic interpolation). Where the surface is parallel to the wall, phi is
// extrapolated as a constant in two cases. A film of liquid between the outermost cell centre and the wall is removed:
// no cell would move it, and it would stay for ever. Where the liquid has reached the wall, the surface past the wall
// is removed: the liquid would detach again.
// A stranded rest is removed at any slope: in an edge of the tank its surface stands at 45 degrees to both walls (up to
// 0.45 cells hung in the upright edges of dam_break for ever).
// A film on a floor is kept: liquid that spreads thinner than half a cell moves on as far as the velocity extension
// reaches, and piles up (otherwise a stream 1.4 cells deep on a dry floor vanished).
inline float continuedPastWall(float outermost, float before, float cells, float h, bool is_floor, bool is_stranded)
{
    const float slope = outermost - before, there = outermost + cells * slope;
    const bool film = (there < 0) != (outermost < 0) && std::abs(slope) > 0.8f * h && !hasGap(outermost, slope, h);
    return (film && !(is_floor && outermost >= 0)) || is_stranded ? outermost : there;
}

// Past a closed boundary phi is extrapolated as above. Past an open boundary there is air; otherwise backflow would
// create liquid.
void fillGhostCells(const Grid& grid, const BrickSet& set, View3<float> phi);
// The normal velocity on closed boundaries is zero. Past a free-slip wall the tangential velocity is extrapolated as a
// constant, past a no-slip wall it is negated (thesis 3.2.3.4). Past an open boundary all components are extrapolated.
void fillGhostCells(const Grid& grid, const BrickSet& set, MacView u);
// The same for a velocity at cell centres: past a closed boundary its normal component is negated, so that it is zero
// on the wall and moves nothing through it.
void fillGhostCells(const Grid& grid, const BrickSet& set, View3<Float4> velocity);

}  // namespace flotsam
