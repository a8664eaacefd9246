#include "validation/joint_cases.h"

#include <algorithm>
#include <numbers>

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81, pi = std::numbers::pi;

Vec3 centerOf(const RigidWorld& world)
{
    Vec3 sum;
    double mass_kg = 0;
    for (int i = 0; i < world.moving(); ++i) {
        sum += world.bodies[size_t(i)].mass_kg * world.state.bodies[size_t(i)].x_m;
        mass_kg += world.bodies[size_t(i)].mass_kg;
    }
    return sum / mass_kg;
}

}  // namespace

double energyOf(const RigidWorld& world) { return world.kineticEnergy() + world.potentialEnergy(); }

Oscillation oscillate(RigidWorld world, double dt_s)
{
    Oscillation result;
    std::vector<double> passed;
    double last = swingAngle(world, 0);
    while (passed.size() < 3 && world.t_s() < 20) {
        world.step(dt_s);
        const double now = swingAngle(world, 0);
        if (last * now < 0) passed.push_back(world.t_s() - dt_s * now / (now - last));
        last = now;
        result.gap_m = std::max(result.gap_m, measureJoints(world).gap_m);
    }
    if (passed.size() == 3) result.period_s = passed[2] - passed[0];
    return result;
}

JointDrift watch(RigidWorld& world, double dt_s, int steps)
{
    JointDrift drift;
    const double energy_J = energyOf(world), vertical = world.angularMomentum().y;
    const std::vector<BodyState> start = world.state.bodies;
    for (int n = 0; n < steps; ++n) {
        world.step(dt_s);
        const double gained = energyOf(world) - energy_J;
        drift.finite &= std::isfinite(gained);
        drift.converged &= world.joints.converged();
        drift.energy_J = std::max(drift.energy_J, std::abs(gained));
        drift.gain_J = std::max(drift.gain_J, gained);
        drift.vertical = std::max(drift.vertical, std::abs(world.angularMomentum().y - vertical));
        for (size_t j = 0; j < world.joints.list.size(); ++j) {
            const JointMeasure m = measureJoint(world, j);
            drift.gap_m = std::max(drift.gap_m, m.gap_m);
            drift.tilt_rad = std::max(drift.tilt_rad, m.tilt_rad);
            drift.finite &= std::isfinite(length(world.joints.reports[j].force_N));
        }
        for (size_t i = 0; i < start.size(); ++i) {
            const Vec3 x = world.state.bodies[i].x_m;
            drift.out_of_plane_m = std::max(drift.out_of_plane_m, std::abs(x.z));
            drift.displacement_m = std::max(drift.displacement_m, length(x - start[i].x_m));
        }
    }
    return drift;
}

double doublePendulumError(RigidWorld world, double first_rad, double second_rad, int steps)
{
    for (int n = 0; n < steps; ++n) world.step(1.0 / steps);
    return std::max(std::abs(swingAngle(world, 0) - first_rad), std::abs(swingAngle(world, 1) - second_rad));
}

MotorEnergy driveDoublePendulum(double dt_s, int steps)
{
    RigidWorld world = doubleRodPendulum();
    std::vector<Joint> joints = world.joints.list;
    joints[1].motor.drive = MotorDrive::coordinate;
    joints[1].motor.sine = {0.5, 1, pi / 2, -0.5};
    world.setJoints(joints);
    MotorEnergy result;
    const double energy_J = energyOf(world);
    double work_J = 0;
    for (int n = 0; n < steps; ++n) {
        world.step(dt_s);
        work_J += world.joints.work().motors;
        result.work_J = std::max(result.work_J, std::abs(work_J));
        result.unexplained_J = std::max(result.unexplained_J, std::abs(energyOf(world) - energy_J - work_J));
        const JointMeasure m = measureJoint(world, 1);
        result.tracking_rad = std::max(result.tracking_rad, std::abs(m.coordinate - m.target));
    }
    return result;
}

double holdWithHalfTheTorque(double dt_s, int steps)
{
    RigidWorld world = rodPendulum(0);
    Joint joint = world.joints.list[0];
    joint.damping = 2;
    joint.motor.drive = MotorDrive::coordinate;
    joint.motor.constant = -pi / 2;  // of the world relative to the rod
    joint.motor.limit = 0.5 * g_m_s2 * 0.5;
    world.setJoints({joint});
    for (int n = 0; n < steps; ++n) world.step(dt_s);
    return std::abs(swingAngle(world, 0)) * 180 / pi;
}

FigureMomentum moveFreeFigure(double dt_s, int steps)
{
    RigidWorld world = drivenFigure();
    FigureMomentum worst;
    const Vec3 start = centerOf(world);
    double linear = 0, angular = 0;
    for (int n = 0; n < steps; ++n) {
        world.step(dt_s);
        double sum = 0, turning = 0;
        for (int i = 0; i < world.moving(); ++i) {
            const double p = world.bodies[size_t(i)].mass_kg * length(world.state.bodies[size_t(i)].v_m_s);
            sum += p;
            turning += p * length(world.state.bodies[size_t(i)].x_m - start);
        }
        linear = std::max(linear, sum);
        angular = std::max(angular, turning);
        worst.linear = std::max(worst.linear, length(world.momentum()));
        worst.angular = std::max(worst.angular, length(world.angularMomentum()));
        worst.center_m = std::max(worst.center_m, length(centerOf(world) - start));
    }
    return {worst.linear / linear, worst.angular / angular, worst.center_m};
}

FallenFigure dropFigureOnSteps(double seconds)
{
    RigidWorld world = figureOnSteps();
    FallenFigure result;
    double last_J = energyOf(world);
    const double fall_J = last_J;  // above the floor
    for (int n = 0; n < int(120 * seconds); ++n) {
        world.step(1.0 / 120);
        const double now_J = energyOf(world);
        result.gain_of_fall = std::max(result.gain_of_fall, (now_J - last_J) / fall_J);
        last_J = now_J;
        result.gap_m = std::max(result.gap_m, measureJoints(world).gap_m);
    }
    result.speed_m_s = world.fastest();
    for (int i = 0; i < world.moving(); ++i) result.inside &= world.state.bodies[size_t(i)].x_m.y > 0;
    return result;
}

}  // namespace flotsam
