// The viscosity that a temperature makes (thesis 4.3).
#pragma once

#include "core/field.h"
#include "core/parallel.h"
#include "scene/heat_params.h"

namespace flotsam {

// Whether the viscosity differs from place to place with the temperature.
inline bool viscosityVaries(const HeatParams& heat) { return heat.on && heat.viscosity.law != ViscosityLaw::constant; }

// [m2/s] at a temperature.
float viscosityAt(const HeatParams& heat, float temperature_K);

// viscosity [m2/s] at the centres of the cells of `set` where the temperature is known (not 0); the others stay.
void fillViscosity(const HeatParams& heat, const BrickSet& set, View3<const float> temperature_K,
                   View3<float> viscosity_m2_s);

}  // namespace flotsam
