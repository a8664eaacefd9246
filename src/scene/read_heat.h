// [heat] of a scene file, and whether anything in the file has a temperature.
#pragma once

#include "scene/read_shape.h"
#include "scene/scene.h"

namespace flotsam {

// To be called after the liquid was read: its viscosity is the one that a constant law means.
void readHeat(const TomlTable& root, ShapeContext context, Scene& s);

// temperature_K of a region or an inflow; none where the file gives none.
std::optional<double> readTemperature(const TomlTable& t);

}  // namespace flotsam
