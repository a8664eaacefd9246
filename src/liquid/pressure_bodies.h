// Bodies whose velocity is found together with the pressure: docs/methods/coupling.md, section 2.
#pragma once

#include "grid/poisson.h"
#include "liquid/state.h"

namespace flotsam {

class PressureBodies : public PoissonTerm {
public:
    // Before a solve: subtracts the flow of the bodies, at the velocity that they have without pressure, from the
    // right-hand side.
    virtual void startProjection(LiquidState& s, PoissonSolver& solver) = 0;
    // After it: the pressure of pockets that no motion determines is set, and the bodies get the impulse of the
    // pressure. Returns whether contacts closed or opened by it: the projection has to be repeated with the others.
    virtual bool endProjection(PoissonSolver& solver, LiquidState& s) = 0;
    // Adds the flow of the bodies out of the cells [m/s], by slots of the pressure.
    virtual void addOutflow(float* out) const = 0;
};

}  // namespace flotsam
