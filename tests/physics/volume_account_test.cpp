// The volume account of the liquid: the loss of the surface, and the volume redistributed by the correction.
#include <gtest/gtest.h>

#include "tests/physics/scenes.h"
#include "validation/contact_line_cases.h"

namespace flotsam {
namespace {

Scene damBreak()
{
    Scene scene = tank({32, 24, 16});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.4, 0.5, 2})};
    return scene;
}

TEST(VolumeAccount, ACalmTankLosesNothingAndIsGivenNothingBack)
{
    Scene scene = tank({16, 16, 16});
    scene.liquid.regions = {pool(0.53)};
    Simulation sim(scene);
    advanceTo(0.5, sim);
    EXPECT_LT(sim.liquid.state.volume_given_back_m3, 1e-9);
    EXPECT_LT(std::abs(sim.liquid.state.volume_lost_m3), 1e-9);
}

// A pool with a target volume 2 % larger: the correction adds it, and the surface follows without further loss.
TEST(VolumeAccount, WhatTheCorrectionAddsIsWhatTheAccountHas)
{
    Scene scene = tank({24, 24, 24});
    scene.liquid.regions = {pool(0.53)};
    Simulation sim(scene);
    const double missing_m3 = 0.02 * sim.liquid.state.volume_m3;
    sim.liquid.state.volume_target_m3 += missing_m3;
    advanceTo(1, sim);
    EXPECT_NEAR(sim.liquid.state.volume_m3 / sim.liquid.state.volume_target_m3, 1, 1e-3);
    EXPECT_NEAR(sim.liquid.state.volume_given_back_m3 / missing_m3, 1, 0.05);  // 1.011
    EXPECT_NEAR(sim.liquid.state.volume_lost_m3 / missing_m3, 0, 0.05);        // 0.011
}

// Lost = corrected + still missing, to rounding; given_back is the sum of the magnitudes of the corrections.
TEST(VolumeAccount, OfADamBreakBalances)
{
    Simulation sim(damBreak());
    double corrected_m3 = 0, given_back_m3 = 0;
    double volume_m3 = sim.liquid.state.volume_m3, divergence_1_s = 0;
    advanceTo(0.6, sim, [&](const StepReport& step) {
        const double added_m3 = volume_m3 * divergence_1_s * step.dt_s;
        corrected_m3 += added_m3;
        given_back_m3 += std::abs(added_m3);
        volume_m3 = step.liquid.volume_m3;
        divergence_1_s = step.volume_correction_1_s;
    });
    EXPECT_GT(given_back_m3, 1e-5);
    EXPECT_NEAR(sim.liquid.state.volume_given_back_m3, given_back_m3, 1e-12);
    EXPECT_NEAR(sim.liquid.state.volume_lost_m3, corrected_m3 + sim.liquid.state.volume_target_m3 - volume_m3, 1e-12);
}

TEST(VolumeAccount, WithoutTheCorrectionNothingIsGivenBackAndTheLossIsWhatIsMissing)
{
    Scene scene = damBreak();
    scene.surface.volume_correction = false;
    Simulation sim(scene);
    advanceTo(0.5, sim);
    EXPECT_EQ(sim.liquid.state.volume_given_back_m3, 0);
    EXPECT_NEAR(sim.liquid.state.volume_lost_m3, sim.liquid.state.volume_target_m3 - sim.liquid.state.volume_m3, 1e-12);
}

TEST(VolumeAccount, AnInflowIsNoGainAndAnOutflowNoLoss)
{
    Scene scene = tank({32, 16, 16});
    scene.domain.open[0][1] = true;
    scene.liquid.regions = {pool(0.25)};
    scene.liquid.sources = {{BoxShape{{0.05, 0.3, 0.1}, {0.2, 0.4, 0.4}, {}}, {1, 0, 0}}};
    Simulation sim(scene);
    const double start_m3 = sim.liquid.state.volume_m3;
    double most_m3 = 0;
    advanceTo(0.5, sim, [&](const StepReport&) { most_m3 = std::max(most_m3, sim.liquid.state.volume_target_m3); });
    EXPECT_GT(most_m3, 1.002 * start_m3);                          // poured before anything reaches the opening: 1.0068
    EXPECT_LT(sim.liquid.state.volume_target_m3, 0.95 * most_m3);  // flowed out since: 0.913
    EXPECT_LT(std::abs(sim.liquid.state.volume_lost_m3), 0.015 * start_m3);  // 0.0114
}

// A source pours for exactly the time it is open, whatever the steps are: here for half a step within a step.
TEST(VolumeAccount, ASourcePoursForTheTimeItIsOpen)
{
    Scene scene = tank({24, 24, 1});
    scene.liquid.regions = {pool(0.5)};
    SourceSpec source{BoxShape{{0.3, 0.2, -1}, {0.4, 0.4, 1}, {}}, {1, 0, 0}};
    source.from_s = 0.105;
    source.to_s = 0.113;
    scene.liquid.sources = {source};
    Simulation sim(scene);
    const double start_m3 = sim.liquid.state.volume_target_m3, area_m2 = 0.2 / 24;
    advanceTo(0.3, sim);
    EXPECT_NEAR((sim.liquid.state.volume_target_m3 - start_m3) / (0.008 * area_m2), 1, 0.01);
}

// A source under water pushes out as much as it pours: the volume does not change. Without the inflow in the account
// the target grew by all that was poured, and the correction doubled the speed of the stream.
// The end of the nozzle is against a wall or a solid, or half of it: what cannot flow out is not missing.
TEST(VolumeAccount, ABlockedSourcePoursWhatItCan)
{
    const auto stream = [](BoxShape source, std::vector<SolidSpec> solids) {
        Scene scene = closedTank({48, 48, 1});
        scene.liquid.regions = {{PoolShape{0.3}, {}}};
        scene.liquid.sources = {{source, {1, 0, 0}}};
        scene.solids = std::move(solids);
        Simulation sim(scene);
        const double before_m3 = sim.liquid.state.volume_target_m3;
        advanceTo(0.3, sim, [](const StepReport&) {});
        return (sim.liquid.state.volume_target_m3 - before_m3) /
               (0.3 * 0.125 * sim.liquid.grid.h);  // relative to U A t
    };
    const BoxShape source{{0.25, 0.125, -1}, {0.5, 0.25, 1}, {}}, at_wall{{0.75, 0.125, -1}, {1.0, 0.25, 1}, {}};
    const BoxShape block{{0.5, 0, -1}, {0.6, 0.3, 1}, {}}, half_block{{0.5, 0, -1}, {0.6, 0.1875, 1}, {}};
    EXPECT_NEAR(stream(source, {}), 1, 0.01);
    EXPECT_LT(stream(at_wall, {}), 0.01);
    EXPECT_LT(stream(source, {fixedSolid(block)}), 0.01);
    EXPECT_NEAR(stream(source, {fixedSolid(half_block)}), 0.5, 0.01);
}

TEST(VolumeAccount, AStreamThroughAFullChannelGoesOnUnchanged)
{
    Scene scene = closedTank({48, 12, 1});
    scene.domain.gravity_m_s2 = {};
    scene.domain.open[0][1] = true;
    RegionSpec all{BoxShape{{0, 0, -1}, {1, 0.25, 1}, {}}, {}};
    all.velocity_m_s = {1, 0, 0};
    scene.liquid.regions = {all};
    scene.liquid.sources = {{BoxShape{{0, 0, -1}, {0.1, 0.25, 1}, {}}, {1, 0, 0}}};
    Simulation sim(scene);
    const double start_m3 = sim.liquid.state.volume_m3;
    double fastest = 0;
    advanceTo(0.5, sim, [&](const StepReport& step) {
        if (sim.liquid.state.step > 20) fastest = std::max(fastest, step.liquid.max_speed_m_s);
    });
    EXPECT_NEAR(sim.liquid.state.volume_m3 / start_m3, 1, 0.03);
    EXPECT_NEAR(sim.liquid.state.volume_m3 / sim.liquid.state.volume_target_m3, 1, 0.002);
    EXPECT_LT(fastest, 1.05);
}

}  // namespace
}  // namespace flotsam
