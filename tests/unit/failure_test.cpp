#include "run/failure.h"

#include <gtest/gtest.h>

#include "rigid/body.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

constexpr double radius_m = 0.1;

// For a ball at this position in a tank of 1 x 1 x 1 m that is open at +y.
Failure failureOfBallAt(Vec3 x_m, Vec3 v_m_s = {})
{
    RigidWorld world;
    Body ball = sphereBody(radius_m, 500);
    ball.name = "ball";
    world.add(std::move(ball), {x_m, {}, v_m_s, {}});
    return failureOf(tank({16, 16, 16}), {}, world);
}

TEST(Failure, ABodyThatIsBeyondAClosedBoundaryWithAllOfItIsOne)
{
    EXPECT_FALSE(failureOfBallAt({0.5, 0.5, 0.5}));
    EXPECT_FALSE(failureOfBallAt({-0.99 * radius_m, 0.5, 0.5}));
    const Failure failure = failureOfBallAt({-1.01 * radius_m, 0.5, 0.5});
    EXPECT_EQ(failure.what,
              "body ball has left the domain through its closed boundary -x and is at (-0.101, 0.5, 0.5) m");
    EXPECT_TRUE(failureOfBallAt({0.5, -0.2, 0.5}));
    EXPECT_TRUE(failureOfBallAt({0.5, 0.5, 1.2}));
}

TEST(Failure, ABodyThatHasLeftThroughAnOpenBoundaryIsNone)
{
    EXPECT_FALSE(failureOfBallAt({0.5, 50, 0.5}));
    EXPECT_FALSE(failureOfBallAt({0.5, 50, 0.5}, {0, 1e5, 0}));
}

TEST(Failure, RunawaysAndWhatIsNotANumberAreOnes)
{
    EXPECT_TRUE(failureOfBallAt({0.5, 0.5, 0.5}, {1e5, 0, 0}));
    EXPECT_TRUE(failureOfBallAt({0.5, 0.5, 0.5}, {NAN, 0, 0}));
    StepReport report;
    report.heat_J = NAN;
    EXPECT_TRUE(failureOf(tank({16, 16, 16}), report, RigidWorld()));
    report = {};
    report.liquid.max_speed_m_s = 1e4;
    EXPECT_TRUE(failureOf(tank({16, 16, 16}), report, RigidWorld()));
    report.liquid.max_speed_m_s = 1;
    EXPECT_FALSE(failureOf(tank({16, 16, 16}), report, RigidWorld()));
}

}  // namespace
}  // namespace flotsam
