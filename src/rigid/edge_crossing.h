// Two sharp edges across each other.
#pragma once

#include "geometry/sharp_edges.h"

namespace flotsam {

// Of bodies a and b, in one frame.
struct CrossedEdges {
    EdgePoint of_a, of_b;
    SharpEdge edge_a, edge_b;
    Vec3 normal;  // out of a
    double gap_m = 0;
    bool face_of_a = false, face_of_b = false;  // the normal is nearly that of a face
};

// Whether the faces beside two edges leave room for a plane between the bodies. Independent of where the edges are.
bool mayCross(const SharpEdge& e, const SharpEdge& f);
// Whether an edge e of a and f of b touch across each other, or are apart by at most reach_m.
bool crosses(const SharpEdge& e, const SharpEdge& f, double reach_m, CrossedEdges& c);

}  // namespace flotsam
