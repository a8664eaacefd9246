// Bodies and liquid that move each other: small versions of `flotsam validate added-mass neutral drafts light`.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "coupling/variable_density.h"
#include "rigid/from_scene.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

struct Coupled {
    explicit Coupled(const Scene& scene_)
        : scene(scene_),
          world(makeWorld(scene)),
          sim(scene, [this](const Grid& grid) { return std::make_unique<VariableDensity>(scene, grid, world); })
    {
    }
    const BodyState& body() const { return world.state.bodies[0]; }

    Scene scene;
    RigidWorld world;
    Simulation sim;
};

// A ball in a pool; density over the liquid's.
Scene ballInPool(int cells, double depth_m, double radius_m, double density, double height_m)
{
    Scene scene = tank({cells, cells, cells});
    scene.liquid.viscosity_m2_s = 0;
    RegionSpec pool;
    pool.shape = PoolShape{depth_m, 0, 1, 1};
    scene.liquid.regions = {pool};
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BallShape{radius_m};
    ball.density_kg_m3 = density * scene.liquid.density_kg_m3;
    ball.position_m = {0.5, height_m, 0.5};
    scene.bodies = {ball};
    return scene;
}

// a / g = (1 - s) / (s + C), C = 1/2 (1 + 2 l^3) / (1 - l^3) in a sphere 1 / l times as large; here a cube is around
// it, with the surface above: between that and C = 1/2.
TEST(Coupling, ABallThatIsLetGoMovesWithTheLiquidAroundIt)
{
    for (const double s : {0.1, 0.55, 2.0, 9.0}) {
        Coupled run(ballInPool(36, 0.9, 1.0 / 6, s, 0.45));
        const double dt_s = 1e-3;
        run.sim.step(dt_s);
        const double a = run.body().v_m_s.y / dt_s / 9.81, l = 1.0 / 27;
        const double near = (1 - s) / (s + 0.5 * (1 + 2 * l) / (1 - l)), far = (1 - s) / (s + 0.5);
        EXPECT_GT(a / far, 0.97 * near / far) << s;
        EXPECT_LT(a / far, 1.03) << s;
    }
}

TEST(Coupling, ABallAsHeavyAsTheLiquidStaysWhereItIs)
{
    Coupled run(ballInPool(24, 0.8, 0.15, 1, 0.4));
    for (int n = 0; n < 20; ++n) run.sim.step(run.sim.stepTowards(run.sim.state.t_s + 0.01));
    EXPECT_LT(length(run.body().v_m_s), 1e-4);
    EXPECT_NEAR(run.body().x_m.y, 0.4, 1e-5);
}

// Released at the depth at which it displaces its weight (0.666 of its diameter for 0.74), it stays near it.
TEST(Coupling, AFloatingBallStaysAtItsDraft)
{
    constexpr double radius = 0.19, draft = 0.666;
    Coupled run(ballInPool(32, 0.5, radius, 0.74, 0.5 + radius - 2 * radius * draft));
    double sum = 0;
    int count = 0;
    while (run.sim.state.t_s < 1.5) {
        run.sim.step(run.sim.stepTowards(run.sim.state.t_s + 0.02));
        sum += run.body().x_m.y;
        ++count;
    }
    EXPECT_NEAR(sum / count, 0.5 + radius - 2 * radius * draft, 0.5 / 32);
    EXPECT_NEAR(run.sim.measureNow().volume_m3 / run.sim.state.volume_target_m3, 1, 0.01);
}

// The part of a disk's area below a line at this part of its diameter.
double areaBelow(double draft)
{
    const double angle = std::acos(1 - 2 * draft);
    return (angle - std::sin(angle) * std::cos(angle)) / std::numbers::pi;
}

TEST(Coupling, AFloatingDiskOfATwoDimensionalRunStaysAtItsDraft)
{
    constexpr double radius = 0.19, draft = 0.7;
    constexpr int cells = 48;
    Scene scene = ballInPool(cells, 0.5, radius, areaBelow(draft), 0.5 + radius - 2 * radius * draft);
    scene.domain.cells.z = 1;
    Coupled run(scene);
    double sum = 0;
    int count = 0;
    while (run.sim.state.t_s < 1.5) {
        run.sim.step(run.sim.stepTowards(run.sim.state.t_s + 0.02));
        sum += run.body().x_m.y;
        ++count;
    }
    EXPECT_NEAR(sum / count, 0.5 + radius - 2 * radius * draft, 0.5 / cells);
    EXPECT_NEAR(run.sim.measureNow().volume_m3 / run.sim.state.volume_target_m3, 1, 0.01);
    EXPECT_EQ(run.body().x_m.z, 0.5 / cells);
    EXPECT_EQ(run.body().v_m_s.z, 0);
    EXPECT_EQ(run.body().q.x, 0);
    EXPECT_EQ(run.body().q.y, 0);
}

TEST(Coupling, ABallAHundredTimesLighterThanTheLiquidDoesNotBlowUp)
{
    Coupled run(ballInPool(24, 0.5, 0.15, 0.01, 0.3));
    for (int n = 0; n < 200; ++n) {
        run.sim.step(run.sim.stepTowards(run.sim.state.t_s + 0.01));
        ASSERT_LT(length(run.body().v_m_s), 10) << run.sim.state.t_s;
    }
    EXPECT_GT(run.body().x_m.y, 0.5);
    EXPECT_LT(run.body().x_m.y, 0.75);
}

}  // namespace
}  // namespace flotsam
