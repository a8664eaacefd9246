// The projection in complete simulations: pockets, hydrostatics, iterations.
#include <gtest/gtest.h>

#include "liquid/velocity.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

SolidSpec paddle()
{
    SolidSpec solid = solidOf(BoxShape{{0.2, 0.3, 0.42}, {0.8, 0.7, 0.58}, {}});
    solid.spin_rad_s = {0, 3, 0};
    return solid;
}

TEST(Pressure, ASealedFullBoxWithAMovingPaddleConverges)
{
    Scene scene = closedTank({24, 24, 24});
    scene.liquid.regions = {liquidEverywhere()};
    scene.solids = {paddle()};
    Simulation sim(scene);
    advanceTo(0.2, sim, [&](const StepReport& step) {
        EXPECT_TRUE(step.pressure.converged) << step.pressure.residual;
        EXPECT_LE(step.pressure.iterations, 40);  // of two solves
        EXPECT_EQ(step.pressure.sealed_pockets, 1);
        EXPECT_LT(step.max_divergence_1_s,
                  0.05);  // the tip of the paddle moves at 1 m/s over cells of 0.04 m
    });
    EXPECT_GT(sim.liquid.measureNow().max_speed_m_s, 0.3);  // the paddle stirs
    EXPECT_LT(sim.liquid.measureNow().max_speed_m_s, 3);
}

TEST(Pressure, TwoPocketsOfWhichOneHasNoAirConverge)
{
    Scene scene = closedTank({32, 24, 8});
    const double top = scene.domain.size_m().y;
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.5, 9, 9}), liquidBox({0.5, -1, -1}, {9, 0.5 * top, 9})};
    scene.solids = {solidOf(BoxShape{{0.45, -1, -1}, {0.55, 9, 9}, {}})};
    Simulation sim(scene);
    advanceTo(0.2, sim, [&](const StepReport& step) {
        EXPECT_TRUE(step.pressure.converged) << step.pressure.residual;
        EXPECT_EQ(step.pressure.sealed_pockets, 1);
    });
    EXPECT_LT(sim.liquid.measureNow().max_speed_m_s, 1e-5);  // both are at rest
}

TEST(Pressure, ASealedPocketWhoseWallsSqueezeItIsSolvedInTheLeastChangeSenseAndSaid)
{
    Scene scene = closedTank({16, 16, 16});
    scene.liquid.regions = {liquidEverywhere()};
    scene.surface.volume_correction = false;
    SolidSpec piston = solidOf(BoxShape{{-0.5, -9, -9}, {0.2, 9, 9}, {}});
    piston.velocity_m_s = {0.1, 0, 0};
    scene.solids = {piston};
    Simulation sim(scene);
    const StepReport step = sim.step(0.01);
    EXPECT_TRUE(step.pressure.converged) << step.pressure.residual;
    EXPECT_NEAR(step.pressure.sealed_imbalance, 0.1 / 0.8, 0.005);  // displaced by the piston from 0.8 m of liquid
    EXPECT_LT(step.liquid.max_speed_m_s, 0.11);
}

TEST(Pressure, AFullBoxWithNoAirRuns)
{
    Scene scene = closedTank({16, 16, 16});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    advanceTo(0.1, sim, [](const StepReport& step) { EXPECT_TRUE(step.pressure.converged); });
    const LiquidMeasures m = sim.liquid.measureNow();
    EXPECT_LT(m.max_speed_m_s, 1e-6);
    EXPECT_NEAR(m.volume_m3, 1, 1e-6);
}

// One projection after gravity acted for dt.
PressureReport pressUnderGravity(Simulation& sim, double dt_s)
{
    PressureReport report;
    setUpPressure(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    addGravity(sim.liquid.grid, sim.scene.domain.gravity_m_s2, dt_s, sim.liquid.state.active, sim.liquid.state.u);
    project(sim.liquid.grid, sim.scene.pressure, sim.liquid.solids, 0, sim.liquid.state, sim.liquid.scratch, report);
    return report;
}

TEST(Pressure, IsHydrostaticOverATiltedFloor)
{
    constexpr double depth_m = 0.63, dt_s = 0.01;
    Scene scene = tank({24, 24, 24});
    scene.liquid.regions = {pool(depth_m)};
    scene.solids = {solidOf(BoxShape{{-2, -2, -2}, {3, 0.2, 3}, {7, 0, 12}})};
    Simulation sim(scene);
    EXPECT_TRUE(pressUnderGravity(sim, dt_s).converged);
    double worst = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        const double expected = 1000 * 9.81 * (depth_m - sim.liquid.grid.h * (j + 0.5));
        if (expected <= 0 || (sim.liquid.solids.touches({i, j, k}) && sim.liquid.solids.distance(i, j, k) < 0)) return;
        worst =
            std::max(worst, std::abs(pressureAt(sim.liquid.grid, 1000, dt_s, sim.liquid.scratch, i, j, k) - expected));
    });
    EXPECT_LT(worst / (1000 * 9.81 * depth_m), 1e-5);
    EXPECT_LT(
        maxDivergence(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch) * sim.liquid.grid.h,
        1e-6);
}

TEST(Pressure, ConvergesWhereverAFlatSurfaceLies)
{
    for (int cells : {32, 48})
        for (double below_middle : {-1.9, -1.5, -1.02, -0.98, -0.52, -0.48, -0.1, 0.0, 0.02, 0.48, 0.52, 0.98, 1.3}) {
            Scene scene = tank({cells, cells, 16});
            scene.liquid.regions = {pool(0.5 - below_middle / cells)};
            Simulation sim(scene);
            const PressureReport report = pressUnderGravity(sim, 0.01);
            EXPECT_TRUE(report.converged)
                << cells << " cells, " << below_middle << " below the middle: " << report.residual;
            EXPECT_LE(report.iterations, 18) << cells << " cells, " << below_middle << " below the middle";
        }
}

TEST(Pressure, IterationsDoNotGrowFrom32To128Cells)
{
    for (const auto& [cells, ceiling] : {std::pair{32, 12}, {64, 12}, {128, 13}}) {  // measured 11, 11, 11
        Scene scene = tank({cells, cells, cells});
        scene.liquid.regions = {{PoolShape{0.5, 0.05, 3, 1}, {}}};
        Simulation sim(scene);
        const PressureReport report = pressUnderGravity(sim, 0.01);
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.iterations, ceiling) << cells << " cells a side";
    }
}

}  // namespace
}  // namespace flotsam
