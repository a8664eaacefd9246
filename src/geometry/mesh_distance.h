// A closed mesh as a grid of signed distances around it.
#pragma once

#include <vector>

#include "geometry/triangle_mesh.h"

namespace flotsam {

struct DistanceGrid {
    Vec3 origin_m;  // of point (0, 0, 0)
    double voxel_m = 0;
    Int3 points;
    // x fastest; exact next to the surface, elsewhere within 0.03 voxels (measured: a bunny, within 9 voxels).
    std::vector<float> phi_m;
};

// mesh: closed and consistently oriented, inwards or outwards. The grid extends 6 voxels beyond it. voxel_m is a
// request: the longest side of a mesh gets 32 to 4096 voxels, and the grid at most 16 million points.
DistanceGrid distanceGridOf(const TriangleMesh& mesh, double voxel_m);

// The same, cached on disk by the content of the mesh: in $XDG_CACHE_HOME/flotsam or ~/.cache/flotsam, or in the folder
// named by $FLOTSAM_CACHE; an empty $FLOTSAM_CACHE disables the cache. A file that cannot be read or written only costs
// time.
DistanceGrid cachedDistanceGridOf(const TriangleMesh& mesh, double voxel_m);

// Trilinear. Outside the grid: a lower bound of the distance, tight for the protruding parts of the mesh. Callers that
// skip or step over distant points need a lower bound.
double sampleDistance(const DistanceGrid& grid, Vec3 p_m);
// Also returns the unit normal of the level set through the point, from the gradient of the interpolation. Outside the
// grid: the value at the nearest point of its box plus the distance to that point, at most 1.41 times too large. Balls
// with a radius above the margin of the grid use it to touch meshes; with the lower bound they would bounce before they
// touch.
double sampleDistance(const DistanceGrid& grid, Vec3 p_m, Vec3& normal);

}  // namespace flotsam
