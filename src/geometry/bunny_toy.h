// A toy bunny that needs no file: body, haunches, head, two ears, a tail and four feet.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

// Closed, about 5000 vertices, 1 m high, sitting on y = 0 with its middle over the origin and looking along -x.
TriangleMesh bunnyToyMesh();

}  // namespace flotsam
