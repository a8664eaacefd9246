// Warnings about the joints of a scene in its starting poses.
#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <numbers>

#include "rigid/from_scene.h"

namespace flotsam {

namespace {

constexpr double degrees = 180 / std::numbers::pi;

// The anchors are one point, so they always meet. A point far off a body is likely a slip of coordinates.
void checkAnchors(const JointSpec& spec, const Joint& joint, const RigidWorld& world,
                  std::vector<std::string>& warnings)
{
    for (const int side : {0, 1}) {
        const int body = side == 0 ? joint.a : joint.b;
        if (body == world_body || body >= world.moving()) continue;
        const Collider& c = *world.bodies[size_t(body)].collider;
        const double off_m = c.distance(side == 0 ? joint.in_a.anchor_m : joint.in_b.anchor_m);
        if (off_m <= c.reach_m) continue;
        warnings.push_back(fmt::format(
            "{}: the anchor of joint \"{}\" is {:.3g} m outside of body \"{}\", which reaches {:.3g} m from its "
            "centre: the bodies do not meet there; check anchor_m",
            spec.where, spec.name, off_m, spec.bodies[size_t(side)], c.reach_m));
        return;
    }
}

void checkStart(const JointSpec& spec, const Joint& joint, std::vector<std::string>& warnings)
{
    const bool slides = joint.kind == JointKind::slider;
    const double unit = slides ? 1 : degrees;
    const char* const name = slides ? "m" : "degrees";
    const auto warn = [&](const std::string& what) {
        warnings.push_back(fmt::format("{}: joint \"{}\" starts at 0 {}, {}", spec.where, spec.name, name, what));
    };
    if (joint.hasAxis() && (joint.lowest > 0 || joint.highest < 0))
        warn(
            fmt::format("outside of its limits [{:.4g}, {:.4g}]: it jumps in the first step; turn the bodies, or "
                        "shift the limits",
                        unit * joint.lowest, unit * joint.highest));
    const Motor& motor = joint.motor;
    if (motor.drive != MotorDrive::coordinate || motor.tracking != MotorTracking::exact) return;
    const double target = std::clamp(motor.valueAt(0), joint.lowest, joint.highest);
    if (std::abs(unit * target) > (slides ? 1e-3 : 1.0))
        warn(
            fmt::format("but its motor starts at {:.4g}: it jumps in the first step; start the program at 0, or use "
                        "track = \"servo\"",
                        unit * target));
}

// The inertia that a motor accelerates: that of both bodies about its axis, or their masses.
double inertiaOf(const Joint& joint, const RigidWorld& world)
{
    double inverse = 0;
    for (const int side : {0, 1}) {
        const int body = side == 0 ? joint.a : joint.b;
        if (body == world_body || body >= world.moving()) continue;
        const Body& b = world.bodies[size_t(body)];
        const JointFrame& frame = side == 0 ? joint.in_a : joint.in_b;
        const Vec3 axis = matrixOf(frame.axes) * Vec3{1, 0, 0}, arm = cross(axis, frame.anchor_m);
        const SymMat3 inertia = rotated(b.body_from_principal, b.moments_kg_m2);
        inverse +=
            1 / (joint.kind == JointKind::slider ? b.mass_kg : dot(axis, inertia * axis) + b.mass_kg * dot(arm, arm));
    }
    return 1 / inverse;
}

// An explicit spring is stable for dt < 2 sqrt(I / k), an explicit damper for dt < 2 I / d.
void checkExplicit(const JointSpec& spec, const Joint& joint, double dt_s, const RigidWorld& world,
                   std::vector<std::string>& warnings)
{
    const Motor& motor = joint.motor;
    if (motor.drive != MotorDrive::coordinate || motor.tracking != MotorTracking::pd) return;
    const double inertia = inertiaOf(joint, world);
    const double of_spring = motor.stiffness > 0 ? 2 * std::sqrt(inertia / motor.stiffness) : 1e300;
    const double of_damper = motor.damping > 0 ? 2 * inertia / motor.damping : 1e300;
    if (dt_s < std::min(of_spring, of_damper)) return;
    warnings.push_back(fmt::format(
        "{}: the motor of joint \"{}\" has track = \"pd\", which is unstable with steps of {:.3g} s: at most {:.3g} s "
        "with this stiffness and damping; use track = \"servo\"",
        spec.where, spec.name, dt_s, std::min(of_spring, of_damper)));
}

// The number of constraints of an island that follow from the others.
int redundantIn(const JointIsland& island, const RigidWorld& world)
{
    constexpr int most_rows = 600;
    constexpr double tiny = 1e-9;
    if (island.joints().size() < island.bodies().size()) return 0;  // a tree
    const auto column = [&](int body) {
        const auto at = std::lower_bound(island.bodies().begin(), island.bodies().end(), body);
        return at != island.bodies().end() && *at == body ? 6 * int(at - island.bodies().begin()) : -1;
    };
    std::vector<std::tuple<ConstraintRow, int, int, double>> rows;
    for (const int j : island.joints()) {
        const Joint& joint = world.joints.list[size_t(j)];
        const JointRows of_joint = rowsOf(joint, world.state.joints[size_t(j)], poseOf(world.state.bodies, joint.a),
                                          poseOf(world.state.bodies, joint.b), world.joints.isPlanar());
        const double arm_m = world.bodies[size_t(joint.a)].collider->reach_m;
        for (int n = 0; n < of_joint.count; ++n)
            rows.emplace_back(of_joint.row[n], column(joint.a), column(joint.b), arm_m);
    }
    if (rows.size() > most_rows) return 0;
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(Eigen::Index(rows.size()), Eigen::Index(6 * island.bodies().size()));
    for (size_t n = 0; n < rows.size(); ++n) {
        const auto& [row, a, b, arm_m] = rows[n];
        const auto put = [&, r = Eigen::Index(n)](int at, Vec3 linear, Vec3 angular) {
            for (int k = 0; k < 3 && at >= 0; ++k) {
                matrix(r, at + k) = linear[k];
                matrix(r, at + 3 + k) = angular[k] / arm_m;
            }
        };
        put(a, -row.linear, row.angular_a);
        put(b, row.linear, row.angular_b);
    }
    Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(matrix.transpose());
    qr.setThreshold(tiny);
    return int(rows.size()) - int(qr.rank());
}

void checkLoops(const Scene& scene, const RigidWorld& world, std::vector<std::string>& warnings)
{
    for (const JointIsland& island : world.joints.all()) {
        const int redundant = redundantIn(island, world);
        if (redundant == 0) continue;
        const JointSpec& last = scene.joints[size_t(island.joints().back())];
        warnings.push_back(fmt::format(
            "{}: the {} joints around \"{}\" close a loop with {} constraint{} more than it needs in its starting "
            "pose: it moves, but the forces that these joints share are not unique; replace hinges by balls to remove "
            "them",
            last.where, island.joints().size(), last.name, redundant, redundant == 1 ? "" : "s"));
    }
}

}  // namespace

std::vector<std::string> inspectJoints(const Scene& scene, const RigidWorld& world)
{
    std::vector<std::string> warnings;
    for (size_t n = 0; n < scene.joints.size(); ++n) {
        checkAnchors(scene.joints[n], world.joints.list[n], world, warnings);
        checkStart(scene.joints[n], world.joints.list[n], warnings);
        checkExplicit(scene.joints[n], world.joints.list[n], std::min(scene.time.max_dt_s, scene.rigid.max_dt_s), world,
                      warnings);
    }
    checkLoops(scene, world, warnings);
    return warnings;
}

std::string overlapWarning(const Scene& scene, const RigidWorld& world, const Overlap& overlap)
{
    for (size_t n = 0; n < scene.joints.size(); ++n) {
        const Joint& joint = world.joints.list[n];
        if (std::minmax(joint.a, joint.b) != std::minmax(overlap.a, overlap.b)) continue;
        return fmt::format(
            "{}: joint \"{}\" joins \"{}\" and \"{}\", which overlap by {:.3g} m and collide: they are pushed apart "
            "against the joint; leave out collide = true, or shorten them",
            scene.joints[n].where, joint.name, scene.joints[n].bodies[0], scene.joints[n].bodies[1], overlap.depth_m);
    }
    return {};
}

}  // namespace flotsam
