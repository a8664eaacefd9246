// Small greyscale images of two-dimensional surfaces.
#pragma once

#include <filesystem>

#include "validation/carried_surface.h"

namespace flotsam {

struct Corner {
    double x_m, y_m;
};

// The liquid between two corners in grey and the outline of the exact solution in black, as a PNG through ffmpeg.
// Throws IoError.
void drawSurface(const std::filesystem::path& file, Corner low, Corner high, const Shape& expected,
                 CarriedSurface& surface);

}  // namespace flotsam
