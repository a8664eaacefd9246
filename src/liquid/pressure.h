// The pressure projection (thesis 3.2.4): makes the velocity of the liquid divergence-free, with walls, solids and air
// as boundaries.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Lower bound of the distance from a cell centre to the surface [cells]. 0.05, a common choice, shifts the surface by
// as much, which is a first-order error.
inline constexpr float least_theta = 1e-3f;
// A bound shifts the level, as a whole where solids are fixed; a floating body is pushed by it. With 1e-3, a board at
// its draft moved where the level passes cell centres.
inline constexpr float least_theta_with_bodies = 1e-6f;
inline float leastTheta(const Solids& walls) { return walls.areBodiesWalls() ? least_theta_with_bodies : least_theta; }

struct PressureReport {
    int solves = 0;
    int iterations = 0;
    double residual = 0;  // of the last solve, or of the first that did not converge
    bool converged = true;
    int sealed_pockets = 0;
    double sealed_imbalance = 0;  // largest divergence that a sealed region could not balance [1/s]
};

// Sets up unknowns and coefficients for the current surface and solids. They serve any number of projections until the
// surface or a solid moves.
void setUpPressure(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// One projection. divergence_1_s: the prescribed divergence of the liquid (the volume correction), zero otherwise.
void project(const Grid& grid, const PressureParams& prm, const Solids& solids, double divergence_1_s, LiquidState& s,
             LiquidScratch& w, PressureReport& report);

// Call it after a projection: gaps at walls that received more liquid than they hold are marked as filled, and those
// into which the liquid was pulled as not filled, for the next projection.
void decideGaps(LiquidScratch& w);

// The largest |divergence| of a liquid cell, with the solids and open fractions of the projection [1/s].
double maxDivergence(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// Pressure of the last projection at a cell's centre [Pa].
double pressureAt(const Grid& grid, double density_kg_m3, double dt_s, LiquidScratch& w, int i, int j, int k);

}  // namespace flotsam
