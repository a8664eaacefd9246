// Contact of liquid with solids, walls and sources: small versions of `flotsam validate still leak volume`.
#include <gtest/gtest.h>

#include <algorithm>

#include "tests/physics/scenes.h"
#include "validation/contact_line_cases.h"

namespace flotsam {
namespace {

void expectStill(const StillScene& s, double seconds, const std::string& name)
{
    const StillResult r = keepStill(s.scene, s.depth_m, seconds, name);
    EXPECT_LT(r.speed, 1e-5) << name;
    EXPECT_LT(r.redistributed, 1e-4) << name;
    EXPECT_EQ(r.steps, r.wanted_steps) << name;
}

TEST(ContactLine, ABallStandingOnTheFloorLeavesTheWaterStill)
{
    for (const double gap_cells : {0.5, 0.2, 0.0, -0.1, -0.3, -0.5})
        expectStill(ballOnTheFloor({32, 24, 1}, gap_cells), 1, "gap " + std::to_string(gap_cells));
}

TEST(ContactLine, ABallStandingOnTheFloorLeavesTheWaterStillIn3D)
{
    for (const double gap_cells : {0.25, -0.25})
        expectStill(ballOnTheFloor({20, 22, 20}, gap_cells), 0.4, "gap " + std::to_string(gap_cells));
}

TEST(ContactLine, APlateThatDipsInLeavesTheWaterStill)
{
    for (const double deg : {3.0, 8.0, 20.0, 45.0})
        expectStill(dippingPlate({48, 32, 1}, deg), 1, std::to_string(deg) + " degrees");
}

TEST(ContactLine, ABeachLeavesTheWaterStill) { expectStill(beach({96, 24, 1}, 10), 1, "beach"); }

TEST(ContactLine, ABoxOfWaterFlushWithTheTankIsAsStillAsAPool)
{
    for (const bool against_solid : {false, true})
        for (const bool as_box : {false, true}) {
            StillScene s = flushWater(0.307, as_box, against_solid);
            s.scene.domain.cells = {30, 15, 15};
            expectStill(s, 0.5, std::string(as_box ? "box" : "pool") + (against_solid ? " on solid" : ""));
        }
}

TEST(ContactLine, AThinWallHoldsAMetreOfWater)
{
    for (const WallSpec& wall : {WallSpec{2, 0.5, 0}, WallSpec{1, 0, 0}, WallSpec{0.5, 0.3, 0}, WallSpec{0.1, 0, 0},
                                 WallSpec{0.1, 0.5, 0}, WallSpec{1, 0.3, 20}, WallSpec{0.1, 0.3, 20}}) {
        const LeakResult r = holdWater({28, 34, 1}, wall, 1, wall.name());
        EXPECT_LT(r.passed, 1e-3) << wall.name();
        EXPECT_EQ(r.particles, 0) << wall.name();
        EXPECT_EQ(r.wet, 0) << wall.name();
    }
}

void expectPoured(const SourceCase& what, double gate, bool correction = false)
{
    Pouring pouring = sourceCase(what);
    pouring.scene.surface.volume_correction = correction;
    const PourResult r = pour(pouring, what.name());
    EXPECT_LT(r.worst, gate) << what.name();
    EXPECT_NEAR(r.rate, 1, gate) << what.name();
}

TEST(ContactLine, ASourcePoursItsSpeedTimesItsArea)
{
    expectPoured({.kind = SourceKind::square_8, .stream_cells = 24}, 0.01);
    expectPoured({.kind = SourceKind::disk_8, .direction = {1, 0, 0}, .stream_cells = 24}, 0.01);
    expectPoured({.kind = SourceKind::square_3_3, .direction = {0, 1, 0}, .speed_m_s = 5, .stream_cells = 24}, 0.05);
}

// A disk at 30 or 45 degrees poured 6 % too much: liquid that left one cell of the nozzle could not pass the next.
TEST(ContactLine, ASourcePoursTheSameAtAnyAngle)
{
    for (const ObliqueKind kind : {ObliqueKind::disk, ObliqueKind::box_along_stream, ObliqueKind::box_along_axes})
        for (const double deg : {30.0, 45.0})
            EXPECT_NEAR(pour(obliqueSource(kind, deg), "oblique").rate, 1, 0.01) << int(kind) << " at " << deg;
}

TEST(ContactLine, ASlowSourcePoursItsSpeedTimesItsArea)
{
    expectPoured({.speed_m_s = 0.1, .gravity = true, .stream_cells = 16, .viscosity_m2_s = 1}, 0.01, true);
}

TEST(ContactLine, ASourceUnderWaterRaisesTheWater)
{
    expectPoured({.direction = {0, 1, 0}, .gravity = true, .under_water = true, .stream_cells = 20}, 0.01);
}

TEST(ContactLine, HoneyOnABlockIsWhatWasPoured)
{
    for (const bool no_slip : {false, true}) {
        const PourResult r = pour(honeyOnBlock(32, 0.1, no_slip, true, 0.5), "honey");
        EXPECT_LT(r.worst, 0.01) << (no_slip ? "no-slip" : "free-slip");
        EXPECT_LT(r.redistributed, 0.1) << (no_slip ? "no-slip" : "free-slip");
    }
}

// Near its rim the front of a ball is parallel to the stream: all of it must emit, or the stream is too narrow.
TEST(ContactLine, ABallPoursThroughTheWholeOfItsShadow)
{
    for (const Vec3 direction : {Vec3{0, -1, 0}, Vec3{1, 0, 0}, Vec3{0.6, 0, 0.8}}) {
        const SourceCase what{.kind = SourceKind::ball_8, .direction = direction, .stream_cells = 20};
        EXPECT_NEAR(pour(sourceCase(what), what.name()).rate, 1, 0.02) << direction.x << " " << direction.z;
    }
}

// Cells beside the nozzle that it fills but does not hold fell freely, faster in every step: 6.9 m/s after 0.7 s.
TEST(ContactLine, ARoundNozzlePointingDownHasNoLiquidBesideIt)
{
    Scene scene = tank({24, 32, 24});
    scene.domain.width_m = 0.75;
    const double h = scene.domain.h();
    for (const double radius_cells : {2.94, 3.53}) {
        const CylinderShape nozzle{{0.39, 0.74, 0.36}, radius_cells * h, 4 * h, {}};
        scene.liquid.sources = {{nozzle, {0, -1, 0}}};
        Simulation sim(scene);
        double fastest = 0;
        advanceTo(0.7, sim, [&](const StepReport& step) { fastest = std::max(fastest, step.liquid.max_speed_m_s); });
        EXPECT_LT(fastest, 1.2 * std::sqrt(1 + 2 * 9.81 * 0.8));  // the fall from the nozzle to the floor: 4.1 m/s
    }
}

// The stream spreads on the floor thinner than half a cell. The film thinned too fast: of each litre poured, nothing
// was left (here 43 % less than poured at the end).
TEST(ContactLine, AStreamOntoTheMiddleOfADryFloorFillsTheTank)
{
    Scene scene = tank({16, 40, 16});
    scene.domain.width_m = 0.4;
    scene.liquid.sources = {{CylinderShape{{0.2, 0.8, 0.2}, 0.08, 0.15, {}}, {0, -1, 0}}};
    Simulation sim(scene);
    double worst = 0;
    advanceTo(1.2, sim, [&](const StepReport& step) {
        if (sim.liquid.state.t_s > 0.3)
            worst = std::max(worst, std::abs(step.liquid.volume_m3 / sim.liquid.state.volume_target_m3 - 1));
    });
    EXPECT_LT(worst, 0.04);  // 0.022 measured
}

TEST(ContactLine, AViscousDropKeepsItsVolumeWhenItLands)
{
    for (const double nu : {0.1, 1.0})
        EXPECT_LT(keepVolume(viscousDrop({48, 36, 48}, nu), 0.35, "drop").largest_change, 0.005) << "nu " << nu;
}

TEST(ContactLine, ACalmTankKeepsItsVolumeWithoutTheCorrection)
{
    EXPECT_LT(keepVolume(calmTank({24, 16, 1}), 2, "calm").largest_change, 1e-6);
}

// The tank is 1 m wide. Particles are off: their positions are random.
Scene mirrorTank()
{
    Scene scene = tank({48, 32, 1});
    scene.surface.particles_per_cell = 0;
    return scene;
}

BoxShape boxOrMirrored(bool mirrored, Vec3 min_m, Vec3 max_m, double deg)
{
    if (!mirrored) return {min_m, max_m, {0, 0, deg}};
    return {{1 - max_m.x, min_m.y, min_m.z}, {1 - min_m.x, max_m.y, max_m.z}, {0, 0, -deg}};
}

// Two liquids, one of which should be the mirror image of the other.
struct MirrorPair {
    MirrorPair(const Scene& scene, const Scene& mirrored) : a(scene), b(mirrored) {}
    void step(int count)
    {
        for (int n = 0; n < count; ++n) a.step(0.01), b.step(0.01);
    }
    // The largest difference of phi near the surface [cells].
    double worstDifference()
    {
        double worst_cells = 0;
        forEachCell({{0, 0, 0}, a.liquid.grid.cells}, [&](int i, int j, int k) {
            const double here = double(a.liquid.state.phi.view()(i, j, k)),
                         there = double(b.liquid.state.phi.view()(a.liquid.grid.cells.x - 1 - i, j, k));
            if (std::min(std::abs(here), std::abs(there)) < a.liquid.grid.h)
                worst_cells = std::max(worst_cells, std::abs(here - there) / a.liquid.grid.h);
        });
        return worst_cells;
    }
    double energyRatio() { return b.liquid.measureNow().potential_energy_J / a.liquid.measureNow().potential_energy_J; }
    Simulation a, b;
};

TEST(ContactLine, SloshingAroundAMirroredPlateIsMirrored)
{
    Scene scenes[2];
    for (const bool mirrored : {false, true}) {
        Scene& scene = scenes[mirrored];
        scene = mirrorTank();
        scene.liquid.regions = {{PoolShape{0.4, mirrored ? -0.02 : 0.02, 1, 1}, {}}};
        scene.solids = {fixedSolid(boxOrMirrored(mirrored, {0.3, 0.38, -1}, {0.7, 0.5, 1}, 45))};
    }
    MirrorPair pair(scenes[0], scenes[1]);
    pair.step(40);
    EXPECT_LT(pair.worstDifference(), 0.05);
}

TEST(ContactLine, AViscousColumnThatMeetsAMirroredBlockIsMirrored)
{
    Scene scenes[2];
    for (const bool mirrored : {false, true}) {
        Scene& scene = scenes[mirrored];
        scene = mirrorTank();
        scene.liquid.viscosity_m2_s = 0.1;
        scene.liquid.regions = {{boxOrMirrored(mirrored, {-1, -1, -1}, {0.3, 0.4, 1}, 0), {}}};
        scene.solids = {fixedSolid(boxOrMirrored(mirrored, {0.45, -0.2, -1}, {0.65, 0.12, 1}, 12))};
    }
    MirrorPair pair(scenes[0], scenes[1]);
    pair.step(16);
    EXPECT_LT(pair.worstDifference(), 0.01);  // 0.0014
    // It meets the block at step 17. Which gaps are then filled depends on the residual of the pressure solver, 1e-5 of
    // a cell, and the two differ by one cell in places, but not in bulk.
    pair.step(24);
    EXPECT_NEAR(pair.energyRatio(), 1, 0.01);
    EXPECT_NEAR(pair.b.liquid.state.volume_m3 / pair.a.liquid.state.volume_m3, 1, 0.01);
}

TEST(ContactLine, HalfTheTimeStepGivesNearlyTheSamePuddle)
{
    double potential_J[2], volume_m3[2];
    for (const int n : {0, 1}) {
        Scene scene = viscousDrop({40, 30, 40}, 1);
        scene.time.max_dt_s = 1.0 / (n == 0 ? 60 : 120);
        scene.time.cfl = n == 0 ? 1 : 0.5;
        Simulation sim(scene);
        advanceTo(0.4, sim);
        potential_J[n] = sim.liquid.measureNow().potential_energy_J, volume_m3[n] = sim.liquid.measureNow().volume_m3;
    }
    // 0.0053. The volume of the puddle grows with the number of steps, 0.5 % more for each halving: liquid.md, section
    // 9.
    EXPECT_NEAR(volume_m3[1] / volume_m3[0], 1, 0.01);
    EXPECT_NEAR(potential_J[1] / potential_J[0], 1, 0.03);
}

}  // namespace
}  // namespace flotsam
