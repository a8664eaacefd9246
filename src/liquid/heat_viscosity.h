// Viscosity as a function of temperature (thesis 4.3).
#pragma once

#include "core/field.h"
#include "core/parallel.h"
#include "scene/heat_params.h"

namespace flotsam {

// Whether the viscosity varies in space with the temperature.
inline bool viscosityVaries(const HeatParams& heat) { return heat.on && heat.viscosity.law != ViscosityLaw::constant; }

// [m2/s] at a temperature.
float viscosityAt(const HeatParams& heat, float temperature_K);

// Sets the viscosity [m2/s] at the centres of the cells of `set` where the temperature is known (not 0); other cells
// keep theirs.
void fillViscosity(const HeatParams& heat, const BrickSet& set, View3<const float> temperature_K,
                   View3<float> viscosity_m2_s);

}  // namespace flotsam
