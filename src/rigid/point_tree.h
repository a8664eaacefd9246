#pragma once

#include "rigid/collider.h"

namespace flotsam {

PointTree makePointTree(std::vector<Vec3> points_m);

// Vertices, and points along the edges where the surface is bent outwards, no farther apart than spacing_m: an edge
// meets an edge between vertices.
std::vector<Vec3> surfacePoints(const TriangleMesh& mesh, double spacing_m);

}  // namespace flotsam
