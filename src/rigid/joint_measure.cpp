#include "rigid/joint_measure.h"

#include <algorithm>

namespace flotsam {

namespace {

VelocityChange velocityOf(const RigidWorld& world, int body)
{
    if (body == world_body) return {};
    return {world.state.bodies[size_t(body)].v_m_s, world.state.bodies[size_t(body)].w_rad_s};
}

double angleBetween(Vec3 a, Vec3 b) { return std::atan2(length(cross(a, b)), dot(a, b)); }

double gapOf(const Joint& joint, const PosedJoint& p)
{
    const Vec3 apart = p.a_to_b - p.ra;
    if (joint.kind == JointKind::distance) return std::abs(length(apart) - joint.length_m);
    const Vec3 x = p.axes_a.row0;
    return length(joint.kind == JointKind::slider ? apart - dot(apart, x) * x : apart);
}

double tiltOf(const Joint& joint, const PosedJoint& p, Vec3 rotation_rad)
{
    switch (joint.kind) {
        case JointKind::hinge:
            return angleBetween(p.axes_a.row0, p.axes_b.row0);
        case JointKind::universal:
            return std::abs(std::asin(std::clamp(dot(p.axes_a.row0, p.axes_b.row1), -1.0, 1.0)));
        case JointKind::slider:
        case JointKind::fixed:
            return length(rotation_rad);
        case JointKind::ball:
        case JointKind::distance:
            break;
    }
    return 0;
}

}  // namespace

JointMeasure measureJoint(const RigidWorld& world, size_t n)
{
    const Joint& joint = world.joints.list[n];
    const Pose a = poseOf(world.state.bodies, joint.a), b = poseOf(world.state.bodies, joint.b);
    const VelocityChange va = velocityOf(world, joint.a), vb = velocityOf(world, joint.b);
    const PosedJoint p = posed(joint, a, b);
    const JointRows rows = rowsOf(joint, world.state.joints[n], p, world.joints.isPlanar());
    JointMeasure m;
    m.gap_m = gapOf(joint, p);
    m.tilt_rad = tiltOf(joint, p, rows.rotation_rad);
    for (int r = 0; r < rows.count; ++r) m.residual = std::max(m.residual, std::abs(rows.row[r].rate(va, vb)));
    const bool has_axis = joint.hasAxis() && rows.axis.exists;
    m.coordinate = has_axis ? rows.axis.value : length(rows.rotation_rad);
    m.rate = has_axis ? rows.axis.row.rate(va, vb) : length(vb.w_rad_s - va.w_rad_s);
    m.target = joint.motor.drive == MotorDrive::coordinate
                   ? std::clamp(joint.motor.valueAt(world.t_s()), joint.lowest, joint.highest)
                   : std::numeric_limits<double>::quiet_NaN();
    return m;
}

JointsMeasure measureJoints(const RigidWorld& world)
{
    JointsMeasure all;
    for (size_t n = 0; n < world.joints.list.size(); ++n) {
        if (world.state.joints[n].broken) continue;
        const JointMeasure m = measureJoint(world, n);
        ++all.count;
        all.limited += world.joints.reports[n].limited;
        all.gap_m = std::max(all.gap_m, m.gap_m);
        all.residual = std::max(all.residual, m.residual);
    }
    return all;
}

}  // namespace flotsam
