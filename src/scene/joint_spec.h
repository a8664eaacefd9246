// [[joint]] of a scene: docs/scene-file.md.
#pragma once

#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace flotsam {

inline constexpr double no_limit = std::numeric_limits<double>::infinity();

// In the order of JointKind, MotorDrive (without none) and MotorTracking of rigid/joint.h.
inline constexpr const char* joint_kind_words[] = {"ball", "hinge", "universal", "slider", "fixed", "distance"};
inline constexpr const char* motor_drive_words[] = {"speed", "angle", "torque"};
inline constexpr const char* motor_track_words[] = {"exact", "servo", "pd", "two-step"};
inline constexpr const char* interpolation_words[] = {"smooth", "linear"};

// Angles in degrees for a hinge, distances in metres for a slider.
struct MotorSpec {
    bool present = false;
    int drive = 0, track = 0, interpolation = 0;  // indices of the words
    double constant = 0;                          // speed [rad/s or m/s], angle [deg] or position [m], torque or force
    double amplitude = 0, frequency_Hz = 0, phase_deg = 0, offset = 0;  // sine
    bool has_sine = false;
    std::vector<std::pair<double, double>> keyframes;  // [s, value of the drive]
    bool repeat = false;
    double stiffness = 0, damping = 0;  // per rad or m
    double limit = no_limit;            // [N m or N]

    bool drivesCoordinate() const { return drive == 1; }
};

struct JointSpec {
    std::string name;
    int kind = 0;           // index of the word
    std::string bodies[2];  // the second may be a solid, or "world"
    Vec3 anchor_m, second_anchor_m;
    Vec3 axis{0, 0, 1}, axis2{1, 0, 0};
    double lowest = -no_limit, highest = no_limit;  // hinge [deg], slider [m]
    double swing_limit_deg = no_limit, lowest_twist_deg = -no_limit, highest_twist_deg = no_limit;  // ball
    double damping = 0, stiffness = 0, rest = 0;                                                    // rest: [deg or m]
    double break_N = no_limit, break_N_m = no_limit;
    bool collide = false;
    MotorSpec motor;
    std::string where = {};  // "file:line", for messages

    std::string kindWord() const { return joint_kind_words[kind]; }
    bool slides() const { return kindWord() == "slider"; }
};

}  // namespace flotsam
