// Which points of a grid lie inside a closed mesh, by its winding number: correct for cavities, overlapping components
// and inverted meshes, where a flood fill from outside fails.
#pragma once

#include <cstdint>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace flotsam {

// mesh: closed and consistently oriented, in units of the grid spacing, 0 <= coordinate < 2^18; the points are the
// integers below `points`. Returns 1 for inside, x fastest.
std::vector<uint8_t> pointsInside(const TriangleMesh& mesh, Int3 points);

}  // namespace flotsam
