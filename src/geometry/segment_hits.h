// Whether a short segment intersects a triangle surface: exact even for surfaces thinner than any grid.
#pragma once

#include <vector>

#include "geometry/triangle_mesh.h"

namespace flotsam {

class SegmentHits {
public:
    // bin_m: side of the bins that triangles are sorted into; a good choice is about the length of the segments.
    SegmentHits(TriangleMesh mesh, double bin_m);

    bool hits(Vec3 p_m, Vec3 q_m) const;
    // Whether it meets triangles that face either way: it passes through the solid inside a closed surface, and does
    // not just end in it.
    bool passThrough(Vec3 p_m, Vec3 q_m) const;

private:
    IndexBox binsOf(Vec3 lo_m, Vec3 hi_m) const;
    // f(triangle) for those near a segment, until it returns true.
    template <class F>
    bool anyNear(Vec3 p_m, Vec3 q_m, const F& f) const;
    bool hitsTriangle(int triangle, Vec3 p_m, Vec3 q_m) const;

    TriangleMesh mesh;
    double bin_m;
    Vec3 origin_m;
    Int3 bins;
    std::vector<int> start, list;  // triangles by bin
};

}  // namespace flotsam
