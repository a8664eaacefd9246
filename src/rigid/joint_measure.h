// What a joint is doing, for output.
#pragma once

#include "rigid/world.h"

namespace flotsam {

struct JointMeasure {
    double coordinate =
        0;              // angle of a hinge, of the entire rotation of other joints [rad]; displacement of a slider [m]
    double target = 0;  // of a motor that prescribes a coordinate; otherwise NaN
    double rate = 0;    // of the coordinate [rad/s or m/s]
    double gap_m = 0;   // distance of the anchors; slider: from its axis; distance: from its length
    double tilt_rad = 0;  // between axes or orientations that the joint keeps together
    double residual = 0;  // largest rate of a constraint [m/s or rad/s]
};

JointMeasure measureJoint(const RigidWorld& world, size_t joint);

// Over all joints that are not broken.
struct JointsMeasure {
    int count = 0, limited = 0;
    double gap_m = 0, residual = 0;
};
JointsMeasure measureJoints(const RigidWorld& world);

}  // namespace flotsam
