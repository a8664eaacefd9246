// The impulses on each body by kind: their sum is the change of its momentum, and each kind is what its name says.
#include <gtest/gtest.h>

#include "validation/mechanisms.h"
#include "validation/rigid_cases.h"

namespace flotsam {
namespace {

constexpr double dt_s = 1.0 / 120;

Vec3 angularOf(const RigidWorld& world, size_t i)
{
    const Body& b = world.bodies[i];
    const BodyState& s = world.state.bodies[i];
    return rotated(matrixOf(s.q) * b.body_from_principal, b.moments_kg_m2) * s.w_rad_s;
}

struct Unexplained {
    double linear = 0, angular = 0;  // the largest of any step, relative to the largest impulse
};

// Momentum that gravity and the impulses do not explain. Bodies that are pushed apart are turned without an impulse.
Unexplained unexplainedOf(int steps, RigidWorld& world)
{
    Unexplained most;
    double linear_size = 0, angular_size = 0;
    for (int n = 0; n < steps; ++n) {
        const RigidWorld before = world;
        world.step(dt_s);
        for (size_t i = 0; i < size_t(world.moving()); ++i) {
            const ImpulsesByKind& by = world.impulses()[i];
            const Impulse sum = by.touching() + by.joined();
            const double mass = world.bodies[i].mass_kg;
            const Vec3 p =
                mass * (world.state.bodies[i].v_m_s - before.state.bodies[i].v_m_s - dt_s * world.params.gravity_m_s2);
            const Vec3 l = angularOf(world, i) - angularOf(before, i);
            linear_size = std::max({linear_size, length(sum.linear_N_s), mass * dt_s * 9.81});
            angular_size = std::max(angular_size, length(sum.angular_N_m_s));
            most.linear = std::max(most.linear, length(p - sum.linear_N_s));
            most.angular = std::max(most.angular, length(l - sum.angular_N_m_s));
        }
    }
    return {most.linear / linear_size, most.angular / angular_size};
}

TEST(RigidImpulses, OfAFallingStackExplainItsMomentum)
{
    RigidWorld world;
    for (int i = 0; i < 4; ++i) {
        Body box = boxBody({0.2, 0.1, 0.2}, 700);
        box.restitution = 0.4;
        world.add(box, {{0.5 + 0.01 * i, 0.1 + 0.15 * i, 0.5}, {}, {}, {}});
    }
    world.addWall({}, {0, 1, 0});
    const Unexplained left = unexplainedOf(120, world);
    EXPECT_LT(left.linear, 1e-12);
    EXPECT_LT(left.angular, 1e-3);  // bodies that are pushed apart are turned
}

TEST(RigidImpulses, OfAFigureWithMotorsExplainItsMomentum)
{
    RigidWorld world = drivenFigure();
    world.params.gravity_m_s2 = {};
    const Unexplained left = unexplainedOf(60, world);
    EXPECT_LT(left.linear, 1e-10);
    EXPECT_LT(left.angular, 1e-10);
    double motors = 0;
    for (const ImpulsesByKind& by : world.impulses()) motors = std::max(motors, length(by.motors.angular_N_m_s));
    EXPECT_GT(motors, 0);
}

TEST(RigidImpulses, OfAFigureOnStepsExplainItsMomentum)
{
    RigidWorld world = figureOnSteps();
    const Unexplained left = unexplainedOf(240, world);
    EXPECT_LT(left.linear, 1e-9);
}

// A box at rest: contacts carry exactly its weight, and nothing else acts.
TEST(RigidImpulses, OfABoxAtRestAreItsWeightInContacts)
{
    RigidWorld world;
    world.add(boxBody({0.2, 0.2, 0.2}, 500), {{0, 0.1, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    for (int n = 0; n < 60; ++n) world.step(dt_s);
    const ImpulsesByKind& by = world.impulses()[0];
    EXPECT_NEAR(by.contacts.linear_N_s.y, 4 * 9.81 * dt_s, 1e-12);
    for (const Impulse& none : {by.bounces, by.joints, by.motors, by.energy_limit})
        EXPECT_LT(length(none.linear_N_s) + length(none.angular_N_m_s), 1e-15);  // measured 8e-18
}

// An elastic ball: the impulse of its bounce is twice its momentum, and no contact acts.
TEST(RigidImpulses, OfAnElasticBallAreBounces)
{
    RigidWorld world;
    world.params.gravity_m_s2 = {};
    Body ball = sphereBody(0.1, 1000);
    ball.restitution = 1;
    ball.friction = 0;
    world.add(ball, {{0, 0.105, 0}, {}, {0, -1, 0}, {}});
    world.addWall({}, {0, 1, 0});
    world.step(dt_s);
    const ImpulsesByKind& by = world.impulses()[0];
    EXPECT_NEAR(by.bounces.linear_N_s.y, 2 * ball.mass_kg, 1e-12);
    EXPECT_EQ(length(by.contacts.linear_N_s), 0);
}

// The energy limit reports what it removed: energy lost by the heap is that, and what contact dissipates.
TEST(RigidImpulses, TheEnergyLimitReportsWhatItRemoved)
{
    RigidWorld world = binOfBoxes(60, 3);
    double removed_J = 0;
    bool acted = false;
    for (int n = 0; n < 240; ++n) {
        const RigidReport report = world.step(dt_s);
        bool limited = false;
        for (const ImpulsesByKind& by : world.impulses()) limited |= length(by.energy_limit.linear_N_s) > 0;
        EXPECT_EQ(limited, !report.energy_cuts.empty()) << n;
        for (const EnergyCut& cut : report.energy_cuts) {
            EXPECT_GT(cut.removed_J, 0) << n;
            EXPECT_GT(length(world.impulses()[size_t(cut.body)].energy_limit.linear_N_s), 0) << n;
        }
        acted |= limited;
        removed_J += report.removed_J();
    }
    EXPECT_TRUE(acted);
    EXPECT_GT(removed_J, 0);
}

}  // namespace
}  // namespace flotsam
