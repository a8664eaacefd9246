#include "run/energy_bound.h"

#include <gtest/gtest.h>

#include "coupling/inspect_coupled.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

EnergyBound boundOf(const Scene& scene) { return energyBound(scene, inspect(scene), makeWorld(scene)); }

TEST(EnergyBound, IsThatOfAFallFromTheTopOfTheLiquid)
{
    Scene scene = tank({32, 32, 32});
    scene.liquid.regions = {pool(0.5)};
    const double h = scene.domain.h();
    EXPECT_NEAR(boundOf(scene).speedAt({0.5, 0, 0.5}), std::sqrt(2 * 9.81 * 0.5), std::sqrt(2 * 9.81 * h));
    EXPECT_GE(boundOf(scene).speedAt({0.5, 0, 0.5}), std::sqrt(2 * 9.81 * 0.5));
    EXPECT_NEAR(boundOf(scene).speedAt({0.5, 0.9, 0.5}), std::sqrt(2 * 9.81 * h), 1e-12);
    scene.domain.gravity_m_s2 = {9.81, 0, 0};  // down is +x: the highest liquid is at x = 0
    EXPECT_NEAR(boundOf(scene).speedAt({1, 0.2, 0.5}), std::sqrt(2 * 9.81), 0.1);
}

TEST(EnergyBound, WithoutGravityIsTheLargestPrescribedSpeed)
{
    Scene scene = tank({32, 32, 32});
    scene.domain.gravity_m_s2 = {};
    scene.liquid.regions = {drop({0.3, 0.5, 0.5}, 0.1, {1, 0, 0}), drop({0.7, 0.5, 0.5}, 0.1, {-2, 0, 0})};
    EXPECT_EQ(boundOf(scene).speedAt({0.5, 0, 0.5}), 2);
}

TEST(EnergyBound, CountsABodyThatFallsIntoTheLiquid)
{
    Scene scene = tank({32, 64, 32});
    scene.liquid.regions = {pool(0.5)};
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BallShape{0.1};
    ball.density_kg_m3 = 2000;
    ball.position_m = {0.5, 1.5, 0.5};
    ball.velocity_m_s = {0, -1, 0};
    scene.bodies = {ball};
    EXPECT_GE(boundOf(scene).speedAt({0.5, 0.5, 0.5}), std::sqrt(1 + 2 * 9.81));
}

}  // namespace
}  // namespace flotsam
