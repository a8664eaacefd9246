// The pressure projection (thesis 3.2.4): makes the velocity of the liquid divergence-free against walls, solids and
// air.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Closer to a centre than this [cells] the surface counts as this far. 0.05, often used, moves the surface by as much:
// first order.
inline constexpr float least_theta = 1e-3f;

struct PressureReport {
    int solves = 0;
    int iterations = 0;
    double residual = 0;  // of the last solve, or of the first that did not converge
    bool converged = true;
    int sealed_pockets = 0;
    double sealed_imbalance = 0;  // largest divergence that a pocket without air could not balance [1/s]
};

// Unknowns and coefficients for the present surface and solids; serves any number of projections until one of them
// moves.
void setUpPressure(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// One projection. divergence_1_s: what the liquid's divergence should be (the volume correction), zero otherwise.
void project(const Grid& grid, const PressureParams& prm, const Solids& solids, double divergence_1_s, LiquidState& s,
             LiquidScratch& w, PressureReport& report);

// After a projection: gaps at walls into which more flowed than they hold are filled, and those into which the liquid
// was pulled are not. The next projection finds them so.
void decideGaps(LiquidScratch& w);

// The largest |divergence| of a liquid cell, with solids and open fractions as the projection sees them [1/s].
double maxDivergence(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// Pressure of the last projection at a cell's centre [Pa].
double pressureAt(const Grid& grid, double density_kg_m3, double dt_s, LiquidScratch& w, int i, int j, int k);

}  // namespace flotsam
