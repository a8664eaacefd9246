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

// mesh: closed and consistently oriented, either way. The grid reaches 6 voxels beyond it. voxel_m is a wish: a mesh
// gets 32 to 4096 voxels along its longest side, and the grid at most 16 million points.
DistanceGrid distanceGridOf(const TriangleMesh& mesh, double voxel_m);

// The same, kept on disk by the content of the mesh: $XDG_CACHE_HOME/flotsam or ~/.cache/flotsam, or the folder that
// $FLOTSAM_CACHE names; an empty $FLOTSAM_CACHE keeps nothing. A file that cannot be read or written costs time only.
DistanceGrid cachedDistanceGridOf(const TriangleMesh& mesh, double voxel_m);

// Trilinear. Outside of the grid: the mesh is at least so far, and just so far from the parts of it that stand out. Who
// leaves out or steps over what is farther needs such a lower bound.
double sampleDistance(const DistanceGrid& grid, Vec3 p_m);
// With the unit normal of the level set through the point: the interpolation's own slope. Outside of the grid: the
// value at the nearest point of its box and the distance to that point, at most 1.41 times too much. Balls with a radius
// above the margin of the grid touch meshes by it; with the lower bound they would bounce before they touch.
double sampleDistance(const DistanceGrid& grid, Vec3 p_m, Vec3& normal);

}  // namespace flotsam
