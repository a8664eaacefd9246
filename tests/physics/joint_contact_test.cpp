// Joints, motors and stops of bodies that touch something.
#include <gtest/gtest.h>

#include <numbers>

#include "rigid/joint_measure.h"
#include "validation/mechanisms.h"

namespace flotsam {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi, dt = 1.0 / 120;

RigidWorld onGround() { return RigidWorld({{0, -g, 0}, dt, 10}); }

Joint withTorque(Joint joint, double speed_rad_s, double largest_N_m)
{
    joint.motor.drive = MotorDrive::speed;
    joint.motor.constant = speed_rad_s;
    joint.motor.limit = largest_N_m;
    return joint;
}

// Its four motors never reach their speed: each pushes with its torque over the radius of the wheel.
TEST(JointContact, AWagonAcceleratesByTheTorqueOfItsMotors)
{
    constexpr double radius_m = 0.1, torque_N_m = 0.1;
    RigidWorld world = onGround();
    std::vector<Joint> joints;
    const int bed = world.add(boxBody({0.5, 0.06, 0.3}, 500), {{0, 0.14, 0}, {}, {}, {}});
    for (const double x : {-0.15, 0.15})
        for (const double z : {-0.2, 0.2}) {
            Body wheel = cylinderBody(radius_m, 0.05, 500);
            wheel.friction = 0.9;
            wheel.restitution = 0;
            const int i = world.add(wheel, {{x, radius_m, z}, quatOf(rotation({pi / 2, 0, 0})), {}, {}});
            joints.push_back(
                withTorque(jointAt(world, JointKind::hinge, bed, i, {x, radius_m, z}), -1000, torque_N_m));
        }
    world.addWall({}, {0, 1, 0});
    world.setJoints(joints);
    double work_J = 0;
    for (int n = 0; n < 180; ++n) {
        world.step(dt);
        work_J += world.joints.work().motors;
    }
    double kg = 0, turning_kg = 0;
    for (int i = 0; i < world.moving(); ++i) kg += world.bodies[size_t(i)].mass_kg;
    for (int i = 1; i < world.moving(); ++i) turning_kg += 0.5 * world.bodies[size_t(i)].mass_kg;
    const double speed_m_s = 1.5 * 4 * torque_N_m / radius_m / (kg + turning_kg);
    EXPECT_NEAR(world.state.bodies[0].v_m_s.x / speed_m_s, 1, 0.01);
    EXPECT_NEAR(work_J / world.kineticEnergy(), 1, 0.02);
}

TEST(JointContact, ALeverPressesOnTheGroundWithTheTorqueOfItsMotor)
{
    RigidWorld world = onGround();
    Body beam = boxBody({0.6, 0.06, 0.1}, 300);
    beam.friction = 0;
    const int lever = world.add(beam, {{0, 0.2, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    world.setJoints({withTorque(jointAt(world, JointKind::hinge, lever, world_body, {-0.3, 0.2, 0}), 2, 20)});
    for (int n = 0; n < 360; ++n) world.step(dt);
    const JointReport& report = world.joints.reports[0];
    EXPECT_TRUE(report.limited);
    EXPECT_NEAR(report.motor, 20, 1e-9);
    EXPECT_NEAR(report.motor_W, 0, 1e-9);
    EXPECT_LT(world.fastest(), 1e-9);
    // The ground supports the lower edge of its end against the weight and the motor.
    const double kg = world.bodies[0].mass_kg, angle = std::abs(world.state.joints[0].coordinate);
    const double reach_m = 0.6 * std::cos(angle) - 0.03 * std::sin(angle);
    const double support_N = kg * g + report.force_N.y;
    EXPECT_NEAR(support_N, (20 + kg * g * 0.3 * std::cos(angle)) / reach_m, 0.1);
}

TEST(JointContact, ADoorHitByABallStopsAtItsLimit)
{
    RigidWorld world({{}, dt, 10});
    Body door = boxBody({0.8, 1, 0.04}, 500), ball = sphereBody(0.1, 500);
    door.restitution = ball.restitution = 0.5;
    world.add(door, {{0.4, 0, 0}, {}, {}, {}});
    world.add(ball, {{0.7, 0, -0.4}, {}, {0, 0, 4}, {}});
    Joint hinge = jointAt(world, JointKind::hinge, 0, world_body, {}, {0, 1, 0});
    hinge.lowest = -pi / 3;
    hinge.highest = pi / 3;
    world.setJoints({hinge});
    double last_J = world.kineticEnergy(), farthest = 0;
    for (int n = 0; n < 360; ++n) {
        world.step(dt);
        farthest = std::max(farthest, std::abs(world.state.joints[0].coordinate));
        EXPECT_LE(world.kineticEnergy(), last_J * (1 + 1e-12));
        last_J = world.kineticEnergy();
    }
    EXPECT_NEAR(farthest, pi / 3, 1e-9);
    EXPECT_LT(measureJoints(world).gap_m, 1e-12);
}

TEST(JointContact, AChainAndATableRestWithoutMoving)
{
    RigidWorld world = onGround();
    std::vector<Joint> joints;
    for (int i = 0; i < 4; ++i) {
        world.add(capsuleBody(0.05, 0.2, 500), {{0.3 * i, 0.05, 0}, quatOf(rotation({0, 0, -pi / 2})), {}, {}});
        if (i > 0) joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {0.3 * i - 0.15, 0.05, 0}));
    }
    const int top = world.add(boxBody({0.8, 0.05, 0.6}, 500), {{0, 0.525, 2}, {}, {}, {}});
    for (const double x : {-0.3, 0.3})
        for (const double z : {1.8, 2.2}) {
            const int leg = world.add(boxBody({0.06, 0.5, 0.06}, 500), {{x, 0.25, z}, {}, {}, {}});
            joints.push_back(jointAt(world, JointKind::fixed, top, leg, {x, 0.5, z}));
        }
    world.addWall({}, {0, 1, 0});
    world.setJoints(joints);
    const auto start = world.state.bodies;
    for (int n = 0; n < 1200; ++n) world.step(dt);
    for (int i = 0; i < world.moving(); ++i)
        EXPECT_LT(length(world.state.bodies[size_t(i)].x_m - start[size_t(i)].x_m), 1e-3) << i;  // 1e-10, 1e-4 measured
    EXPECT_LT(world.fastest(), 1e-6);
}

}  // namespace
}  // namespace flotsam
