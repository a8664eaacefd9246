// Connected components of a closed mesh that lie inside each other.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

// Volume [m3] of the components that lie inside another component with the same orientation. Such a component is no
// cavity: the surface encloses its volume twice, and sums over the triangles count it twice. mesh: closed, oriented
// outwards, its components do not intersect.
double volumeCountedTwice(const TriangleMesh& mesh);

}  // namespace flotsam
