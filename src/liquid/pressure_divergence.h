// What flows out of the liquid's cells: the right-hand side of the pressure.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Of the slot-th brick of the solver, for a divergence of divergence_1_s; its first guess becomes zero.
void fillRightHandSide(const Grid& grid, const Solids& solids, const BodyMarks& bodies, double divergence_1_s,
                       const ConstMacView& u, int slot, PoissonSolver& solver);

}  // namespace flotsam
