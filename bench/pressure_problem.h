// The pressure solve that the benchmarks time: a unit box half full under a wavy surface, set up by the program's own
// projection.
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
    // The right-hand side is the divergence of gravity's dt g plus a smooth velocity; needs setUp().
    void fillRightHandSide();
    // From a zero guess.
    SolveReport solve();

    // The same system as arrays over the smallest box that holds its unknowns, and the solution there.
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
