// Brute-force distances and rays against all triangles of a mesh: slow, simple, and the reference for the grids.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

Vec3 nearestPointOn(Vec3 a, Vec3 b, Vec3 c, Vec3 p);  // on a triangle
Vec3 nearestPointOn(const TriangleMesh& mesh, Vec3 p);

// Whether a ray from p crosses a closed mesh an odd number of times. Rays that pass near an edge are cast again in
// another direction.
bool insideByParity(const TriangleMesh& mesh, Vec3 p);

}  // namespace flotsam
