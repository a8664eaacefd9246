// The contact line, where liquid, a solid and air meet: keeps still water still there (docs/methods/surface.md, section
// 4).
//
// Still water solves every discrete equation if p = rho g (H - y) in each unknown balances gravity on each open face.
// That needs three things next to a solid. phi of cells whose centre is inside the solid is extrapolated linearly. A
// face that the surface crosses next to such a cell is closed. Air cells that are cut off from the rest of the air
// count as liquid.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Extrapolates phi into the solids; exact where phi is linear outside.
void continueIntoSolids(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// Air cells next to a solid that no open face connects with other air become liquid. Otherwise an unresolved cusp acts
// as a drain, since its pressure is zero.
void fillCutOffAir(const Grid& grid, const Solids& solids, LiquidState& s);

// The faces that the surface crosses next to a cell whose centre is inside a solid. phi there is an extrapolation. An
// open face would move the liquid according to it, which would change phi again: that feedback grows from rounding
// errors to 0.3 m/s.
std::vector<FaceLock> contactLineFaces(const Grid& grid, const Solids& solids, LiquidState& s);

}  // namespace flotsam
