#pragma once

#include "rigid/collider.h"

namespace flotsam {

PointTree makePointTree(std::vector<Vec3> points_m);

// Vertices, and points along convex edges at most spacing_m apart: two edges can touch between their vertices.
std::vector<Vec3> surfacePoints(const TriangleMesh& mesh, double spacing_m);

// Points on the axis of a capsule, from end to end.
std::vector<Vec3> pointsAlongCapsule(double height_m);

}  // namespace flotsam
