// Bodies whose velocity is found together with the pressure: docs/methods/coupling.md, section 2.
#pragma once

#include "grid/poisson.h"
#include "liquid/state.h"

namespace flotsam {

class PressureBodies : public PoissonTerm {
public:
    // Before a solve: subtracts the flow of the bodies from the right-hand side, at their velocity without pressure.
    virtual void startProjection(LiquidState& s, PoissonSolver& solver) = 0;
    // After it: sets the pressure of sealed pockets that no motion determines, and applies the impulse of the pressure
    // to the bodies. Returns whether the acting contacts have changed: the projection must then be repeated.
    virtual bool endProjection(PoissonSolver& solver, LiquidState& s) = 0;
    // Adds the flow of the bodies out of the cells [m/s], by slots of the pressure.
    virtual void addOutflow(float* out) const = 0;
};

}  // namespace flotsam
