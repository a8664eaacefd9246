// The pressure solve timed by the benchmarks: a unit box half full under a wavy surface, set up by the projection of
// the simulator.
#pragma once

#include "bench/linear_system.h"
#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

class PressureProblem {
public:
    explicit PressureProblem(int cells_along_side);

    // Unknowns, coefficients and the hierarchy for the surface.
    void setUp();
    // The right-hand side is the divergence of dt g plus a smooth velocity; needs setUp().
    void fillRightHandSide();
    // Starts from zero.
    SolveReport solve();

    // The same system as arrays over the bounding box of its unknowns, and the solution there.
    LinearSystem system();
    std::vector<double> solution();

    static constexpr double tolerance_rel = 1e-6;

    Grid grid;
    Solids solids;
    LiquidState state;
    LiquidScratch scratch;

private:
    IndexBox boxOfUnknowns();
};

}  // namespace flotsam
