// Heat in liquid at rest that has exact solutions: small ones are tests, large ones cases of `flotsam validate`.
#pragma once

#include "liquid/step.h"

namespace flotsam {

// A closed, insulated box full of liquid without gravity whose temperature is 300 K + 100 K times the first cosine
// along each axis.
struct CosineMode {
    explicit CosineMode(Int3 cells, double diffusivity_m2_s);
    void step(double dt_s);
    // Of a cell, by the scheme's own factor of a step: prod 1 / (1 + 4 r sin^2(k h / 2)) over the axes.
    double expected_K(Int3 c) const;
    // The largest |T - expected| over the amplitude at the start.
    double error() const;

    Simulation sim;
    double heat_J;  // at the start
    double amplitude = 1;
};

// A row of cells along x of a half-space whose end at x = 0 is a wall at walls_K; everything else is insulated.
Scene halfSpace(int cells, double start_K, double walls_K);

// The largest |T - T_exact| over the jump: T = start + jump erfc(x / 2 sqrt(k t)).
double erfError(int cells, int steps);

// Melting from a wall: the largest |s / (2 lambda sqrt(k t)) - 1| from when the front has gone a quarter of the way to
// when it has gone three quarters.
double stefanError(int cells, double stefan_number, double lambda, double& front_m, double& exact_m);

// What a scheme leaves of a hot spot after one turn in a full box.
struct TurnedSpot {
    double peak = 0;       // over that at the start
    double error = 0;      // sum |T - T_start| over the sum at the start
    double corrected = 0;  // heat that the correction moved in all, over the spot's
};
TurnedSpot rotateHotSpot(HeatConvection scheme, int cells, int steps);

// A closed, insulated tank that sloshes, its left third 40 K hotter.
struct SloshedHeat {
    double change = 0;                // the largest of the total heat, over that at the start
    double corrected = 0;             // sum of |corrections| over the heat of the contrast
    double below_K = 0, above_K = 0;  // the most by which a cell left the range of the start
};
SloshedHeat sloshHeat(HeatConvection scheme, Int3 cells, double seconds);

}  // namespace flotsam
