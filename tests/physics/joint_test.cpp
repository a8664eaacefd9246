// Joints, limits and motors against closed forms and conservation laws: docs/methods/joints.md.
#include <gtest/gtest.h>

#include <numbers>

#include "rigid/world.h"

using namespace flotsam;

namespace {

constexpr double g = 9.81, pi = std::numbers::pi;

RigidWorld worldWith(Vec3 gravity, double max_dt_s = 1) { return RigidWorld({gravity, max_dt_s, 10}); }

// A thin rod along y. Its collider is a ball so large that no step is split; nothing collides.
Body rod(double length_m, double mass_kg, double width_m = 1e-3)
{
    Body body = boxBody({width_m, length_m, width_m}, mass_kg / (width_m * width_m * length_m));
    body.collider = sphereCollider(0.4 * length_m);
    return body;
}

Joint joint(const RigidWorld& world, JointKind kind, int a, int b, Vec3 anchor_m, Vec3 axis = {0, 0, 1})
{
    Joint j;
    j.kind = kind;
    j.a = a;
    j.b = b;
    placeJoint({anchor_m, axis, {}, {}}, world.state.bodies[size_t(a)],
               b == world_body ? BodyState{} : world.state.bodies[size_t(b)], j);
    return j;
}

double energyOf(const RigidWorld& world) { return world.kineticEnergy() + world.potentialEnergy(); }

double gapOf(const RigidWorld& world)
{
    double gap = 0;
    for (size_t n = 0; n < world.joints.list.size(); ++n) {
        const Joint& j = world.joints.list[n];
        const JointRows rows =
            rowsOf(j, world.state.joints[n], poseOf(world.state.bodies, j.a), poseOf(world.state.bodies, j.b), false);
        for (int r = 0; r < rows.count; ++r) gap = std::max(gap, std::abs(rows.error[r]));
    }
    return gap;
}

// The angle of a rod that hangs at 0 and swings in x and y.
double angleOf(const RigidWorld& world, int body)
{
    const Vec3 down = matrixOf(world.state.bodies[size_t(body)].q) * Vec3{0, -1, 0};
    return std::atan2(down.x, -down.y);
}

Quat turnedAboutZ(double rad) { return quatOf(rotation({0, 0, rad})); }

RigidWorld rodPendulum(double angle_rad)
{
    RigidWorld world = worldWith({0, -g, 0});
    world.add(rod(1, 1), {0.5 * Vec3{std::sin(angle_rad), -std::cos(angle_rad), 0}, turnedAboutZ(angle_rad), {}, {}});
    world.setJoints({joint(world, JointKind::hinge, 0, world_body, {})});
    return world;
}

RigidWorld doublePendulum()
{
    RigidWorld world = worldWith({0, -g, 0});
    std::vector<Joint> joints;
    for (int i = 0; i < 2; ++i) {
        world.add(rod(1, 1), {{i + 0.5, 0, 0}, turnedAboutZ(pi / 2), {}, {}});
        joints.push_back(joint(world, JointKind::hinge, i, i - 1, {double(i), 0, 0}));
    }
    world.setJoints(joints);
    return world;
}

// Half the time between the first and the third passage through zero, by straight lines between steps.
double periodOf(RigidWorld world, double dt_s)
{
    std::vector<double> passed;
    double last = angleOf(world, 0);
    while (passed.size() < 3 && world.t_s() < 20) {
        world.step(dt_s);
        const double now = angleOf(world, 0);
        if (last * now < 0) passed.push_back(world.t_s() - dt_s * now / (now - last));
        last = now;
    }
    return passed.size() == 3 ? passed[2] - passed[0] : 0;
}

double doublePendulumError(int steps)
{
    RigidWorld world = doublePendulum();
    for (int n = 0; n < steps; ++n) world.step(1.0 / steps);
    return std::max(std::abs(angleOf(world, 0) + 1.20771624), std::abs(angleOf(world, 1) + 0.81439102));
}

}  // namespace

TEST(Joint, ARodPendulumHasItsPeriod)
{
    EXPECT_NEAR(periodOf(rodPendulum(0.01), 1.0 / 120), 1.637947, 1e-3 * 1.637947);
    EXPECT_NEAR(periodOf(rodPendulum(pi / 2), 1.0 / 120), 1.180341 * 1.637947, 1e-3 * 1.9);
}

TEST(Joint, ADoublePendulumIsOfSecondOrder)
{
    const double coarse = doublePendulumError(120), fine = doublePendulumError(240);
    EXPECT_LT(coarse, 2e-3);  // measured 1.2e-3
    EXPECT_LT(fine, 5e-4);    // measured 3.0e-4
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.1);
}

TEST(Joint, ADoublePendulumKeepsItsEnergy)
{
    RigidWorld world = doublePendulum();
    double worst = 0, gap = 0;
    for (int n = 0; n < 1200; ++n) {
        world.step(1.0 / 120);
        worst = std::max(worst, std::abs(energyOf(world)));
        gap = std::max(gap, gapOf(world));
    }
    EXPECT_LT(worst, 0.005 * 4 * g * 0.5);  // of the energy between the highest and the lowest pose; measured 0.07 %
    EXPECT_LT(gap, 1e-9);                   // measured 1e-15
}

TEST(Joint, ThreeBoxesOnBallJointsKeepEnergyAndSpinAboutTheVertical)
{
    RigidWorld world = worldWith({0, -g, 0});
    std::vector<Joint> joints;
    for (int i = 0; i < 3; ++i) {
        Body box = boxBody({0.2, 0.6, 0.1}, 1000);
        box.collider = sphereCollider(0.25);
        world.add(box, {{0.6 * i + 0.3, 0, 0}, turnedAboutZ(pi / 2), {0, 0, 1.0 * (0.6 * i + 0.3)}, {0, -1, 0}});
        joints.push_back(joint(world, JointKind::ball, i, i - 1, {0.6 * i, 0, 0}));
    }
    world.setJoints(joints);
    const double energy = energyOf(world), spin = world.angularMomentum().y;
    double worst = 0, lost = 0, gap = 0;
    for (int n = 0; n < 1200; ++n) {
        world.step(1.0 / 120);
        worst = std::max(worst, std::abs(world.angularMomentum().y - spin));
        lost = std::max(lost, std::abs(energyOf(world) - energy));
        gap = std::max(gap, gapOf(world));
    }
    EXPECT_LT(worst, 1e-8 * std::abs(spin));  // measured 3e-15
    EXPECT_LT(lost,
              0.005 * 36 * g * 1.8);  // measured 2.1 J, which is 0.66 % of the 318 J between the start and hanging
    EXPECT_LT(gap, 1e-9);
}

TEST(Joint, AFourBarLinkageSwingsWithItsPeriodAndStaysInItsPlane)
{
    RigidWorld world = worldWith({0, -g, 0});
    const double angle = 0.01;
    const Vec3 down{std::sin(angle), -std::cos(angle), 0};
    world.add(rod(1, 1), {0.5 * down, turnedAboutZ(angle), {}, {}});
    world.add(rod(1, 1), {Vec3{1, 0, 0} + 0.5 * down, turnedAboutZ(angle), {}, {}});
    world.add(rod(1, 1), {Vec3{0.5, 0, 0} + down, turnedAboutZ(pi / 2), {}, {}});
    world.setJoints(
        {joint(world, JointKind::hinge, 0, world_body, {}), joint(world, JointKind::hinge, 1, world_body, {1, 0, 0}),
         joint(world, JointKind::hinge, 2, 0, down), joint(world, JointKind::hinge, 2, 1, Vec3{1, 0, 0} + down)});
    EXPECT_NEAR(periodOf(world, 1.0 / 120), 1.831280, 1e-3 * 1.83);  // measured 1.831416
    double out = 0, gap = 0;
    for (int n = 0; n < 1200; ++n) {
        world.step(1.0 / 120);
        for (const BodyState& s : world.state.bodies) out = std::max(out, std::abs(s.x_m.z));
        gap = std::max(gap, gapOf(world));
    }
    EXPECT_LT(out, 1e-9);
    EXPECT_LT(gap, 1e-9);
}

// 100 links, length 1.5 m, span 1 m: rigid links hang at tan th_k = (W/H)(k - 50.5)/100.
TEST(Joint, AChainInEquilibriumStays)
{
    RigidWorld world = worldWith({0, -g, 0});
    std::vector<Joint> joints;
    const double length_m = 0.015, pull = 0.205487;
    const auto slope = [](double of_weight, int k) { return (k - 50.5) / 100 / of_weight; };
    // The horizontal pull that gives the span, by bisection.
    double low = 0.1, high = 0.4;
    for (int n = 0; n < 200; ++n) {
        const double h = 0.5 * (low + high);
        double span = 0;
        for (int k = 1; k <= 100; ++k) span += length_m / std::hypot(1.0, slope(h, k));
        (span < 1 ? low : high) = h;
    }
    EXPECT_NEAR(low, pull, 1e-6);
    Vec3 at;
    std::vector<Vec3> start;
    for (int k = 1; k <= 100; ++k) {
        const double angle = std::atan(slope(low, k));
        const Vec3 along = length_m * Vec3{std::cos(angle), std::sin(angle), 0};
        Body link = rod(length_m, 0.01, 1e-3);
        link.collider = sphereCollider(0.005);
        const int i = world.add(link, {at + 0.5 * along, turnedAboutZ(angle - pi / 2), {}, {}});
        joints.push_back(joint(world, JointKind::ball, i, i - 1, at));
        start.push_back(at + 0.5 * along);
        at += along;
    }
    joints.push_back(joint(world, JointKind::ball, 99, world_body, at));
    world.setJoints(joints);
    double drift = 0;
    for (int n = 0; n < 1200; ++n) {
        world.step(1.0 / 120);
        for (size_t i = 0; i < start.size(); ++i) drift = std::max(drift, length(world.state.bodies[i].x_m - start[i]));
    }
    EXPECT_LT(drift, 1e-6);  // measured 2e-15
}

// 50 links of 1 g with 10 kg at their end, released from the horizontal.
TEST(Joint, AChainWithAHeavyEndDoesNotStretch)
{
    RigidWorld world = worldWith({0, -g, 0}, 1.0 / 120);
    std::vector<Joint> joints;
    const double length_m = 0.02;
    for (int i = 0; i < 50; ++i) {
        Body link = rod(length_m, 0.001, 0.02);
        link.collider = sphereCollider(0.009);
        world.add(link, {{(i + 0.5) * length_m, 0, 0}, turnedAboutZ(pi / 2), {}, {}});
        joints.push_back(joint(world, JointKind::ball, i, i - 1, {i * length_m, 0, 0}));
    }
    world.add(sphereBody(0.05, 10 / (4.0 / 3 * pi * 1.25e-4)), {{1.05, 0, 0}, {}, {}, {}});
    joints.push_back(joint(world, JointKind::ball, 50, 49, {1, 0, 0}));
    world.setJoints(joints);
    double gap = 0, gained = 0;
    for (int n = 0; n < 120; ++n) {
        world.step(1.0 / 120);
        gap = std::max(gap, gapOf(world));
        gained = std::max(gained, energyOf(world));
        EXPECT_TRUE(world.joints.converged());
    }
    EXPECT_LT(gap, 1e-9);     // measured 2e-16
    EXPECT_LT(gained, 1e-9);  // of 103 J
    EXPECT_GT(energyOf(world), -0.01);
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
    EXPECT_NEAR(std::abs(angleOf(world, 0)) * 180 / pi, 30, 0.1);
    EXPECT_TRUE(world.joints.reports[0].limited);
    EXPECT_NEAR(std::abs(world.joints.reports[0].motor), 0.25 * g, 1e-6);
}

TEST(Joint, TheWorkOfAMotorIsTheGainOfEnergy)
{
    RigidWorld world = doublePendulum();
    std::vector<Joint> joints = world.joints.list;
    joints[1].motor.drive = MotorDrive::coordinate;
    joints[1].motor.sine = {0.5, 1, 0, 0};
    world.setJoints(joints);
    const double start = energyOf(world);
    double work = 0, lost = 0, most = 0;
    for (int n = 0; n < 600; ++n) {
        world.step(1.0 / 120);
        work += world.joints.work().motors;
        lost += world.joints.work().closing;
        most = std::max(most, std::abs(work));
        ASSERT_NEAR(energyOf(world) - start, work + lost, 1e-9 * most + 1e-9);
        const double t = world.t_s();
        ASSERT_NEAR(world.state.joints[1].coordinate, 0.5 * std::sin(2 * pi * t), 1e-11);
    }
    EXPECT_GT(most, 1);
    EXPECT_LT(std::abs(lost), 1e-3 * most);
}

TEST(Joint, MotorsDoNotChangeTheMomentumOfAFreeSkeleton)
{
    RigidWorld world = worldWith({});
    std::vector<Joint> joints;
    for (int i = 0; i < 5; ++i) {
        world.add(rod(1, 1 + i, 0.1), {{0, double(i), 0}, {}, {}, {}});
        if (i == 0) continue;
        joints.push_back(
            joint(world, JointKind::hinge, i, i - 1, {0, i - 0.5, 0}, {std::cos(1.0 * i), 0, std::sin(1.0 * i)}));
        joints.back().motor.drive = MotorDrive::coordinate;
        joints.back().motor.sine = {0.6, 0.7 + 0.2 * i, 1.0 * i, -0.6 * std::sin(1.0 * i)};
    }
    world.setJoints(joints);
    const auto center = [&] {
        Vec3 sum;
        double mass = 0;
        for (size_t i = 0; i < 5; ++i) {
            sum += world.bodies[i].mass_kg * world.state.bodies[i].x_m;
            mass += world.bodies[i].mass_kg;
        }
        return sum / mass;
    };
    const Vec3 start = center();
    double momentum = 0, spin = 0, fastest = 0;
    for (int n = 0; n < 1200; ++n) {
        world.step(1.0 / 120);
        momentum = std::max(momentum, length(world.momentum()));
        spin = std::max(spin, length(world.angularMomentum()));
        fastest = std::max(fastest, world.fastest());
    }
    EXPECT_GT(fastest, 1);
    EXPECT_LT(momentum, 1e-10 * 15 * fastest);
    EXPECT_LT(spin, 1e-10 * 15 * fastest);
    EXPECT_LT(length(center() - start), 1e-9);
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
    world.add(rod(1, 3), {{0.5 * std::sin(0.3), -0.5 * std::cos(0.3), 0}, turnedAboutZ(0.3), {}, {}});
    Joint j = joint(world, JointKind::hinge, 0, world_body, {});
    j.stiffness = 10;
    j.rest = 0.3;  // upright, where the angle of the world relative to the rod is 0.3
    world.setJoints({j});
    EXPECT_NEAR(periodOf(world, 1.0 / 240), 2 * pi * std::sqrt(1.0 / 10), 1e-3 * 2);
    double most = 0;
    for (int n = 0; n < 4800; ++n) {
        world.step(1.0 / 240);
        if (n > 4300) most = std::max(most, std::abs(angleOf(world, 0)));
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
    world.add(rod(1, 1), {{0, 0, 0}, {}, {}, {}});
    world.add(rod(1, 1), {{5, 0, 0}, {}, {}, {}});
    std::vector<Joint> joints{joint(world, JointKind::hinge, 0, world_body, {0, 0.5, 0}),
                              joint(world, JointKind::slider, 1, world_body, {5, 0, 0}, {1, 0, 0})};
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
        world.add(rod(1, 1), {{0, -0.5, 0}, {}, {}, {}});
        Joint j = joint(world, JointKind::ball, 0, world_body, {});
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
        if (i > 0) joints.push_back(joint(world, JointKind::ball, i, i - 1, {0.3 * i - 0.15, 0.3, 0}));
    }
    world.addWall({}, {0, 1, 0});
    world.setJoints(joints);
    const double start = energyOf(world);
    double gap = 0;
    for (int n = 0; n < 360; ++n) {
        world.step(1.0 / 120);
        gap = std::max(gap, gapOf(world));
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
    motor.smooth = false;
    EXPECT_NEAR(motor.valueAt(0.25), 0.5, 1e-15);
}
