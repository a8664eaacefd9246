// Joints of a scene: degrees become radians, names become bodies.
#include <numbers>

#include "rigid/from_scene.h"

namespace flotsam {

namespace {

constexpr double rad = std::numbers::pi / 180;

int bodyNamed(const std::string& name, const RigidWorld& world)
{
    for (size_t i = 0; i < world.bodies.size(); ++i)
        if (world.bodies[i].name == name) return int(i);
    return world_body;  // or a solid outside a two-dimensional run's layer, which does not move either
}

Motor motorOf(const MotorSpec& spec, double unit)
{
    Motor motor;
    if (!spec.present) return motor;
    motor.drive = MotorDrive(spec.drive + 1);
    motor.tracking = MotorTracking(spec.track);
    motor.constant = spec.constant * (spec.drivesCoordinate() ? unit : 1);
    motor.sine = {unit * spec.amplitude, spec.frequency_Hz, rad * spec.phase_deg, unit * spec.offset};
    const double of_value = spec.drivesCoordinate() ? unit : 1;
    for (const auto& [t_s, value] : spec.keyframes) motor.keyframes.push_back({t_s, of_value * value});
    motor.smooth = spec.interpolation == 0;
    motor.repeat = spec.repeat;
    motor.stiffness = spec.stiffness;
    motor.damping = spec.damping;
    motor.limit = spec.limit;
    return motor;
}

Joint makeJoint(const JointSpec& spec, const DomainParams& domain, const RigidWorld& world)
{
    const double unit = spec.slides() ? 1 : rad;
    Joint joint;
    joint.name = spec.name;
    joint.kind = JointKind(spec.kind);
    joint.a = bodyNamed(spec.bodies[0], world);
    joint.b = spec.bodies[1] == "world" ? world_body : bodyNamed(spec.bodies[1], world);
    joint.lowest = unit * spec.lowest;
    joint.highest = unit * spec.highest;
    joint.swing_limit_rad = rad * spec.swing_limit_deg;
    joint.lowest_twist_rad = rad * spec.lowest_twist_deg;
    joint.highest_twist_rad = rad * spec.highest_twist_deg;
    joint.damping = spec.damping;
    joint.stiffness = spec.stiffness;
    joint.rest = unit * spec.rest;
    joint.break_N = spec.break_N;
    joint.break_N_m = spec.break_N_m;
    joint.collide = spec.collide;
    joint.motor = motorOf(spec.motor, unit);
    PlacedJoint place{spec.anchor_m, spec.axis, spec.axis2, spec.second_anchor_m};
    if (domain.twoDimensional()) place.anchor_m.z = place.second_anchor_m.z = 0.5 * domain.h();
    placeJoint(place, world.state.bodies[size_t(joint.a)],
               joint.b == world_body ? BodyState{} : world.state.bodies[size_t(joint.b)], joint);
    return joint;
}

}  // namespace

std::vector<Joint> makeJoints(const Scene& scene, const RigidWorld& world)
{
    std::vector<Joint> joints;
    for (const JointSpec& spec : scene.joints) joints.push_back(makeJoint(spec, scene.domain, world));
    return joints;
}

}  // namespace flotsam
