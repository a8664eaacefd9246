// Simultaneous impacts: independent of the order of bodies, without gain of energy, as theory says.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/random.h"
#include "core/time_loop.h"
#include "validation/impact_cases.h"

namespace flotsam {
namespace {

constexpr double dt_s = 1.0 / 120;
constexpr double radius_m = 0.05;
constexpr double exact = 1e-9;  // of the speed; three balls: 3e-13

RigidWorld freeSpace(double max_dt_s = dt_s) { return RigidWorld({{0, 0, 0}, max_dt_s, 10}); }

Body ballWith(double restitution, double friction = 0, double radius = radius_m)
{
    Body ball = sphereBody(radius, 1000);
    ball.restitution = restitution;
    ball.friction = friction;
    return ball;
}

Body boxWith(Vec3 size_m, double restitution, double friction = 0)
{
    Body box = boxBody(size_m, 1000);
    box.restitution = restitution;
    box.friction = friction;
    return box;
}

double distanceOf(const BodyState& s, Vec3 v_m_s, Vec3 w_rad_s = {})
{
    return std::max(length(s.v_m_s - v_m_s), radius_m * length(s.w_rad_s - w_rad_s));
}

struct Placed {
    Body body;
    BodyState state;
};

// Runs the bodies in a shuffled order; the result is in the original order.
struct Outcome {
    std::vector<BodyState> bodies;
    Vec3 momentum_change;
    double energy = 0;           // of the initial kinetic energy
    double largest_gain = -1e9;  // of a step, of the initial kinetic energy
    int cut_collisions = 0;
};
Outcome collide(const std::vector<Placed>& placed, uint64_t shuffle, double seconds, double step_s = dt_s)
{
    std::vector<size_t> order(placed.size());
    std::iota(order.begin(), order.end(), size_t(0));
    if (shuffle > 0)
        std::sort(order.begin(), order.end(),
                  [&](size_t l, size_t r) { return randomUnit(shuffle, l) < randomUnit(shuffle, r); });
    RigidWorld world = freeSpace(step_s);
    for (const size_t i : order) world.add(placed[i].body, placed[i].state);
    const Vec3 momentum = world.momentum();
    const double start_J = world.kineticEnergy();
    Outcome out;
    double before_J = start_J;
    stepUntil(seconds, step_s, world, [&](const RigidReport& step) {
        const double now_J = world.kineticEnergy();
        out.largest_gain = std::max(out.largest_gain, (now_J - before_J) / start_J);
        out.cut_collisions += step.cut_collisions;
        before_J = now_J;
    });
    out.bodies.resize(placed.size());
    for (size_t i = 0; i < order.size(); ++i) out.bodies[order[i]] = world.state.bodies[i];
    out.momentum_change = world.momentum() - momentum;
    out.energy = before_J / start_J;
    return out;
}

double largestDifference(const Outcome& l, const Outcome& r)
{
    double most = 0;
    for (size_t i = 0; i < l.bodies.size(); ++i)
        most = std::max(most, distanceOf(l.bodies[i], r.bodies[i].v_m_s, r.bodies[i].w_rad_s));
    return most;
}

// Theory: u = -v cos 30 at both points, and equal impulses 0.8 m v cos 30.
void expectTheory(const ThreeBalls& setup)
{
    const ThreeBallsResult r = strikeTwoBalls(setup);
    const double c = std::sqrt(0.75);
    EXPECT_LT(length(r.cue_m_s - Vec3{-0.2, 0, 0}), exact);
    EXPECT_LT(length(r.left_m_s - 0.8 * c * Vec3{c, 0.5, 0}), exact);
    EXPECT_LT(length(r.right_m_s - 0.8 * c * Vec3{c, -0.5, 0}), exact);
    EXPECT_LT(r.momentum_error, exact);
    EXPECT_LT(r.energy_error, exact);
}

TEST(RigidImpacts, ABallThatStrikesTwoTouchingBallsReboundsWithAFifthOfItsSpeedInAnyOrderOfBodies)
{
    ThreeBalls setup;
    do expectTheory(setup);
    while (std::next_permutation(setup.order.begin(), setup.order.end()));
}

TEST(RigidImpacts, TheSameTurnedAndMirroredAndInHalfAndQuarterSteps)
{
    for (uint64_t n = 0; n < 50; ++n) {
        const auto r = [&](uint64_t key) { return 6 * (randomUnit(n, key) - 0.5); };
        ThreeBalls setup;
        setup.turn = rotation({r(0), r(1), r(2)});
        if (n % 2) setup.turn = setup.turn * Mat3{{1, 0, 0}, {0, -1, 0}, {0, 0, 1}};
        setup.dt_s = dt_s / (1 << (n % 3));
        std::next_permutation(setup.order.begin(), setup.order.end());
        expectTheory(setup);
    }
}

// A collision uses the normals at the start of its substep, at which the balls are still apart by part of their
// displacement in it: first order.
TEST(RigidImpacts, AfterAFlightTheMotionIsSymmetricAndItsErrorIsProportionalToTheTimeStep)
{
    for (const double flight_m : {0.013, 0.047}) {
        ThreeBalls setup;
        setup.flight_m = flight_m;
        for (int n = 0; n < 6; ++n) {
            const ThreeBallsResult r = strikeTwoBalls(setup);
            EXPECT_LT(r.asymmetry(), exact);
            EXPECT_LT(r.momentum_error + r.energy_error, exact);
            EXPECT_NEAR(r.cue_m_s.x, -0.2, 5 * setup.dt_s);  // at most 4.4 dt
            setup.dt_s *= 0.5;
        }
    }
}

TEST(RigidImpacts, ABallThatStrikesTwoTouchingBallsWithFrictionIsSymmetricInAnyOrderOfBodies)
{
    for (const double friction : {0.05, 0.2, 0.8}) {
        ThreeBalls setup;
        setup.friction = friction;
        const ThreeBallsResult first = strikeTwoBalls(setup);
        EXPECT_LT(first.asymmetry(), exact) << friction;
        while (std::next_permutation(setup.order.begin(), setup.order.end())) {
            const ThreeBallsResult r = strikeTwoBalls(setup);
            EXPECT_LT(length(r.cue_m_s - first.cue_m_s) + length(r.left_m_s - first.left_m_s), exact) << friction;
            EXPECT_LT(r.momentum_error, exact);
        }
    }
}

// In a line, `moving` of them with 1 m/s: as many leave at the other end.
TEST(RigidImpacts, NewtonsCradlePassesOnAsManyBallsAsArrive)
{
    for (const int moving : {1, 2, 3})
        for (const uint64_t shuffle : {0, 1, 2, 3}) {
            std::vector<Placed> balls;
            for (int i = 0; i < 5; ++i)
                balls.push_back({ballWith(1),
                                 {{2 * radius_m * i - (i < moving ? 0.03 : 0), 0, 0},
                                  {},
                                  i < moving ? Vec3{1, 0, 0} : Vec3{},
                                  {}}});
            const Outcome out = collide(balls, shuffle, 0.1);
            for (int i = 0; i < 5; ++i) {
                const Vec3 expected = i >= 5 - moving ? Vec3{1, 0, 0} : Vec3{};
                EXPECT_LT(distanceOf(out.bodies[size_t(i)], expected), exact) << moving << " " << i;
            }
            EXPECT_EQ(out.cut_collisions, 0);
        }
}

TEST(RigidImpacts, ALineOfAHundredBallsPassesTheImpulseOn)
{
    std::vector<Placed> balls;
    for (int i = 0; i < 100; ++i)
        balls.push_back({ballWith(1), {{2 * radius_m * i, 0, 0}, {}, i == 0 ? Vec3{1, 0, 0} : Vec3{}, {}}});
    const Outcome out = collide(balls, 7, dt_s);
    EXPECT_LT(distanceOf(out.bodies[99], {1, 0, 0}), exact);
    EXPECT_NEAR(out.energy, 1, exact);
    EXPECT_EQ(out.cut_collisions, 0);
}

// A ball strikes the tip of a triangle of 15 touching balls; aside_m: off its axis.
std::vector<Placed> rack(double restitution, double friction, double aside_m)
{
    std::vector<Placed> balls;
    balls.push_back({ballWith(restitution, friction), {{-0.17, aside_m, 0}, {}, {2, 0, 0}, {}}});
    for (int row = 0; row < 5; ++row)
        for (int i = 0; i <= row; ++i)
            balls.push_back({ballWith(restitution, friction),
                             {{std::sqrt(3.0) * radius_m * row, radius_m * (2 * i - row), 0}, {}, {}, {}}});
    return balls;
}

TEST(RigidImpacts, ABreakShotDoesNotDependOnTheOrderOfBodiesAndGainsNoEnergy)
{
    for (const double restitution : {1.0, 0.9, 0.5})
        for (const double friction : {0.0, 0.2})
            for (const double aside_m : {0.0, 0.013}) {
                const std::vector<Placed> balls = rack(restitution, friction, aside_m);
                const Outcome first = collide(balls, 0, 5 * dt_s);
                for (const uint64_t shuffle : {1, 2, 3, 4}) {
                    const Outcome out = collide(balls, shuffle, 5 * dt_s);
                    EXPECT_LT(largestDifference(first, out), 2 * exact)
                        << restitution << " " << friction << " " << aside_m << " " << shuffle;
                    EXPECT_LT(out.largest_gain, 1e-12);
                    EXPECT_LT(length(out.momentum_change), 1e-12);
                    EXPECT_EQ(out.cut_collisions, 0);
                    EXPECT_GT(out.energy, restitution == 1 && friction == 0 ? 1 - exact : 0);
                    EXPECT_LT(out.energy, restitution < 1 ? 0.99 : 1 + 1e-12);
                }
            }
}

// On the floor, with gravity.
TEST(RigidImpacts, ABallThatHitsAPileOfBoxesAndBallsNeverAddsEnergy)
{
    for (const double restitution : {1.0, 0.5, 0.0})
        for (const double friction : {0.0, 0.5}) {
            RigidWorld world;
            for (int row = 0; row < 4; ++row)
                for (int i = 0; i < 4 - row; ++i) {
                    const BodyState s{{0.1 * (i + 0.5 * row), 0.05 + 0.1 * row, 0}, {}, {}, {}};
                    world.add((i + row) % 2 ? boxWith({0.1, 0.1, 0.1}, restitution, friction)
                                            : ballWith(restitution, friction),
                              s);
                }
            world.add(ballWith(restitution, friction), {{-0.4, 0.15, 0.01}, {}, {5, 0, 0}, {}});
            world.addWall({}, {0, 1, 0});
            double before_J = world.kineticEnergy() + world.potentialEnergy();
            const double start_J = before_J;
            stepUntil(0.5, dt_s, world, [&](const RigidReport&) {
                const double now_J = world.kineticEnergy() + world.potentialEnergy();
                EXPECT_LT((now_J - before_J) / start_J, 1e-12) << restitution << " " << friction;
                before_J = now_J;
            });
        }
}

// The upper box has twice the mass of each lower one.
TEST(RigidImpacts, ABoxThatFallsFlatOnTwoBoxesStopsAndTheyLeaveWithItsSpeed)
{
    for (const uint64_t shuffle : {0, 1, 2, 3}) {
        const std::vector<Placed> boxes = {{boxWith({0.21, 0.1, 0.1}, 1), {{0, 0.12, 0}, {}, {0, -1, 0}, {}}},
                                           {boxWith({0.105, 0.1, 0.1}, 1), {{-0.0525, 0, 0}, {}, {}, {}}},
                                           {boxWith({0.105, 0.1, 0.1}, 1), {{0.0525, 0, 0}, {}, {}, {}}}};
        const Outcome out = collide(boxes, shuffle, 0.05);
        EXPECT_LT(distanceOf(out.bodies[0], {}), exact);
        EXPECT_LT(distanceOf(out.bodies[1], {0, -1, 0}), exact);
        EXPECT_LT(distanceOf(out.bodies[2], {0, -1, 0}), exact);
    }
}

// The upper box is narrower: the lower ones begin to rotate, as mirror images.
TEST(RigidImpacts, ABoxThatFallsOnTheInnerEdgesOfTwoBoxesTurnsThemInOppositeDirections)
{
    for (const double friction : {0.0, 0.4})
        for (const uint64_t shuffle : {0, 1, 2, 3}) {
            const std::vector<Placed> boxes = {
                {boxWith({0.1, 0.1, 0.1}, 1, friction), {{0, 0.12, 0}, {}, {0, -1, 0}, {}}},
                {boxWith({0.1, 0.1, 0.1}, 1, friction), {{-0.055, 0, 0}, {}, {}, {}}},
                {boxWith({0.1, 0.1, 0.1}, 1, friction), {{0.055, 0, 0}, {}, {}, {}}}};
            const Outcome out = collide(boxes, shuffle, 0.025);
            const BodyState &top = out.bodies[0], &l = out.bodies[1], &r = out.bodies[2];
            EXPECT_LT(distanceOf(top, {0, top.v_m_s.y, 0}), exact);
            EXPECT_LT(distanceOf(l, {-r.v_m_s.x, r.v_m_s.y, 0}, {0, 0, -r.w_rad_s.z}), exact);
            EXPECT_LT(l.w_rad_s.z, -0.5);
            EXPECT_LT(out.largest_gain, 1e-12);
            EXPECT_GT(out.energy, friction == 0 ? 1 - exact : 0);
        }
}

TEST(RigidImpacts, ABallThatFallsStraightIntoAGrooveReturnsStraight)
{
    for (const double opening_deg : {30, 60, 90, 120, 170})
        for (const bool left_first : {false, true}) {
            RigidWorld world = freeSpace();
            world.add(ballWith(1),
                      {{0, 0.3 + radius_m / std::sin(opening_deg * std::numbers::pi / 360), 0}, {}, {0, -3.1, 0}, {}});
            const double a = opening_deg * std::numbers::pi / 360;
            for (const int side : {-1, 1})
                world.addWall({}, {(left_first ? -side : side) * std::cos(a), std::sin(a), 0});
            stepUntil(0.12, dt_s, world);
            EXPECT_LT(distanceOf(world.state.bodies[0], {0, 3.1, 0}), 4 * exact) << opening_deg;
        }
}

TEST(RigidImpacts, ABallBetweenTwoWallsKeepsItsSpeed)
{
    RigidWorld world = freeSpace();
    world.add(ballWith(1), {{0.1, 0, 0}, {}, {3, 0.1, 0}, {}});
    world.addWall({}, {1, 0, 0});
    world.addWall({0.23, 0, 0}, {-1, 0, 0});
    int collisions = 0;
    stepUntil(2, dt_s, world, [&](const RigidReport& step) { collisions += step.collisions; });
    EXPECT_GT(collisions, 40);
    EXPECT_NEAR(length(world.state.bodies[0].v_m_s), std::hypot(3, 0.1), exact);
}

TEST(RigidImpacts, ABallThatStrikesABallAtAWallReturnsWithItsSpeed)
{
    for (const bool cue_first : {false, true}) {
        RigidWorld world = freeSpace();
        const BodyState cue{{-0.23, 0, 0}, {}, {2, 0, 0}, {}}, other{{-radius_m, 0, 0}, {}, {}, {}};
        world.add(ballWith(1), cue_first ? cue : other);
        world.add(ballWith(1), cue_first ? other : cue);
        world.addWall({}, {-1, 0, 0});
        stepUntil(0.1, dt_s, world);
        EXPECT_LT(distanceOf(world.state.bodies[cue_first ? 0 : 1], {-2, 0, 0}), exact);
        EXPECT_LT(distanceOf(world.state.bodies[cue_first ? 1 : 0], {}), exact);
    }
}

// A light ball between a wall and a heavy ball: with a mass ratio of 10^2n there are as many collisions as the first
// n + 1 digits of pi have (Galperin 2003). A touching pair has all of them in one step.
TEST(RigidImpacts, ALightBallBetweenAWallAndAHeavyBallCollidesPiTimesAndTooManyCollisionsAreReported)
{
    const auto squeeze = [](double mass_ratio) {
        RigidWorld world = freeSpace();
        Body heavy = ballWith(1);
        heavy.mass_kg *= mass_ratio;
        world.add(ballWith(1), {{radius_m, 0, 0}, {}, {}, {}});
        world.add(heavy, {{3 * radius_m, 0, 0}, {}, {-1, 0, 0}, {}});
        world.addWall({}, {1, 0, 0});
        return world.step(dt_s);
    };
    EXPECT_EQ(squeeze(1).collisions, 3);
    EXPECT_EQ(squeeze(100).collisions, 31);
    EXPECT_EQ(squeeze(100).cut_collisions, 0);
    EXPECT_EQ(squeeze(1e6).cut_collisions, 1);
}

TEST(RigidImpacts, TooManySubstepsAreReported)
{
    for (const double speed_m_s : {100.0, 1e5}) {
        RigidWorld world = freeSpace();
        world.add(ballWith(1), {{}, {}, {speed_m_s, 0, 0}, {}});
        world.add(ballWith(1), {{10, 0, 0}, {}, {}, {}});
        EXPECT_EQ(world.step(dt_s).cut_substeps, speed_m_s > 1e4);
    }
}

TEST(RigidImpacts, OnlyBodiesThatMayTouchDivideAStep)
{
    const auto substeps = [](double apart_m, double together_m_s, double towards_m_s) {
        RigidWorld world = freeSpace();
        world.add(ballWith(1), {{}, {}, {together_m_s + towards_m_s, 0, 0}, {}});
        world.add(ballWith(1), {{apart_m, 0, 0}, {}, {together_m_s, 0, 0}, {}});
        return world.step(dt_s).substeps;
    };
    EXPECT_GT(substeps(1, 0, 100), 1);
    EXPECT_EQ(substeps(10, 0, 100), 1);
    EXPECT_EQ(substeps(1, 100, 0), 1);
}

}  // namespace
}  // namespace flotsam
