// Triangles as text of POV-Ray's mesh2.
#pragma once

#include <string>

#include "cache/picture_stage.h"
#include "geometry/surface_mesh.h"
#include "geometry/triangle_mesh.h"

namespace flotsam {

// Temperatures mapped to the cold and the hot colour [K].
struct HeatRange {
    double cold_K = 0, hot_K = 1;
};

// The liquid surface with smooth normals. Where it lies flat against a wall of the tank, the wall normal is written, so
// that the edge between free surface and wall stays sharp. With temperatures, u of the uv vectors runs from 0 (cold) to
// 1 (hot). Empty if there are no triangles.
std::string povLiquidMesh(const SurfaceMesh& surface, const Stage& stage, const HeatRange& range);

// A solid: smooth over edges blunter than 40 degrees, sharp elsewhere. Vertices on a wall are moved inwards by `inset`
// so that no face coincides with one of the liquid. can_be_cut: other shapes can be intersected with it, which makes
// rays slower. Empty if there are no triangles.
std::string povSolidMesh(const TriangleMesh& solid, const Stage& stage, double inset, bool can_be_cut);

}  // namespace flotsam
