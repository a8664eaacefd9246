// Triangles as POV-Ray's mesh2 text.
#pragma once

#include <string>

#include "cache/picture_stage.h"
#include "geometry/surface_mesh.h"
#include "geometry/triangle_mesh.h"

namespace flotsam {

// Where a picture's colours go from cold to hot [K].
struct HeatRange {
    double cold_K = 0, hot_K = 1;
};

// The liquid's surface with smooth normals, except where it lies flat against a wall of the tank: there the wall's
// own normal is written, so that the sharp edge between a free surface and a wall stays sharp. Where the surface has
// temperatures, u of its uv vectors is 0 where it is cold and 1 where it is hot. Empty for no triangles.
std::string povLiquidMesh(const SurfaceMesh& surface, const Stage& stage, const HeatRange& range);

// A solid: smooth over edges blunter than 40 degrees, sharp elsewhere. Vertices on a wall are moved inwards by
// `inset` so that no face coincides with the liquid's. can_be_cut: other shapes can be intersected with it, which
// makes rays slower. Empty for no triangles.
std::string povSolidMesh(const TriangleMesh& solid, const Stage& stage, double inset, bool can_be_cut);

}  // namespace flotsam
