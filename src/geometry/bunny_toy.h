// A built-in toy bunny: body, haunches, head, two ears, a tail and four feet.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

// Closed, about 5000 vertices, 1 m high, sitting on y = 0 with its centre over the origin, facing -x.
TriangleMesh bunnyToyMesh();

}  // namespace flotsam
