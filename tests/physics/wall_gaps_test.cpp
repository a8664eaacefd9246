// Liquid that reaches a wall: docs/methods/surface.md, section 4a.
#include <gtest/gtest.h>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

// A layer of water across the tank falls freely, reaches the floor, and is at rest from then on.
TEST(WallGaps, ALayerThatFallsOntoTheFloorIsAtRestWithAllItsVolume)
{
    constexpr double height_m = 0.113, thickness_m = 0.3;
    Scene scene = tank({32, 32, 1});
    scene.surface.volume_correction = false;
    scene.liquid.regions = {liquidBox({-1, height_m, -1}, {2, height_m + thickness_m, 1})};
    Simulation sim(scene);
    const double volume_m3 = sim.liquid.state.volume_m3, g = length(scene.domain.gravity_m_s2);
    const double lands_s = std::sqrt(2 * height_m / g);
    double fastest_m_s = 0, worst = 0, after_m_s = 0;
    advanceTo(0.4, sim, [&](const StepReport& step) {
        worst = std::max(worst, std::abs(step.liquid.volume_m3 / volume_m3 - 1));
        fastest_m_s = std::max(fastest_m_s, step.liquid.max_speed_m_s);
        if (sim.liquid.state.t_s > lands_s + 3 * step.dt_s) after_m_s = std::max(after_m_s, step.liquid.max_speed_m_s);
    });
    EXPECT_NEAR(fastest_m_s, g * (lands_s - 0.01), 0.01 * g);  // steps of 0.01 s: the last before it lands
    EXPECT_LT(worst, 0.01);
    EXPECT_LT(after_m_s, 0.02 * g * lands_s);
}

// The pressure pulls no liquid into a gap, and no more enters than fits. The second projection uses the state chosen in
// the first, so both hold except for changes in between.
TEST(WallGaps, NothingIsPulledAndNoMoreComesThanTheGapHolds)
{
    Scene scene = tank({40, 32, 40});
    scene.liquid.regions = {drop({0.48, 0.3, 0.51}, 0.2, {0.7, -1, 0})};
    Simulation sim(scene);
    int gaps = 0, pulled = 0, too_much = 0;
    advanceTo(0.3, sim, [&](const StepReport&) {
        const PoissonLevel& level = sim.liquid.scratch.pressure.fine();
        for (const LiquidScratch::GapFlow& gap : sim.liquid.scratch.gap_flows) {
            const double q =
                sim.liquid.scratch.pressure.solution().data()[level.slots.index(gap.cell.x, gap.cell.y, gap.cell.z)];
            ++gaps;
            pulled += gap.is_filled && gap.theta > 0 && q < -0.02;
            too_much += !gap.is_filled && gap.flow_m_s > 1.1f * gap.fills_m_s;
        }
    });
    EXPECT_GT(gaps, 100);
    EXPECT_LE(pulled, 0.02 * gaps);  // 0 of 117, and so are
    EXPECT_LE(too_much, 0.02 * gaps);
}

}  // namespace
}  // namespace flotsam
