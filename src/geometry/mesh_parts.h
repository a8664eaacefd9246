// The separate parts of a closed mesh: those that lie inside each other.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

// [m3] of the parts that lie inside another part and have the same orientation. Such a part is no cavity: the surface
// encloses its volume twice, and sums over the triangles count it twice. mesh: closed, oriented outwards, its parts do
// not cross.
double volumeCountedTwice(const TriangleMesh& mesh);

}  // namespace flotsam
