#pragma once

#include "core/vec.h"

namespace flotsam {

// Signed distance of a point to an ellipsoid around the origin, and the unit normal at the nearest surface point
// (Eberly: the nearest point is a_i^2 p_i / (t + a_i^2), t the largest root of sum (a_i p_i / (t + a_i^2))^2 = 1).
double distanceToEllipsoid(Vec3 half_axes_m, Vec3 p_m, Vec3& normal);

}  // namespace flotsam
