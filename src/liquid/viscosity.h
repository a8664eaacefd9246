// Implicit viscosity, stable at any time step (thesis chapter 4, Batty and Bridson 2008): docs/methods/viscosity.md.
#pragma once

#include "liquid/cell_viscosity.h"
#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

inline constexpr double viscosity_tolerance_rel = 1e-6;  // true |b - A u| / |M u|
inline constexpr int viscosity_max_iterations = 300;     // reaching it is always reported

struct ViscosityReport {
    int iterations = 0;
    double residual = 0;
    bool converged = true;
};

// The fastest mode of the grid decays by 1 / (1 + 12 dt nu / h^2) in dt. Where it loses less than a twentieth, the
// solve is postponed: the interpolation of an advected mode of that wavelength damps it by up to half.
inline bool viscosityMatters(const Grid& grid, double viscosity_m2_s, double dt_s)
{
    return 12 * dt_s * viscosity_m2_s >= 0.05 * grid.h * grid.h;
}

// u <- (1 - dt viscosity)^-1 u on the liquid faces marked by planExtension(). If dt_s is too short to matter, s
// accumulates dt nu, and the next solve covers that time as well: the effective viscosity does not depend on the time
// step. At most a twentieth of the decay of the fastest mode is postponed, so a jump in viscosity cannot act on past
// steps.
void applyViscosity(const Grid& grid, const LiquidParams& prm, const Solids& solids, double dt_s, LiquidState& s,
                    LiquidScratch& w, ViscosityReport& report);

// Whether applyViscosity solves the system in this step.
bool isViscosityDue(const Grid& grid, const LiquidParams& prm, double dt_s, LiquidState& s);

// Its two stages, for separate measurement: set up the system in w.viscosity, and solve it there.
void setUpViscosity(const Grid& grid, const LiquidParams& prm, const Solids& solids, double dt_s, LiquidState& s,
                    LiquidScratch& w);
SolveReport solveViscosity(ViscousStress stress, LiquidScratch& w);

}  // namespace flotsam
