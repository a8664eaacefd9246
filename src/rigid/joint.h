// Joints between two bodies, or between a body and the world: docs/methods/joints.md.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rigid/body.h"

namespace flotsam {

enum class JointKind { ball, hinge, universal, slider, fixed, distance };

// What a motor prescribes along the free axis of a hinge [rad] or a slider [m].
enum class MotorDrive { none, speed, coordinate, torque };
// How a motor follows a prescribed coordinate.
enum class MotorTracking { exact, servo, pd, two_step };

struct Keyframe {
    double t_s = 0, value = 0;
};

// Along the free axis of a hinge [rad, rad/s, N m] or a slider [m, m/s, N].
struct Motor {
    MotorDrive drive = MotorDrive::none;
    MotorTracking tracking = MotorTracking::exact;
    double constant = 0;  // speed, coordinate or torque
    struct Sine {
        double amplitude = 0, frequency_Hz = 0, phase_rad = 0, offset = 0;
    } sine;
    std::vector<Keyframe> keyframes;  // replace constant and sine
    bool smooth = true;               // keyframes: cubic through them, or straight lines
    bool repeat = false;
    double stiffness = 0, damping = 0;                       // servo and pd: per rad or m
    double limit = std::numeric_limits<double>::infinity();  // largest torque [N m] or force [N]

    double valueAt(double t_s) const;
    double rateAt(double t_s) const;
};

// The position and the axes of a joint in the frame of one of its bodies.
struct JointFrame {
    Vec3 anchor_m;
    Quat axes;  // body from joint; the axis of a hinge or slider is x
};

constexpr int world_body = -1;

struct Joint {
    std::string name;
    JointKind kind = JointKind::ball;
    int a = 0, b = world_body;  // indices of bodies; b may be immobile
    JointFrame in_a, in_b;      // universal: the first axis is x of in_a, the second is y of in_b
    double length_m = 0;        // distance
    // Of the free axis: the angle [rad] or displacement [m] of b relative to a.
    double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
    // Ball: the angle between the x axes, and the range of the rotation about them.
    double swing_limit_rad = std::numeric_limits<double>::infinity();
    double lowest_twist_rad = -std::numeric_limits<double>::infinity(),
           highest_twist_rad = std::numeric_limits<double>::infinity();
    double damping = 0;              // per rad/s or m/s; ball: of all rotation
    double stiffness = 0, rest = 0;  // per rad or m
    double break_N = std::numeric_limits<double>::infinity(), break_N_m = std::numeric_limits<double>::infinity();
    bool collide = false;
    Motor motor;

    bool hasAxis() const { return kind == JointKind::hinge || kind == JointKind::slider; }
    bool hasLimits() const { return lowest > -1e300 || highest < 1e300; }
};

// Content of a checkpoint.
struct JointState {
    double coordinate = 0;  // continuous, so that a hinge may turn more than once [rad or m]
    int64_t broken = 0;
};

// What a joint did in a step.
struct JointReport {
    Vec3 force_N, torque_N_m;  // mean, on b at its anchor, in world axes
    double motor = 0;          // mean torque [N m] or force [N] along the free axis
    double motor_W = 0;        // mean power
    bool limited = false;      // the motor was at its limit
};

// A joint in the given poses: the frames must agree there. axis, axis2: in the world.
struct PlacedJoint {
    Vec3 anchor_m, axis{1, 0, 0}, axis2{0, 1, 0};
    Vec3 second_anchor_m;  // distance only
};
void placeJoint(const PlacedJoint& place, const BodyState& a, const BodyState& b, Joint& joint);

}  // namespace flotsam
