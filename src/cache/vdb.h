// A frame's volumes as an OpenVDB file for Blender, Houdini and ParaView.
#pragma once

#include <filesystem>
#include <span>

#include "core/bricks.h"
#include "core/field.h"

namespace flotsam {

// One more quantity at cell centres.
struct VdbScalar {
    const char* name;
    View3<const float> values;
};

// Grids "phi" (level set [m]) and "velocity" (at cell centres, the mean of the two faces [m/s]), active where
// phi < background_phi_m in the listed bricks
// of the cells, and the scalars there; cell (i, j, k) has its centre at (i, j, k) + 1/2 times h_m.
// u(i, j, k), v, w lie on the low x, y, z faces of the cell. The same fields give the same bytes. Throws IoError.
void writeVdb(const std::filesystem::path& path, Int3 cells, double h_m, View3<const float> phi, View3<const float> u,
              View3<const float> v, View3<const float> w, std::span<const VdbScalar> scalars, const Bricks& bricks,
              const BrickList& list, float background_phi_m);

}  // namespace flotsam
