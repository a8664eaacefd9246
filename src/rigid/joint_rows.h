// The constraints of a joint, linearised in given poses.
#pragma once

#include "rigid/joint.h"

namespace flotsam {

// The rate of a constraint: linear . (v_b - v_a) + angular_b . w_b + angular_a . w_a.
struct ConstraintRow {
    Vec3 linear, angular_a, angular_b;

    double rate(const VelocityChange& a, const VelocityChange& b) const
    {
        return dot(linear, b.v_m_s - a.v_m_s) + dot(angular_b, b.w_rad_s) + dot(angular_a, a.w_rad_s);
    }
};

// The constraints of a joint's kind, which always hold, and its coordinates.
struct JointRows {
    static constexpr int most = 6;
    int count = 0;
    ConstraintRow row[most];
    double error[most] = {};  // of the constraint in these poses [m or rad]

    // Rate and value of a coordinate: the angle of a hinge, the displacement of a slider, the swing of a ball.
    struct Coordinate {
        ConstraintRow row;
        double value = 0;
        bool exists = false;
    };
    Coordinate axis, twist;  // twist: of a ball with limits
    Vec3 rotation_rad;       // of b relative to a, in world axes: rowsOf only
    Vec3 to_anchor_m;        // from the centre of mass of b
};

// The pose of a body; the world is at the origin.
struct Pose {
    Vec3 x_m;
    Quat q;
};
inline Pose poseOf(const std::vector<BodyState>& bodies, int body)
{
    return body == world_body ? Pose{} : Pose{bodies[size_t(body)].x_m, bodies[size_t(body)].q};
}

// A joint as seen from both bodies, in world axes.
struct PosedJoint {
    Vec3 ra, rb;          // from the centres of mass to the anchors
    Vec3 a_to_b;          // from the centre of mass of a to the anchor of b
    Mat3 axes_a, axes_b;  // rows are the axes of the joint
    Quat qa, qb;          // world from joint
};
PosedJoint posed(const Joint& joint, const Pose& a, const Pose& b);
// All vectors averaged. The constraints are linear in each vector, so that their rows there are discrete gradients: the
// change of a constraint over a move by the Cayley rotation is its row times the displacement, without error.
PosedJoint mean(const PosedJoint& start, const PosedJoint& end);

// planar: a two-dimensional run, without the rows that act out of the plane.
// In stages, because most of them are rarely needed: the constraints, the rows of the coordinates, their values. The
// rotation is in rowsOf only.
void setHolds(const Joint& joint, const PosedJoint& p, bool planar, JointRows& rows);
void setCoordinates(const Joint& joint, const PosedJoint& p, JointRows& rows);
void setValues(const Joint& joint, const JointState& state, const PosedJoint& p, JointRows& rows);
Vec3 rotationOf(const PosedJoint& p);
JointRows rowsOf(const Joint& joint, const JointState& state, const PosedJoint& p, bool planar);
inline JointRows rowsOf(const Joint& joint, const JointState& state, const Pose& a, const Pose& b, bool planar)
{
    return rowsOf(joint, state, posed(joint, a, b), planar);
}

}  // namespace flotsam
