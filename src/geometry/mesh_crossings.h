#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

struct Crossings {
    int pairs = 0;  // intersecting triangles that share no vertex
    Vec3 first_m;   // near the intersection of the first pair
};

// Self-intersections of a surface: the volume enclosed there is counted twice.
Crossings findCrossings(const TriangleMesh& mesh);

}  // namespace flotsam
