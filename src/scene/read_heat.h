// [heat] of a scene file, and whether the file gives any temperature.
#pragma once

#include "scene/read_shape.h"
#include "scene/scene.h"

namespace flotsam {

// Call after reading the liquid: its viscosity is that of the constant law.
void readHeat(const TomlTable& root, ShapeContext context, Scene& s);

// temperature_K of a region or an inflow; none if the file gives none.
std::optional<double> readTemperature(const TomlTable& t);

}  // namespace flotsam
