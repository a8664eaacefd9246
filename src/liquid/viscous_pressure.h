// Viscosity and pressure in one system: docs/methods/viscosity.md, section 9.
#pragma once

#include "liquid/pressure.h"
#include "liquid/viscosity.h"

namespace flotsam {

inline constexpr double together_tolerance_rel = 3e-2;  // error of u / u, in the norm of the viscous energy
inline constexpr int together_max_iterations = 12;

// Call it after applyViscosity() has solved and the result was projected. Corrects the velocity to the minimum of the
// viscous energy among the velocities that the projection leaves unchanged.
void solveViscosityWithPressure(const Grid& grid, const LiquidParams& prm, const PressureParams& pressure,
                                const Solids& solids, double divergence_1_s, LiquidState& s, LiquidScratch& w,
                                PressureReport& projections, ViscosityReport& report);

}  // namespace flotsam
