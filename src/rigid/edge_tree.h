#pragma once

#include "rigid/collider.h"

namespace flotsam {

inline constexpr int leaf_edges = 4;  // at most, in a leaf of the tree

EdgeTree makeEdgeTree(std::vector<SharpEdge> edges);

// The two ends of an edge, and the point between them that is farthest from their connection.
struct EdgeExtent {
    Vec3 from_m, to_m, top_m;
};
EdgeExtent extentOf(const SharpEdge& edge);

// Half the size of the box around an edge with this direction of its middle.
inline Vec3 halfBoxOf(const SharpEdge& e, Vec3 along)
{
    const double bulge_m = e.radius_m > 0 ? e.half_m * e.half_m / e.radius_m : 0;
    return {e.half_m * std::abs(along.x) + bulge_m, e.half_m * std::abs(along.y) + bulge_m,
            e.half_m * std::abs(along.z) + bulge_m};
}

}  // namespace flotsam
