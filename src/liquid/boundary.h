// The one place that fills the layers around the domain.
#pragma once

#include "core/lanes.h"
#include "liquid/state.h"

namespace flotsam {

// Whether a surface that runs along a wall lies between the outermost cell, which is liquid, and the wall. slope: the
// change of phi towards the wall per cell.
inline bool hasGap(float outermost, float slope, float h)
{
    return outermost < 0 && slope > 0.8f * h && outermost + 0.5f * slope > 0;
}

// phi past a wall: it goes on linearly, `cells` times the change from the cell before (going on unchanged, a film on
// the wall thins at half its speed under cubic interpolation). But where the surface runs along the wall, a film of
// liquid between the outermost cell and the wall ends: it would hang there for ever, since no cell moves it; and where
// the liquid has met the wall its surface ends: it would come off again.
// On a floor a film of liquid lies: what spreads thinner than half a cell there goes on as far as the liquid's velocity
// reaches and piles up (a stream of 1.4 cells on a dry floor vanished otherwise).
inline float continuedPastWall(float outermost, float before, float cells, float h, bool is_floor)
{
    const float slope = outermost - before, there = outermost + cells * slope;
    const bool film = (there < 0) != (outermost < 0) && std::abs(slope) > 0.8f * h && !hasGap(outermost, slope, h);
    return film && !(is_floor && outermost >= 0) ? outermost : there;
}

// phi goes on past a closed side as above; past an open one there is air, or what flows back in would be liquid from
// nowhere.
void fillGhostCells(const Grid& grid, const BrickSet& set, View3<float> phi);
// Wall faces of closed sides hold zero; past a free-slip wall the tangential velocity goes on, past a no-slip wall it
// is reversed (thesis 3.2.3.4); past an open side everything goes on.
void fillGhostCells(const Grid& grid, const BrickSet& set, MacView u);
// The same for a velocity at cell centres: past a closed side its normal part is reversed, so that it is zero on the
// wall and carries nothing through it.
void fillGhostCells(const Grid& grid, const BrickSet& set, View3<Float4> velocity);

}  // namespace flotsam
