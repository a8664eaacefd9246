// Viscosity, implicit and stable at any step (thesis chapter 4, Batty and Bridson 2008): docs/methods/viscosity.md.
#pragma once

#include "liquid/cell_viscosity.h"
#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

inline constexpr double viscosity_tolerance_rel = 1e-6;  // true |b - A u| / |b|
inline constexpr int viscosity_max_iterations = 300;     // reaching it is reported, never silent

struct ViscosityReport {
    int iterations = 0;
    double residual = 0;
    bool converged = true;
};

// The grid's fastest mode decays by 1 / (1 + 12 dt nu / h^2) in dt. Where that is less than a twentieth, nothing is
// solved yet: the interpolation of an advected mode of that length takes up to half of it.
inline bool viscosityMatters(const Grid& grid, double viscosity_m2_s, double dt_s)
{
    return 12 * dt_s * viscosity_m2_s >= 0.05 * grid.h * grid.h;
}

// u <- (1 - dt viscosity)^-1 u on the faces of the liquid, as planExtension() has marked them. Where dt_s is too short
// to matter, s keeps dt nu, and the solve that follows when the sum matters is over that time as well: the same
// viscosity acts for any step. At most a twentieth of the fastest mode waits, so a viscosity that jumps cannot act on
// the past.
void applyViscosity(const Grid& grid, const LiquidParams& prm, const Solids& solids, double dt_s, LiquidState& s,
                    LiquidScratch& w, ViscosityReport& report);

// The two parts of it, for those who measure them: the system in w.viscosity, and its solution there.
void setUpViscosity(const Grid& grid, const LiquidParams& prm, const Solids& solids, double dt_s, LiquidState& s,
                    LiquidScratch& w);
SolveReport solveViscosity(ViscousStress stress, LiquidScratch& w);

}  // namespace flotsam
