// Volumes of a frame as an OpenVDB file for Blender, Houdini and ParaView.
#pragma once

#include <filesystem>
#include <vector>

#include "core/bricks.h"
#include "core/field.h"

namespace flotsam {

// A field at cell centres, and the name of its grid.
struct ScalarField {
    const char* name;
    View3<const float> values;
};

// Grids "phi" (level set [m]) and "velocity" (at cell centres, the mean of the two faces [m/s]), active where phi <
// background_phi_m in the listed bricks of cells, and `others`, active where phi < 0. Cell (i, j, k) has its centre at
// ((i, j, k) + 1/2) h_m. u(i, j, k), v, w lie on the low x, y, z faces of the cell. Equal fields give equal bytes.
// Throws IoError.
void writeVdb(const std::filesystem::path& path, Int3 cells, double h_m, View3<const float> phi, View3<const float> u,
              View3<const float> v, View3<const float> w, const Bricks& bricks, const BrickList& list,
              float background_phi_m, const std::vector<ScalarField>& others = {});

}  // namespace flotsam
