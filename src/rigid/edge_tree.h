#pragma once

#include "rigid/collider.h"

namespace flotsam {

EdgeTree makeEdgeTree(std::vector<SharpEdge> edges);

// The two ends of an edge, and the point between them that is farthest from their connection.
struct EdgeExtent {
    Vec3 from_m, to_m, top_m;
};
EdgeExtent extentOf(const SharpEdge& edge);

}  // namespace flotsam
