// Triangulations of the analytic shapes: for rendering and for thickness checks.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

TriangleMesh sphereMesh(double radius_m);                     // 1984 triangles
TriangleMesh boxMesh(Vec3 half_m);                            // 12
TriangleMesh cylinderMesh(double radius_m, double height_m);  // 256: 64 segments along y, with caps
TriangleMesh capsuleMesh(double radius_m, double height_m);   // along y; height between the centres of its ends

TriangleMesh placed(TriangleMesh mesh, const Mat3& world_from_mesh, Vec3 position_m);

}  // namespace flotsam
