// Where liquid, a solid and air meet: what keeps still water still there (docs/methods/surface.md, section 4).
//
// Still water is a solution of every discrete equation when p = rho g (H - y) in each unknown balances gravity on each
// open face. That needs three things next to a solid: phi of cells whose centre is inside the solid goes on linearly, a
// face that the surface crosses next to such a centre is closed, and what looks like air but is cut off from the air
// counts as liquid.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Continues phi into the solids: exact where it is linear outside.
void continueIntoSolids(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// Air cells next to a solid that no open face connects with other air become liquid: a cusp that no cell resolves is
// a drain otherwise, at no pressure.
void fillCutOffAir(const Grid& grid, const Solids& solids, LiquidState& s);

// The faces that the surface crosses next to a cell whose centre is inside a solid. phi there is an extrapolation; an
// open face would move the liquid by it, that would move phi, and the two of them grow from rounding to 0.3 m/s.
std::vector<FaceLock> contactLineFaces(const Grid& grid, const Solids& solids, LiquidState& s);

}  // namespace flotsam
