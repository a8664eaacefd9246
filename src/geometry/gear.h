// Two built-in bodies with flat faces.
#pragma once

#include "geometry/triangle_mesh.h"

namespace flotsam {

struct GearShape {
    double radius_m = 0;       // of the tips of the teeth
    double thickness_m = 0;    // along y
    double hole_radius_m = 0;  // 0: half of the radius inside the teeth
    int teeth = 16;
};

// 32 triangles and 16 vertices per tooth: 256 vertices for 16 teeth. The axis is y, the centre the origin. Teeth are
// trapezia between 0.8 radius and the tips, narrow enough for two gears to mesh at a distance of 1.8 radii.
TriangleMesh gearMesh(const GearShape& gear);

// A cut stone of about this size: 340 triangles, 172 vertices, seventeen-sided and slightly asymmetric, so that it
// tumbles.
TriangleMesh gemMesh(double size_m);

}  // namespace flotsam
