// Heat in liquid at rest with exact solutions: small versions are tests, large ones cases of `flotsam validate`.
#pragma once

#include "coupling/simulation.h"

namespace flotsam {

// A closed, insulated box full of liquid without gravity whose temperature is 300 K + 100 K times the first cosine
// along each axis.
struct CosineMode {
    explicit CosineMode(Int3 cells, double diffusivity_m2_s);
    void step(double dt_s);
    // Of a cell, by the decay factor of the scheme per step: prod 1 / (1 + 4 r sin^2(k h / 2)) over the axes.
    double expected_K(Int3 c) const;
    // The largest |T - expected| over the initial amplitude.
    double error() const;

    Simulation sim;
    double heat_J;  // at the start
    double amplitude = 1;
};

// A row of cells along x of a half-space whose end at x = 0 is a wall at walls_K; all other boundaries are insulated.
Scene halfSpace(int cells, double start_K, double walls_K);

// The largest |T - T_exact| over the jump: T = start + jump erfc(x / 2 sqrt(k t)).
double erfError(int cells, int steps);

// Melting from a wall: the largest |s / (2 lambda sqrt(k t)) - 1| while the front is between 1/4 and 3/4 of the depth.
double stefanError(int cells, double stefan_number, double lambda, double& front_m, double& exact_m);

// A hot spot after one revolution in a full box, by advection scheme.
struct TurnedSpot {
    double peak = 0;       // over the initial value
    double error = 0;      // sum |T - T_start| over the initial sum
    double corrected = 0;  // total heat moved by the correction, over that of the spot
};
TurnedSpot rotateHotSpot(HeatConvection scheme, int cells, int steps);

// A closed, insulated, sloshing tank; its left third is 40 K hotter.
struct SloshedHeat {
    double change = 0;                // largest change of the total heat, over the initial value
    double corrected = 0;             // sum of |corrections| over the heat of the contrast
    double below_K = 0, above_K = 0;  // largest excursion of a cell from the initial range
};
SloshedHeat sloshHeat(HeatConvection scheme, Int3 cells, double seconds);

}  // namespace flotsam
