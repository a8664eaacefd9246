// Lasting contact: bodies that rest, roll or slide follow curved paths with the accuracy of free bodies.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/time_loop.h"
#include "validation/lasting_cases.h"

namespace flotsam {
namespace {

constexpr double dt = 1.0 / 120, g = 9.81;

Body withFriction(Body body, double friction)
{
    body.friction = friction;
    body.restitution = 0;
    return body;
}

TEST(RigidLasting, ABoxStaysOnATurntableUntilFrictionIsTooSmall)
{
    EXPECT_LT(rideTurntable(0.5, 5, dt).drift_m, 1e-4);
    EXPECT_LT(rideTurntable(0.97, 5, dt).drift_m, 1e-4);
    EXPECT_GT(rideTurntable(1.05, 5, dt).drift_m, 0.05);
}

TEST(RigidLasting, ABallRollsInABowlWithItsPeriodAndKeepsItsSwing)
{
    const BowlSetup setup;
    const BowlSwing swing = swingInBowl(setup, 4, dt);
    EXPECT_GT(swing.left, 0.99);                                               // 0.999
    EXPECT_NEAR(swing.period_s, bowlPeriod(setup), 1e-3 * bowlPeriod(setup));  // 2e-4
    EXPECT_LT(swing.overlap_m, 2e-5);
}

TEST(RigidLasting, ABallInABowlMadeOfTrianglesKeepsMostOfItsSwing)
{
    BowlSetup setup;
    setup.mesh = true;
    const BowlSwing swing = swingInBowl(setup, 4, dt);
    EXPECT_GT(swing.left, 0.9);
    EXPECT_NEAR(swing.period_s, bowlPeriod(setup), 0.01 * bowlPeriod(setup));
}

TEST(RigidLasting, ABallThatSlidesWithoutFrictionInABowlKeepsItsEnergyAndGainsNone)
{
    BowlSetup setup;
    setup.friction = 0;
    const BowlSwing swing = swingInBowl(setup, 4, dt);
    EXPECT_LT(swing.energy_change, 1e-12);
    EXPECT_GT(swing.energy_change, -0.01);
}

TEST(RigidLasting, HalfTheStepGivesAQuarterOfTheErrorOfARollingBall)
{
    const BowlSetup setup;
    const double exact = bowlAngle(setup, 2), coarse = std::abs(swingInBowl(setup, 2, 1.0 / 240).last_rad - exact),
                 fine = std::abs(swingInBowl(setup, 2, 1.0 / 480).last_rad - exact);
    EXPECT_LT(fine, coarse / 3);
    EXPECT_LT(coarse, 2e-4);
}

TEST(RigidLasting, ATurnedBowlGivesATurnedSwing)
{
    BowlSetup setup;
    const BowlSwing along = swingInBowl(setup, 2, dt);
    for (const double turn : {0.5 * std::numbers::pi, std::numbers::pi, 0.7}) {
        setup.turn_rad = turn;
        EXPECT_NEAR(swingInBowl(setup, 2, dt).last_rad, along.last_rad, 1e-4) << turn;
    }
}

// A point leaves a sphere where its height above the centre is 2/3 of the radius; a small ball likewise.
TEST(RigidLasting, ABallThatSlidesOverASphereLeavesItAtTheRightAngle)
{
    constexpr double ball_m = 0.05, sphere_m = 1, path_m = sphere_m + ball_m, start_rad = 0.1;
    RigidWorld world;
    world.add(withFriction(sphereBody(ball_m, 700), 0),
              {{path_m * std::sin(start_rad), path_m * std::cos(start_rad), 0}, {}, {}, {}});
    world.addPrescribed(sphereBody(sphere_m, 1), {});
    double left = 0;
    stepUntil(3, dt, world, [&](const RigidReport& step) {
        const Vec3 x = world.state.bodies[0].x_m;
        if (step.contacts > 0) left = x.y / length(x);
        return step.contacts > 0;
    });
    EXPECT_NEAR(left, 2.0 / 3 * std::cos(start_rad), 0.01);
}

// A ball rolls on a turntable in a circle, with 2/7 of its angular speed.
TEST(RigidLasting, ABallOnATurntableRollsInACircleWithTwoSeventhsOfItsSpin)
{
    constexpr double spin = 3, ball_m = 0.05, circle_m = 0.3;
    const double turning = 2.0 / 7 * spin;
    RigidWorld world;
    // The contact follows the table: v + w x (-r y) = spin y x x.
    const Vec3 x{circle_m, ball_m, 0}, v{0, 0, -turning * circle_m};
    const Vec3 table{0, 0, -spin * circle_m};
    world.add(withFriction(sphereBody(ball_m, 700), 1), {x, {}, v, Vec3{-(v.z - table.z) / ball_m * -1, 0, 0}});
    world.addPrescribed(boxBody({4, 0.2, 4}, 1), {{0, -0.1, 0}, {}, {0, -0.1, 0}, {}, {0, spin, 0}});
    const double turns_s = 2 * 2 * std::numbers::pi / turning;
    double least = 1, most = 0, angle = 0, before = 0;
    stepUntil(turns_s, dt, world, [&](const RigidReport&) {
        const Vec3 p = world.state.bodies[0].x_m;
        least = std::min(least, std::hypot(p.x, p.z));
        most = std::max(most, std::hypot(p.x, p.z));
        const double now = std::atan2(-p.z, p.x);
        angle += std::remainder(now - before, 2 * std::numbers::pi);
        before = now;
    });
    EXPECT_NEAR(most, circle_m, 0.03 * circle_m);
    EXPECT_NEAR(least, circle_m, 0.03 * circle_m);
    EXPECT_NEAR(angle / world.t_s(), turning, 0.01 * turning);
}

// A slab that tilts and spins about a pivot beside it carries a box without slip.
TEST(RigidLasting, ABoxStaysOnASlabThatTiltsAndSpins)
{
    for (const Vec3 spin : {Vec3{0, 1.5, 0}, Vec3{0.1, 0, 0.05}, Vec3{0.1, 1, 0}}) {
        const Prescribed slab{{0, -0.1, 0}, {}, {0.3, -0.1, 0.2}, {0.1, 0.05, 0}, spin};
        const BodyState start = slab.at(0);
        RigidWorld world;
        const Vec3 x{0.1, 0.05, 0.1};
        world.add(withFriction(boxBody({0.1, 0.1, 0.1}, 700), 0.8),
                  {x, {}, start.v_m_s + cross(spin, x - start.x_m), spin});
        world.addPrescribed(boxBody({2, 0.2, 2}, 1), slab);
        stepUntil(2, dt, world);
        const BodyState now = slab.at(world.t_s());
        const Vec3 place = transposed(matrixOf(now.q)) * (world.state.bodies[0].x_m - now.x_m);
        EXPECT_LT(length(place - (x - start.x_m)), 2e-4) << spin.x << " " << spin.y;
    }
}

}  // namespace
}  // namespace flotsam
