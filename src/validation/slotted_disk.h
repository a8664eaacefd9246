// Zalesak's disk and its three-dimensional version: a disk or ball of radius 15 about (50, 75) with a slot 5 wide that
// ends 10 above its centre, in a box of side 100.
#pragma once

#include "geometry/shape.h"

namespace flotsam {

class SlottedDisk : public Shape {
public:
    static constexpr double radius = 15, half_slot = 2.5, slot_top = 10;
    static constexpr Vec3 center{50, 75, 50};
    static constexpr double area = 582.207;

    double signedDistance(Vec3 p) const override;
    Bounds bounds() const override { return {{35, 60, -1}, {65, 90, 101}}; }
    TriangleMesh triangulated() const override { return {}; }
};

class SlottedBall : public Shape {
public:
    double signedDistance(Vec3 p) const override;
    Bounds bounds() const override { return {{35, 60, 35}, {65, 90, 65}}; }
    TriangleMesh triangulated() const override { return {}; }
    static double volume();
};

}  // namespace flotsam
