#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

struct Crossings {
    int pairs = 0;  // of triangles that share no vertex and cross
    Vec3 first_m;   // near where the first two do
};

// Where a surface passes through itself: what it encloses is then counted twice.
Crossings findCrossings(const TriangleMesh& mesh);

}  // namespace flotsam
