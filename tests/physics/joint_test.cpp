// Joints, limits and motors against closed forms and conservation laws: docs/methods/joints.md.
#include <gtest/gtest.h>

#include <numbers>

#include "validation/joint_cases.h"

using namespace flotsam;

namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

RigidWorld worldWith(Vec3 gravity, double max_dt_s = 1) { return RigidWorld({gravity, max_dt_s, 10}); }

}  // namespace

TEST(Joint, ARodPendulumHasItsPeriod)
{
    EXPECT_NEAR(oscillate(rodPendulum(0.01), 1.0 / 120).period_s, 1.637947, 1e-3 * 1.637947);
    EXPECT_NEAR(oscillate(rodPendulum(pi / 2), 1.0 / 120).period_s, 1.180341 * 1.637947, 1e-3 * 1.9);
}

TEST(Joint, ADoublePendulumIsOfSecondOrder)
{
    const auto order = [](const RigidWorld& world, double first, double second) {
        const double coarse = doublePendulumError(world, first, second, 120),
                     fine = doublePendulumError(world, first, second, 240);
        EXPECT_LT(coarse, 2e-3);  // measured 1.2e-3
        EXPECT_LT(fine, 5e-4);    // measured 3.0e-4
        return std::log2(coarse / fine);
    };
    EXPECT_NEAR(order(doubleRodPendulum(), -1.20771624, -0.81439102), 2, 0.1);
    EXPECT_NEAR(order(doublePointPendulum(), -0.62508770, -1.03458509), 2, 0.1);
}

TEST(Joint, ADoublePendulumKeepsItsEnergy)
{
    RigidWorld world = doubleRodPendulum();
    const JointDrift drift = watch(world, 1.0 / 120, 1200);
    EXPECT_LT(drift.energy_J, 1e-6 * 2 * g);  // of the energy between the highest and the lowest pose
    EXPECT_LT(drift.gap_m, 1e-9);
}

TEST(Joint, ThreeBoxesOnBallJointsKeepEnergyAndSpinAboutTheVertical)
{
    RigidWorld world = spatialPendulum();
    const double spin = world.angularMomentum().y;
    const JointDrift drift = watch(world, 1.0 / 120, 1200);
    EXPECT_LT(drift.vertical, 1e-8 * std::abs(spin));
    EXPECT_LT(drift.energy_J, 1e-6 * 36 * g * 0.9);  // of the 318 J between the start and hanging
    EXPECT_LT(drift.gap_m, 1e-9);
}

TEST(Joint, AFourBarLinkageSwingsWithItsPeriodAndStaysInItsPlane)
{
    RigidWorld world = fourBarLinkage(0.01);
    EXPECT_NEAR(oscillate(world, 1.0 / 120).period_s, 1.831280, 1e-3 * 1.83);
    const JointDrift drift = watch(world, 1.0 / 120, 1200);
    EXPECT_LT(drift.out_of_plane_m, 1e-9);
    EXPECT_LT(drift.gap_m, 1e-9);
}

TEST(Joint, AChainInEquilibriumStays)
{
    HangingChain chain = hangingChain(100, 1.5, 1, true);
    EXPECT_NEAR(chain.sag_m, 0.502666, 1e-6);
    EXPECT_NEAR(chain.first_angle_deg, 67.4554, 1e-4);
    EXPECT_NEAR(chain.pull_of_weight, 0.205487, 1e-6);
    EXPECT_LT(watch(chain.world, 1.0 / 120, 600).displacement_m, 1e-6);
}

TEST(Joint, AChainWithAHeavyEndDoesNotStretch)
{
    RigidWorld world = heavyEndChain(50);
    const JointDrift drift = watch(world, 1.0 / 120, 120);
    EXPECT_TRUE(drift.converged);
    EXPECT_LT(drift.gap_m, 1e-9);
    EXPECT_LT(drift.energy_J, 1e-4 * 10 * g);  // of the energy of the fall
    EXPECT_LT(drift.gain_J, 1e-9 * 10 * g);
}

TEST(Joint, AMotorWithHalfTheNeededTorqueHoldsAtThirtyDegrees)
{
    RigidWorld world = rodPendulum(0);
    Joint j = world.joints.list[0];
    j.damping = 2;
    j.motor.drive = MotorDrive::coordinate;
    j.motor.constant = -pi / 2;  // of the world relative to the rod
    j.motor.limit = 0.5 * g * 0.5;
    world.setJoints({j});
    for (int n = 0; n < 2400; ++n) world.step(1.0 / 120);
    EXPECT_NEAR(std::abs(swingAngle(world, 0)) * 180 / pi, 30, 0.1);
    EXPECT_TRUE(world.joints.reports[0].limited);
    EXPECT_NEAR(std::abs(world.joints.reports[0].motor), 0.25 * g, 1e-6);
}

TEST(Joint, TheWorkOfAMotorIsTheGainOfEnergy)
{
    const MotorEnergy m = driveDoublePendulum(1.0 / 120, 600);
    EXPECT_GT(m.work_J, 1);
    EXPECT_LT(m.unexplained_J, 1e-9 * m.work_J);
    EXPECT_LT(m.tracking_rad, 1e-11);
}

TEST(Joint, MotorsDoNotChangeTheMomentumOfAFreeFigure)
{
    const FigureMomentum m = moveFreeFigure(1.0 / 120, 240);
    EXPECT_LT(m.linear, 1e-10);
    EXPECT_LT(m.angular, 1e-10);
    EXPECT_LT(m.center_m, 1e-9);
}

TEST(Joint, AHingeStopsAtItsLimit)
{
    RigidWorld world = rodPendulum(pi / 2);
    Joint j = world.joints.list[0];
    j.lowest = -1;
    j.highest = 1;
    world.setJoints({j});
    double largest = 0;
    for (int n = 0; n < 600; ++n) {
        world.step(1.0 / 120);
        largest = std::max(largest, std::abs(world.state.joints[0].coordinate));
    }
    EXPECT_LT(largest, 1 + 1e-9);
    EXPECT_NEAR(largest, 1, 1e-9);
    EXPECT_LT(world.kineticEnergy(), 1e-12);  // rests on the stop
}

TEST(Joint, AHingeSpringOscillatesWithItsPeriodAndKeepsItsEnergy)
{
    RigidWorld world = worldWith({});
    world.add(thinRod(1, 3), {{0.5 * std::sin(0.3), -0.5 * std::cos(0.3), 0}, quatOf(rotation({0, 0, 0.3})), {}, {}});
    Joint j = jointAt(world, JointKind::hinge, 0, world_body, {});
    j.stiffness = 10;
    j.rest = 0.3;  // upright, where the angle of the world relative to the rod is 0.3
    world.setJoints({j});
    EXPECT_NEAR(oscillate(world, 1.0 / 240).period_s, 2 * pi * std::sqrt(1.0 / 10), 1e-3 * 2);
    double most = 0;
    for (int n = 0; n < 4800; ++n) {
        world.step(1.0 / 240);
        if (n > 4300) most = std::max(most, std::abs(swingAngle(world, 0)));
    }
    EXPECT_NEAR(most, 0.3, 1e-3);
}

TEST(Joint, AServoReachesItsTarget)
{
    RigidWorld world = rodPendulum(0);
    world.params.gravity_m_s2 = {};
    Joint j = world.joints.list[0];
    j.motor.drive = MotorDrive::coordinate;
    j.motor.tracking = MotorTracking::servo;
    j.motor.constant = 0.7;
    j.motor.stiffness = 50;
    j.motor.damping = 8;
    world.setJoints({j});
    for (int n = 0; n < 600; ++n) world.step(1.0 / 120);
    EXPECT_NEAR(world.state.joints[0].coordinate, 0.7, 1e-6);
}

TEST(Joint, AMotorTurnsWithItsSpeedAndASliderMovesWithIt)
{
    RigidWorld world = worldWith({0, -g, 0});
    world.add(thinRod(1, 1), {{0, 0, 0}, {}, {}, {}});
    world.add(thinRod(1, 1), {{5, 0, 0}, {}, {}, {}});
    std::vector<Joint> joints{jointAt(world, JointKind::hinge, 0, world_body, {0, 0.5, 0}),
                              jointAt(world, JointKind::slider, 1, world_body, {5, 0, 0}, {1, 0, 0})};
    for (Joint& j : joints) {
        j.motor.drive = MotorDrive::speed;
        j.motor.constant = 3;
    }
    world.setJoints(joints);
    for (int n = 0; n < 240; ++n) world.step(1.0 / 120);
    EXPECT_NEAR(world.state.joints[0].coordinate, 6, 1e-9);
    EXPECT_NEAR(world.state.joints[1].coordinate, 6, 1e-9);
    EXPECT_NEAR(world.state.bodies[1].x_m.x, -1, 1e-9);
    EXPECT_NEAR(world.state.bodies[1].x_m.y, 0, 1e-9);
}

TEST(Joint, AJointBreaksAboveItsForce)
{
    for (const double of_weight : {0.9, 1.1}) {
        RigidWorld world = worldWith({0, -g, 0});
        world.add(thinRod(1, 1), {{0, -0.5, 0}, {}, {}, {}});
        Joint j = jointAt(world, JointKind::ball, 0, world_body, {});
        j.break_N = of_weight * g;
        world.setJoints({j});
        for (int n = 0; n < 60; ++n) world.step(1.0 / 120);
        EXPECT_EQ(world.state.joints[0].broken, of_weight < 1 ? 1 : 0);
        EXPECT_EQ(world.state.bodies[0].x_m.y < -0.6, of_weight < 1);
    }
}

TEST(Joint, JoinedBodiesRestOnTheGround)
{
    RigidWorld world({{0, -g, 0}, 1.0 / 120, 10});
    std::vector<Joint> joints;
    for (int i = 0; i < 4; ++i) {
        world.add(boxBody({0.28, 0.1, 0.1}, 500), {{0.3 * i, 0.3, 0}, {}, {}, {}});
        if (i > 0) joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {0.3 * i - 0.15, 0.3, 0}));
    }
    world.addWall({}, {0, 1, 0});
    world.setJoints(joints);
    const double start = energyOf(world);
    double gap = 0;
    for (int n = 0; n < 360; ++n) {
        world.step(1.0 / 120);
        gap = std::max(gap, measureJoints(world).gap_m);
        EXPECT_LT(energyOf(world), start + 1e-9);
    }
    EXPECT_LT(gap, 1e-6);
    EXPECT_LT(world.kineticEnergy(), 1e-6);
    for (size_t i = 0; i < 4; ++i) EXPECT_NEAR(world.state.bodies[i].x_m.y, 0.05, 2e-3);
}

TEST(Joint, KeyframesAreFollowed)
{
    Motor motor;
    motor.drive = MotorDrive::coordinate;
    motor.keyframes = {{0, 0}, {0.5, 1}, {1, 0}};
    motor.repeat = true;
    EXPECT_NEAR(motor.valueAt(0.5), 1, 1e-15);
    EXPECT_NEAR(motor.valueAt(2.5), 1, 1e-15);
    EXPECT_NEAR(motor.rateAt(0.5), 0, 1e-15);
    const double h = 1e-6;
    for (double t = 0.03; t < 1; t += 0.1)
        EXPECT_NEAR(motor.rateAt(t), (motor.valueAt(t + h) - motor.valueAt(t - h)) / (2 * h), 1e-7);
    // The rate is continuous where the keyframes start again.
    motor.keyframes = {{0, 0}, {0.3, 1}, {0.6, -1}, {1, 0}};
    EXPECT_NEAR(motor.rateAt(1), motor.rateAt(1 - 1e-9), 1e-6);
    EXPECT_NEAR(motor.rateAt(1), motor.rateAt(1 + 1e-9), 1e-6);
    EXPECT_GT(motor.rateAt(1), 1);
    motor.keyframes = {{0, 0}, {0.5, 1}, {1, 0}};
    motor.smooth = false;
    EXPECT_NEAR(motor.valueAt(0.25), 0.5, 1e-15);
}
