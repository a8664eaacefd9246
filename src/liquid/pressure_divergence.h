// The net flow out of the liquid cells: the right-hand side of the pressure equation.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Fills the slot-th brick of the solver, for a prescribed divergence of divergence_1_s, and sets its initial guess to
// zero.
void fillRightHandSide(const Grid& grid, const Solids& solids, double divergence_1_s, const ConstMacView& u, int slot,
                       PoissonSolver& solver);

}  // namespace flotsam
