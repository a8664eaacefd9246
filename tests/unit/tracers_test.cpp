#include "liquid/tracers.h"

#include <gtest/gtest.h>

#include <numbers>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

TEST(Tracers, InARotatingFieldReturn)
{
    Scene scene = closedTank({32, 32, 1});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    setVelocity(sim, [](Vec3 p) { return Vec3{0.5 - p.y, p.x - 0.5, 0}; });  // one radian per second about the centre
    const std::vector<Float3> start{{20, 16, 0.5f}, {16, 26, 0.5f}, {9, 9, 0.5f}};  // [cells]
    sim.liquid.state.tracers = start;
    constexpr int steps = 200;
    for (int n = 0; n < steps; ++n)
        moveTracers(sim.liquid.grid, sim.liquid.solids, 2 * std::numbers::pi / steps, sim.liquid.state);
    for (size_t t = 0; t < start.size(); ++t) {
        EXPECT_NEAR(sim.liquid.state.tracers[t].x, start[t].x, 1e-3);
        EXPECT_NEAR(sim.liquid.state.tracers[t].y, start[t].y, 1e-3);
    }
}

TEST(Tracers, AreSeededInTheLiquidAloneAndTheSameForTheSameSeed)
{
    Scene scene = tank({16, 16, 16});
    scene.liquid.regions = {pool(0.4)};
    scene.solids = {solidOf(SphereShape{{0.5, 0.2, 0.5}, 0.2})};
    scene.tracers.count = 500;
    const Simulation a(scene), b(scene);
    ASSERT_EQ(a.liquid.state.tracers.size(), 500u);
    for (size_t n = 0; n < 500; ++n) {
        const Float3 p = a.liquid.state.tracers[n];
        EXPECT_LE(p.y, 0.4 * 16 + 0.1);
        EXPECT_EQ(p.x, b.liquid.state.tracers[n].x);
        const double from_ball = length(a.liquid.grid.h * Vec3{p.x, p.y, p.z} - Vec3{0.5, 0.2, 0.5});
        EXPECT_GT(from_ball, 0.2 - a.liquid.grid.h);
    }
}

TEST(Tracers, StayInTheLiquidOfADamBreak)
{
    Scene scene = tank({32, 16, 8});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.4, 1})};
    scene.tracers.count = 300;
    Simulation sim(scene);
    advanceTo(0.3, sim);
    int outside = 0;
    for (const Float3& p : sim.liquid.state.tracers)
        outside += trilinear(sim.liquid.state.phi, centerIndex(p)) > 0.5f * float(sim.liquid.grid.h);
    EXPECT_LE(outside, 6);  // those carried by an isolated drop too small for the grid
}

}  // namespace
}  // namespace flotsam
