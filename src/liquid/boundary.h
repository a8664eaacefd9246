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

// The slopes of phi towards the other walls that meet in a cell, where phi falls towards them: liquid in an edge or a
// corner of the tank. Floors do not count.
struct SlopeIntoEdge {
    float sum = 0, squares = 0;
};
inline SlopeIntoEdge slopeIntoEdge(const Grid& grid, View3<const float> phi, Int3 c, int wall_axis)
{
    SlopeIntoEdge slopes;
    for (int b = 0; b < 3; ++b) {
        const int n = grid.cells[b];
        if (b == wall_axis || n == 1 || (c[b] != 0 && c[b] != n - 1)) continue;
        const int side = c[b] == 0 ? 0 : 1;
        if (grid.open[b][side] || grid.isFloor(b, side)) continue;
        const float slope = std::min(0.0f, phi(c) - phi(side == 0 ? c + unit(b) : c - unit(b)));
        slopes.sum += slope;
        slopes.squares += slope * slope;
    }
    return slopes;
}

// phi in a ghost cell past a wall: linear extrapolation over `cells` cells (with constant extrapolation, a film on the
// wall thins at half its speed under cubic interpolation). Where the surface is parallel to the wall, phi is
// extrapolated as a constant in two cases. A film of liquid between the outermost cell centre and the wall is removed:
// no cell would move it, and it would stay for ever. Where the liquid has reached the wall, the surface past the wall
// is removed: the liquid would detach again.
// In an edge of the tank the surface of a film stands at 45 degrees to both walls, and only the two slopes together are
// steep (one by one, up to 0.45 cells of liquid hung in the upright edges of dam_break for ever).
// A film on a floor is kept: liquid that spreads thinner than half a cell moves on as far as the velocity extension
// reaches, and piles up (otherwise a stream 1.4 cells deep on a dry floor vanished).
inline float continuedPastWall(float outermost, float before, float cells, float h, bool is_floor, SlopeIntoEdge edge)
{
    const float slope = outermost - before, there = outermost + cells * slope, steep2 = 0.64f * h * h;
    if (outermost >= 0) {
        const bool film = there + cells * edge.sum < 0 && slope < 0 && slope * slope + edge.squares > steep2;
        return film && !is_floor ? outermost : there;
    }
    return there >= 0 && slope * slope > steep2 && !hasGap(outermost, slope, h) ? outermost : there;
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
