// The one place that fills the layers around the domain.
#pragma once

#include "liquid/state.h"

namespace flotsam {

// phi past a wall: it goes on linearly, `cells` times the change from the cell before (going on unchanged, a film on
// the wall thins at half its speed under cubic interpolation). But where the surface runs along the wall and the
// outermost cell is air already, the film between them would be liquid that no cell moves: it would hang there for
// ever, so it ends.
inline float continuedPastWall(float outermost, float before, float cells, float h)
{
    const float slope = outermost - before;
    const bool film = outermost >= 0 && slope < -0.8f * h;
    return film ? outermost : outermost + cells * slope;
}

// phi goes on past a closed side as above; past an open one there is air, or what flows back in would be liquid from
// nowhere.
void fillLayers(const Grid& grid, const BrickSet& set, View3<float> phi);
// Wall faces of closed sides hold zero; past a free-slip wall the tangential velocity goes on, past a no-slip wall it
// is reversed (thesis 3.2.3.4); past an open side everything goes on.
void fillLayers(const Grid& grid, const BrickSet& set, MacView u);

}  // namespace flotsam
