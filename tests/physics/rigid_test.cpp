// Rigid bodies against theory, in shorter runs than `flotsam validate`.
#include <gtest/gtest.h>

#include <cmath>

#include "core/parallel.h"
#include "core/time_loop.h"
#include "validation/rigid_cases.h"

namespace flotsam {
namespace {

TEST(Rigid, ABlockSlidesDownASlopeAsCoulombSaysOrStays)
{
    EXPECT_NEAR(slideDown(30, 0.2, 1).acceleration_m_s2, 3.2059, 1e-3 * 3.2059);  // 3.2059
    EXPECT_NEAR(slideDown(30, 0.5, 1).acceleration_m_s2, 0.6572, 1e-3 * 0.6572);  // 0.6571
    EXPECT_NEAR(slideDown(20, 0.3, 1).acceleration_m_s2, 0.5897, 1e-3 * 0.5897);  // 0.5897
    EXPECT_LT(slideDown(30, 0.7, 1).creep_1_s, 1e-9);                             // 4e-19
}

TEST(Rigid, ABallRollsDownASlopeWithFiveSeventhsOfGravity)
{
    EXPECT_NEAR(rollDown(20, 1), 2.3966, 1e-3 * 2.3966);  // 2.3966
}

TEST(Rigid, ASlidingBallEndsUpRolling)
{
    EXPECT_NEAR(slideToRoll(2, 0.1, 0), 10.0 / 7, 1e-6);
    EXPECT_NEAR(slideToRoll(1, 0.1, -30), (5.0 - 6.0) / 7, 1e-6);
}

// A ball of 0.1 m on a plane: rolling friction f_r slows it by 5/7 f_r g / r, spinning friction f_s slows its spin by
// f_s m g / I = 5/2 f_s g / r2. On a slope of less than f_r / r it stays at rest.
TEST(Rigid, RollingAndSpinningAreHeldBack)
{
    constexpr double g = 9.81, r = 0.1, f_r = 2e-3, f_s = 1e-3;
    EXPECT_NEAR(rollOut(1, 0, f_r, f_s, 0).v_m_s.x, 1 - 5.0 / 7 * f_r * g / r, 1e-3);
    EXPECT_NEAR(rollOut(0, 50, f_r, f_s, 0).w_rad_s.y, 50 - 2.5 * f_s * g / (r * r), 1e-2);
    EXPECT_LT(length(rollOut(0.1, 1, f_r, f_s, 0).w_rad_s), 1e-9);
    EXPECT_LT(length(rollOut(0, 0, f_r, f_s, 0.019).v_m_s), 1e-5);
    EXPECT_GT(length(rollOut(0, 0, f_r, f_s, 0.021).v_m_s), 1e-3);
}

TEST(Rigid, ABallBouncesToTheHeightThatItsRestitutionGives)
{
    const Bounces elastic = bounceBall(1, 1, 10, 20);
    ASSERT_EQ(elastic.heights_m.size(), 10u);
    EXPECT_LT(std::abs(elastic.energy_change), 1e-10);  // 1e-14
    const Bounces half = bounceBall(0.5, 1, 3, 5);
    ASSERT_EQ(half.heights_m.size(), 3u);
    EXPECT_NEAR(half.heights_m[2], std::pow(0.25, 3), 1e-6);
    EXPECT_LT(half.largest_energy_gain, 1e-12);
    EXPECT_EQ(bounceBall(0, 1, 1, 2).heights_m.size(), 0u);
}

TEST(Rigid, AStackOfTenBoxesStands)
{
    const Pile stack = stackBoxes(10, 3);
    EXPECT_LT(stack.drift, 1e-3);    // 4e-4
    EXPECT_LT(stack.overlap, 1e-3);  // 2e-5
    EXPECT_LT(stack.speed_m_s, 2e-4);
}

// Three boxes, each offset beyond the one below; the upper two topple together when their centre is beyond its edge.
double heightOfLeaningStack(double offset_sides)
{
    constexpr double side_m = 0.1;
    RigidWorld world;
    for (int i = 0; i < 3; ++i) {
        Body box = boxBody({side_m, side_m, side_m}, 700);
        box.friction = 0.6;
        box.restitution = 0;
        world.add(std::move(box), {{offset_sides * side_m * i, (i + 0.5) * side_m, 0}, {}, {}, {}});
    }
    world.addWall({}, {0, 1, 0});
    takeSteps(240, 1.0 / 120, world);
    return world.state.bodies[2].x_m.y / side_m;
}

TEST(Rigid, ALeaningStackTopplesExactlyWhenItsWeightIsBeyondTheEdge)
{
    EXPECT_NEAR(heightOfLeaningStack(0.32), 2.5, 0.01);  // the upper two are centred 0.48 out
    EXPECT_LT(heightOfLeaningStack(0.35), 1.6);          // 0.525: they fall, though each alone would stay
}

TEST(Rigid, ATorqueFreeRacketFlipsWithItsPeriodAndKeepsMomentumAndEnergy)
{
    const Racket racket = spinRacket(1.0 / 60);
    EXPECT_NEAR(racket.period_s, 39.1057, 1e-3 * 39.1057);  // 39.1047
    EXPECT_LT(racket.momentum_error, 1e-10);                // 7e-14
    EXPECT_LT(racket.energy_error, 1e-10);                  // 1e-13
}

TEST(Rigid, AGyroscopePrecesses)
{
    EXPECT_NEAR(precessGyroscope(200, 1), 0.981, 0.01 * 0.981);  // 0.98098
}

TEST(Rigid, AGearTurnsTheGearThatItMeshesWith)
{
    EXPECT_NEAR(turnMeshedGears(2), -1, 0.05);  // -0.998: they start with some play
}

TEST(Rigid, ARingCannotLeaveItsPeg)
{
    EXPECT_LT(shakeRingOnPeg(2), 0.55);  // 0.508; the peg leaves it 0.5, plus the play of a 64-sided hole
}

TEST(Rigid, AGearCaughtOnAToysEarsStaysCaught)
{
    const CaughtGear caught = dropGearOnEars(3);
    EXPECT_FALSE(caught.left_the_ears);
    EXPECT_LT(caught.speed_m_s, 0.02);
}

TEST(Rigid, ElasticCollisionsWithoutFrictionKeepMomentumAndEnergy)
{
    const Conservation c = collideElastically(1.5);
    EXPECT_GT(c.collisions, 10);
    EXPECT_LT(c.momentum_change, 1e-12);  // 3e-16
    EXPECT_LT(c.angular_change, 1e-12);   // 8e-16
    EXPECT_LT(c.energy_change, 1e-6);     // 4e-9
}

TEST(Rigid, BoxesInABinComeToRestWithoutOverlapAndNoneIsLost)
{
    const Pile pile = fillBin(100, 4, 3);
    EXPECT_EQ(pile.lost, 0);
    EXPECT_LT(pile.overlap, 0.02);
    EXPECT_LT(pile.speed_m_s, 0.02);
}

TEST(Rigid, OneTwoAndFiveThreadsGiveTheSameBits)
{
    std::vector<BodyState> with_one;
    for (const int threads : {1, 2, 5}) {
        backend::setThreads(threads);
        RigidWorld world = binOfBoxes(300, 6);
        takeSteps(100, 1.0 / 120, world);
        if (with_one.empty()) with_one = world.state.bodies;
        for (size_t i = 0; i < with_one.size(); ++i) {
            EXPECT_EQ(world.state.bodies[i].x_m, with_one[i].x_m) << i << " with " << threads;
            EXPECT_EQ(world.state.bodies[i].q, with_one[i].q) << i << " with " << threads;
        }
    }
    backend::setThreads(0);
}

}  // namespace
}  // namespace flotsam
