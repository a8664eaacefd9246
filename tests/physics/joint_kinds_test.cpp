// Every kind of joint and motor, and states that should be trivial.
#include <gtest/gtest.h>

#include <numbers>

#include "coupling/simulation.h"
#include "rigid/from_scene.h"
#include "tests/unit/temporary_folder.h"
#include "validation/joint_cases.h"

namespace flotsam {
namespace {

constexpr double g = 9.81, pi = std::numbers::pi, dt = 1.0 / 120;

RigidWorld worldWith(Vec3 gravity) { return RigidWorld({gravity, 1, 10}); }

RigidWorld worldOf(const std::string& scene)
{
    TemporaryFolder folder;
    return makeWorld(loadScene(folder.add("scene.toml", scene)));
}

const std::string plane = "[domain]\ncells = [32, 32, 1]\nwidth_m = 1\nopen = [\"-x\", \"+x\", \"-y\", \"+y\"]\n";

TEST(JointKinds, APlanarHingeSwingsWithItsPeriodInItsPlane)
{
    RigidWorld world = worldOf(plane + R"(
[[body]]
name = "rod"
box = { size_m = [0.02, 0.3, 0.1] }
density_kg_m3 = 500
position_m = [0.5015, 0.35, 0]
rotation_deg = [0, 0, 0.572957795]
[[joint]]
kind = "hinge"
bodies = ["rod", "world"]
anchor_m = [0.5, 0.5, 0]
)");
    const double d = 0.15, inertia = (0.3 * 0.3 + 0.02 * 0.02) / 12 + d * d;
    const double z = world.state.bodies[0].x_m.z;
    const Oscillation swing = oscillate(world, 1.0 / 480);
    EXPECT_NEAR(swing.period_s, 2 * pi * std::sqrt(inertia / (g * d)), 2e-3);
    EXPECT_LT(swing.gap_m, 1e-12);
    for (int n = 0; n < 240; ++n) world.step(dt);
    EXPECT_EQ(world.state.bodies[0].x_m.z, z);
    EXPECT_EQ(world.state.bodies[0].w_rad_s.x, 0);
}

TEST(JointKinds, APlanarSliderFallsAlongItsAxisWithoutRotation)
{
    RigidWorld world = worldOf(plane + R"(
[[body]]
name = "sledge"
box = { size_m = [0.1, 0.05, 0.1] }
density_kg_m3 = 500
position_m = [0.2, 0.8, 0]
[[joint]]
kind = "slider"
bodies = ["sledge", "world"]
anchor_m = [0.25, 0.85, 0]
axis = [0.8, -0.6, 0]
)");
    for (int n = 0; n < 60; ++n) world.step(dt);
    const double gone = 0.5 * 0.6 * g * 0.25;
    EXPECT_NEAR(world.state.bodies[0].x_m.x, 0.2 + 0.8 * gone, 1e-9);
    EXPECT_NEAR(world.state.bodies[0].x_m.y, 0.8 - 0.6 * gone, 1e-9);
    EXPECT_NEAR(world.state.bodies[0].q.z, 0, 1e-12);
    EXPECT_NEAR(measureJoint(world, 0).coordinate, -gone, 1e-9);  // of the world relative to the sledge
}

// Without gravity a rod that is hinged at one end takes the other half of itself along.
TEST(JointKinds, APlanarFixedJointHoldsTheAngle)
{
    for (const char* axis : {"", "axis = [1, 0, 0]\n", "axis = [0, 0, 1]\n"}) {
        RigidWorld world = worldOf(plane + R"(
gravity_m_s2 = [0, 0, 0]
[[body]]
name = "inner"
box = { size_m = [0.2, 0.02, 0.1] }
density_kg_m3 = 500
position_m = [0.4, 0.5, 0]
rotation_deg = [0, 0, 30]
spin_rad_s = [0, 0, 2]
[[body]]
name = "outer"
box = { size_m = [0.2, 0.02, 0.1] }
density_kg_m3 = 500
position_m = [0.6, 0.5, 0]
[[joint]]
kind = "fixed"
bodies = ["inner", "outer"]
anchor_m = [0.5, 0.5, 0]
)" + axis);
        for (int n = 0; n < 60; ++n) world.step(dt);
        const auto angle = [&](size_t i) { return 2 * std::asin(world.state.bodies[i].q.z); };
        EXPECT_NEAR(angle(0) - angle(1), pi / 6, 1e-9) << axis;
        EXPECT_NEAR(world.state.bodies[0].w_rad_s.z, world.state.bodies[1].w_rad_s.z, 1e-9) << axis;
    }
}

TEST(JointKinds, ABallStaysWithinItsSwingAndTwistLimits)
{
    RigidWorld world = worldWith({3, -g, 1});
    world.add(boxBody({0.1, 1, 0.2}, 100), {{0, -0.5, 0}, {}, {}, {0, 4, 0}});
    Joint joint = jointAt(world, JointKind::ball, 0, world_body, {}, {0, 1, 0});
    joint.swing_limit_rad = 0.2;
    joint.lowest_twist_rad = -0.5;
    joint.highest_twist_rad = 0.5;
    world.setJoints({joint});
    double swing = 0, twist = 0;
    for (int n = 0; n < 480; ++n) {
        world.step(dt);
        const JointRows rows = rowsOf(joint, world.state.joints[0], poseOf(world.state.bodies, 0), Pose{}, false);
        if (rows.axis.exists) swing = std::max(swing, rows.axis.value);
        twist = std::max(twist, std::abs(rows.twist.value));
    }
    EXPECT_NEAR(swing, 0.2, 1e-6);
    EXPECT_NEAR(twist, 0.5, 1e-6);
    EXPECT_LT(measureJoints(world).gap_m, 1e-12);
}

TEST(JointKinds, AUniversalJointKeepsItsAxesPerpendicularAndItsEnergy)
{
    RigidWorld world = worldWith({0, -g, 0});
    world.add(boxBody({0.1, 0.6, 0.2}, 500), {{0, -0.3, 0}, {}, {0.3, 0, 0.6}, {2, 0, 1}});
    Joint joint;
    joint.kind = JointKind::universal;
    joint.b = world_body;
    placeJoint({{}, {1, 0, 0}, {0, 0, 1}, {}}, world.state.bodies[0], {}, joint);
    world.setJoints({joint});
    world.step(dt);  // the first step makes the velocities agree with the joint
    const JointDrift drift = watch(world, dt, 600);
    EXPECT_LT(drift.gap_m, 1e-12);
    EXPECT_LT(drift.tilt_rad, 1e-12);
    EXPECT_LT(drift.energy_J, 1e-8);
    // It does not rotate about the direction perpendicular to both axes.
    const Mat3 r = matrixOf(world.state.bodies[0].q);
    const Vec3 first{1, 0, 0}, second = r * Vec3{0, 0, 1};
    EXPECT_LT(std::abs(dot(first, second)), 1);
}

TEST(JointKinds, TwoHalvesOnAFixedJointMoveAsOneBox)
{
    const BodyState start{{}, {}, {1, 2, 3}, {0.5, 4, 1}};
    RigidWorld one = worldWith({0, -g, 0}), two = worldWith({0, -g, 0});
    one.add(boxBody({0.4, 0.1, 0.2}, 700), start);
    for (const double x : {-0.1, 0.1})
        two.add(boxBody({0.2, 0.1, 0.2}, 700),
                {{x, 0, 0}, {}, start.v_m_s + cross(start.w_rad_s, {x, 0, 0}), start.w_rad_s});
    two.setJoints({jointAt(two, JointKind::fixed, 1, 0, {})});
    for (int n = 0; n < 240; ++n) {
        one.step(1.0 / 240);
        two.step(1.0 / 240);
    }
    const Vec3 center = 0.5 * (two.state.bodies[0].x_m + two.state.bodies[1].x_m);
    EXPECT_LT(length(center - one.state.bodies[0].x_m), 1e-12);
    EXPECT_LT(length(two.state.bodies[0].w_rad_s - one.state.bodies[0].w_rad_s), 5e-3);
    EXPECT_LT(measureJoint(two, 0).gap_m + measureJoint(two, 0).tilt_rad, 1e-11);
}

TEST(JointKinds, AJointToAMovingSolidFollowsIt)
{
    RigidWorld world = worldWith({0, -g, 0});
    world.add(thinRod(1, 1), {{0, -0.5, 0}, {}, {0.7, 0, 0}, {}});
    world.add(boxBody({0.1, 0.1, 0.1}, 500), {{5.3, 0, 0}, {}, {0, 0, -0.6}, {0, 2, 0}});
    Body carriage;
    carriage.collider = boxCollider({0.01, 0.01, 0.01});
    const int moves = world.addPrescribed(carriage, {{}, {}, {}, {0.7, 0, 0}, {}});
    const int turns = world.addPrescribed(carriage, {{5, 0, 0}, {}, {5, 0, 0}, {}, {0, 2, 0}});
    world.setJoints(
        {jointAt(world, JointKind::hinge, 0, moves, {}), jointAt(world, JointKind::fixed, 1, turns, {5.15, 0, 0})});
    for (int n = 0; n < 240; ++n) world.step(dt);
    EXPECT_LT(length(world.state.bodies[0].x_m - Vec3{1.4, -0.5, 0}), 1e-9);  // hangs still below the carriage
    EXPECT_LT(length(world.state.bodies[1].x_m - Vec3{5 + 0.3 * std::cos(4.0), 0, -0.3 * std::sin(4.0)}), 1e-9);
    EXPECT_LT(measureJoints(world).gap_m, 1e-12);
}

TEST(JointKinds, AnExplicitMotorReachesItsTarget)
{
    RigidWorld world = worldWith({});
    world.add(thinRod(1, 3), {{0, -0.5, 0}, {}, {}, {}});
    Joint joint = jointAt(world, JointKind::hinge, 0, world_body, {});
    joint.motor.drive = MotorDrive::coordinate;
    joint.motor.tracking = MotorTracking::pd;
    joint.motor.constant = 0.7;
    joint.motor.stiffness = 50;
    joint.motor.damping = 8;
    world.setJoints({joint});
    for (int n = 0; n < 600; ++n) world.step(dt);
    EXPECT_NEAR(world.state.joints[0].coordinate, 0.7, 1e-6);
}

// The law of two steps is dead-beat: a wrong start is corrected within two steps, and never comes back.
TEST(JointKinds, TheLawOfTwoStepsReachesItsTargetInTwoSteps)
{
    RigidWorld world = rodPendulum(0);
    Joint joint = world.joints.list[0];
    joint.motor.drive = MotorDrive::coordinate;
    joint.motor.tracking = MotorTracking::two_step;
    joint.motor.sine = {0.3, 1, 0.5, 0.1};
    world.setJoints({joint});
    for (int n = 0; n < 240; ++n) {
        world.step(dt);
        const JointMeasure m = measureJoint(world, 0);
        if (n == 0) {
            EXPECT_GT(std::abs(m.coordinate - m.target), 0.1);
        } else {
            EXPECT_NEAR(m.coordinate, m.target, 1e-9);
        }
    }
}

TEST(JointKinds, AProgramOfSpeedsIsFollowed)
{
    RigidWorld world = rodPendulum(0);
    Joint joint = world.joints.list[0];
    joint.motor.drive = MotorDrive::speed;
    joint.motor.smooth = false;
    joint.motor.keyframes = {{0, 0}, {1, 2}, {2, 2}};
    world.setJoints({joint});
    for (int n = 0; n < 240; ++n) world.step(dt);
    EXPECT_NEAR(world.state.joints[0].coordinate, 1 + 2, 1e-9);
    EXPECT_NEAR(measureJoint(world, 0).rate, 2, 1e-9);
}

TEST(JointStates, AMirroredMechanismMovesAsItsMirrorImage)
{
    RigidWorld world = spatialPendulum(), mirrored = spatialPendulum();
    for (BodyState& s : mirrored.state.bodies) {
        s.v_m_s.z = -s.v_m_s.z;
        s.w_rad_s = {-s.w_rad_s.x, -s.w_rad_s.y, s.w_rad_s.z};
    }
    for (int n = 0; n < 120; ++n) {
        world.step(dt);
        mirrored.step(dt);
    }
    for (size_t i = 0; i < 3; ++i) {
        const Vec3 x = world.state.bodies[i].x_m, m = mirrored.state.bodies[i].x_m;
        EXPECT_LT(length(Vec3{x.x, x.y, -x.z} - m), 1e-11);
    }
}

TEST(JointStates, LinksOfAMilligramAndOfATonMoveTogether)
{
    RigidWorld world = worldWith({0, -g, 0});
    std::vector<Joint> joints;
    for (int i = 0; i < 6; ++i) {
        world.add(thinRod(0.2, i % 2 ? 1e3 : 1e-6, 0.05),
                  {{0.2 * i + 0.1, 0, 0}, quatOf(rotation({0, 0, pi / 2})), {}, {}});
        joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {0.2 * i, 0, 0}));
    }
    world.setJoints(joints);
    const JointDrift drift = watch(world, dt, 240);
    EXPECT_TRUE(drift.finite);
    EXPECT_LT(drift.gap_m, 1e-9);
    EXPECT_LT(drift.energy_J, 0.005 * 3e3 * g * 0.6);  // of the fall; the last link lashes out within a few steps
    EXPECT_LT(drift.gain_J, 1e-6 * 3e3 * g * 0.6);
}

TEST(JointStates, LimitsWithoutARangeHoldTheJoint)
{
    RigidWorld world = rodPendulum(pi / 2);
    Joint joint = world.joints.list[0];
    joint.lowest = joint.highest = 0;
    world.setJoints({joint});
    const JointDrift drift = watch(world, dt, 240);
    EXPECT_TRUE(drift.finite);
    EXPECT_LT(drift.displacement_m, 1e-9);
}

TEST(JointStates, AMotorThatAimsBeyondTheLimitsStopsThere)
{
    for (const double limit : {std::numeric_limits<double>::infinity(), 20.0}) {
        RigidWorld world = rodPendulum(0);
        Joint joint = world.joints.list[0];
        joint.lowest = -0.2;
        joint.highest = 0.2;
        joint.motor.drive = MotorDrive::coordinate;
        joint.motor.sine = {0.5, 1, pi / 2, -0.5};
        joint.motor.limit = limit;
        world.setJoints({joint});
        double lowest = 0;
        for (int n = 0; n < 240; ++n) {
            world.step(dt);
            lowest = std::min(lowest, world.state.joints[0].coordinate);
            ASSERT_TRUE(std::isfinite(world.kineticEnergy()));
        }
        EXPECT_NEAR(lowest, -0.2, 1e-9);
    }
}

TEST(JointStates, LongStepsAreDividedUntilTheyConverge)
{
    RigidWorld world = heavyEndChain(30);
    world.params.max_dt_s = 1.0 / 20;
    const double start = energyOf(world);
    double gap = 0;
    for (int n = 0; n < 20; ++n) {
        world.step(1.0 / 20);
        gap = std::max(gap, measureJoints(world).gap_m);
        EXPECT_LT(energyOf(world), start + 1e-6);
    }
    EXPECT_LT(gap, 1e-9);
}

// A straight chain between two fixed points cannot move, and no finite force holds it.
TEST(JointStates, AMechanismWithoutASolutionIsReportedAndStaysFinite)
{
    RigidWorld world = worldWith({0, -g, 0});
    std::vector<Joint> joints;
    for (int i = 0; i < 3; ++i) {
        world.add(thinRod(1, 1, 0.05), {{i + 0.5, 0, 0}, quatOf(rotation({0, 0, pi / 2})), {}, {}});
        joints.push_back(jointAt(world, JointKind::ball, i, i - 1, {double(i), 0, 0}));
    }
    joints.push_back(jointAt(world, JointKind::ball, 2, world_body, {3, 0, 0}));
    world.setJoints(joints);
    bool converged = true;
    for (int n = 0; n < 5; ++n) {
        world.step(dt);
        converged = converged && world.joints.converged();
    }
    EXPECT_FALSE(converged);
    EXPECT_LT(world.fastest(), 10);
    EXPECT_LT(measureJoints(world).gap_m, 1e-2);
}

TEST(JointStates, AFigureComesToRestOnSteps)
{
    const FallenFigure figure = dropFigureOnSteps(6);
    EXPECT_LT(figure.gap_m, 1e-6);
    EXPECT_LT(figure.gain_of_fall, 1e-6);
    EXPECT_LT(figure.speed_m_s, 0.1);
    EXPECT_TRUE(figure.inside);
}

TEST(JointStates, HingedPlatesThinnerThanACellMoveInWater)
{
    TemporaryFolder folder;
    Simulation sim(loadScene(folder.add("scene.toml", R"(
[domain]
cells = [16, 16, 16]
width_m = 1
[[liquid.region]]
pool = { depth_m = 0.5 }
[[body]]
name = "left"
box = { size_m = [0.2, 0.01, 0.2] }
density_kg_m3 = 800
position_m = [0.39, 0.6, 0.5]
[[body]]
name = "right"
box = { size_m = [0.2, 0.01, 0.2] }
density_kg_m3 = 800
position_m = [0.61, 0.6, 0.5]
[[joint]]
kind = "hinge"
bodies = ["left", "right"]
anchor_m = [0.5, 0.6, 0.5]
)")));
    double gap = 0;
    for (int frame = 1; frame <= 10; ++frame)
        while (sim.t_s() < frame / 30.0 - 1e-9) {
            sim.stepTowards(frame / 30.0);
            gap = std::max(gap, measureJoints(sim.world).gap_m);
        }
    EXPECT_LT(gap, 1e-9);
    EXPECT_LT(sim.world.fastest(), 10);
    for (int i = 0; i < 2; ++i) EXPECT_LT(sim.world.state.bodies[size_t(i)].x_m.y, 0.6);
}

// With the pressure, the bodies and their joints in one system; two and three dimensions.
const std::string still_tank = R"(
[coupling]
method = "monolithic"
[[liquid.region]]
pool = { depth_m = 0.4 }
)";
const std::string tanks[] = {"[domain]\ncells = [32, 24, 1]\nwidth_m = 0.96\n",
                             "[domain]\ncells = [32, 24, 8]\nwidth_m = 0.96\n"};

struct JointsInWater {
    double gap_m = 0, liquid_m_s = 0;  // the largest gap; the fastest liquid in the second half
    std::vector<BodyState> bodies;
};
JointsInWater keepInWater(const std::string& scene, double seconds)
{
    TemporaryFolder folder;
    Simulation sim(loadScene(folder.add("scene.toml", scene)));
    JointsInWater r;
    while (sim.t_s() < seconds - 1e-9) {
        const StepReport step = sim.stepTowards(seconds);
        r.gap_m = std::max(r.gap_m, measureJoints(sim.world).gap_m);
        if (sim.t_s() > 0.5 * seconds) r.liquid_m_s = std::max(r.liquid_m_s, step.liquid.max_speed_m_s);
    }
    r.bodies = sim.world.state.bodies;
    return r;
}

TEST(JointsInWater, TwoHingedBoardsAtTheirDraftLeaveTheWaterStill)
{
    for (const std::string& tank : tanks) {
        const JointsInWater r = keepInWater(tank + still_tank + R"(
[[body]]
name = "left"
box = { size_m = [0.2, 0.12, 0.12] }
density_kg_m3 = 500
position_m = [0.34, 0.4, 0.12]
[[body]]
name = "right"
box = { size_m = [0.2, 0.12, 0.12] }
density_kg_m3 = 500
position_m = [0.62, 0.4, 0.12]
[[joint]]
kind = "hinge"
bodies = ["left", "right"]
anchor_m = [0.48, 0.4, 0.12]
)",
                                            1);
        EXPECT_LT(r.liquid_m_s, 1e-3);  // 8e-4
        EXPECT_LT(r.gap_m, 1e-9);
        EXPECT_NEAR(r.bodies[0].x_m.y, 0.4, 3e-4);  // 2e-5; a hundredth of a cell
        EXPECT_NEAR(r.bodies[1].x_m.y, 0.4, 3e-4);
    }
}

TEST(JointsInWater, ARodThatHangsFromTheWorldHangsStill)
{
    for (const std::string& tank : tanks) {
        const JointsInWater r = keepInWater(tank + still_tank + R"(
[[body]]
name = "rod"
box = { size_m = [0.06, 0.3, 0.06] }
density_kg_m3 = 2000
position_m = [0.48, 0.4, 0.12]
[[joint]]
kind = "ball"
bodies = ["rod", "world"]
anchor_m = [0.48, 0.55, 0.12]
)",
                                            1);
        EXPECT_LT(r.liquid_m_s, 1e-3);
        EXPECT_LT(r.gap_m, 1e-9);
        EXPECT_NEAR(r.bodies[0].x_m.x, 0.48, 1e-4);
    }
}

// A cork on a rod below the water: held down by the joint, and released where there is none.
TEST(JointsInWater, AJointHoldsACorkUnderWater)
{
    const std::string cork = R"(
[[body]]
name = "cork"
box = { size_m = [0.12, 0.12, 0.12] }
density_kg_m3 = 200
position_m = [0.48, 0.2, 0.12]
)";
    const std::string held = R"(
[[joint]]
kind = "fixed"
bodies = ["cork", "world"]
anchor_m = [0.48, 0.2, 0.12]
)";
    for (const std::string& tank : tanks) {
        const JointsInWater r = keepInWater(tank + still_tank + cork + held, 0.5);
        EXPECT_LT(r.liquid_m_s, 1e-3);
        EXPECT_NEAR(r.bodies[0].x_m.y, 0.2, 1e-6);
        EXPECT_GT(keepInWater(tank + still_tank + cork, 0.5).bodies[0].x_m.y, 0.3);
    }
}

TEST(JointScenes, TheirJointsStayClosed)
{
    for (const std::string name :
         {"four_bar", "wrecking_ball", "ragdoll", "clockwork", "excavator", "suspension_bridge"}) {
        RigidWorld world = makeWorld(loadScene(FLOTSAM_SOURCE_DIR "/scenes/" + name + ".toml"));
        const JointDrift drift = watch(world, 1.0 / 60, 90);
        EXPECT_LT(drift.gap_m, 1e-9) << name;
        EXPECT_TRUE(drift.converged && drift.finite) << name;
    }
}

}  // namespace
}  // namespace flotsam
