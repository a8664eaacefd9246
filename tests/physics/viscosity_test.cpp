// Viscous flows against exact solutions, on small grids; `flotsam validate` has the larger ones.
#include <gtest/gtest.h>

#include "liquid/velocity.h"
#include "tests/physics/scenes.h"
#include "validation/viscous_flows.h"

namespace flotsam {
namespace {

constexpr ViscousStress both_forms[] = {ViscousStress::component, ViscousStress::full};

TEST(Viscosity, APoiseuilleFlowIsAParabolaToSecondOrder)
{
    for (ViscousStress stress : both_forms) {
        const double coarse = poiseuilleError(8, stress), fine = poiseuilleError(16, stress);
        EXPECT_LT(fine, 0.01);                     // 0.0039
        EXPECT_GT(std::log2(coarse / fine), 1.8);  // 2.00
    }
}

TEST(Viscosity, ACouetteFlowIsLinearWhereverTheLidLiesBetweenTheCells)
{
    for (ViscousStress stress : both_forms)
        for (double part : {0.0, 0.37, 0.499, 0.5, 0.501, 0.8})
            EXPECT_LT(couetteError(8, stress, 1 - part / 8), 1e-3) << part;
}

TEST(Viscosity, TwoLayersShareTheForceAsTheyShould)
{
    const TwoLayerFlow flow = twoLayerFlow(32, ViscosityMean::geometric, ViscousStress::full);
    EXPECT_NEAR(flow.interface_m_s / 0.022727, 1, 0.03);
    EXPECT_NEAR(flow.flux_below_m2_s / 0.016098, 1, 0.03);
    EXPECT_NEAR(flow.flux_above_m2_s / 0.006723, 1, 0.03);
}

TEST(Viscosity, ATaylorGreenEddyDecaysToSecondOrderInSpace)
{
    for (ViscousStress stress : both_forms) {
        const double coarse = taylorGreenAmplitude(8, stress, 0.01) - 1,
                     fine = taylorGreenAmplitude(16, stress, 0.01) - 1;
        EXPECT_LT(std::abs(fine), 2e-3);
        EXPECT_GT(std::log2(std::abs(coarse / fine)), 1.8);
    }
}

TEST(Viscosity, ThickLiquidFallsAsFastAsAnyOther)
{
    for (ViscousStress stress : both_forms)
        for (Loop loop : {Loop::two_projections, Loop::one_projection}) EXPECT_LT(viscousFallError(stress, loop), 1e-3);
}

TEST(Viscosity, OnlyTheFullStressLetsABallTurn)
{
    EXPECT_NEAR(angularMomentumLeft(16, ViscousStress::full), 1, 0.01);
    EXPECT_LT(angularMomentumLeft(16, ViscousStress::component), 0.5);
}

// Of a box with a moving lid, after one second with this time step.
double energyUnderALid(double dt_s)
{
    Scene scene = closedTank({32, 32, 1});
    scene.domain.no_slip = true;
    scene.domain.gravity_m_s2 = {};
    scene.time.max_dt_s = dt_s;
    scene.surface.particles_per_cell = 0;
    scene.liquid.regions = {liquidEverywhere()};
    scene.liquid.viscosity_m2_s = 5e-4;
    SolidSpec lid = solidOf(BoxShape{{-99, 0.8, -99}, {99, 99, 99}, {}});
    lid.velocity_m_s = {1, 0, 0};
    scene.solids = {lid};
    Simulation sim(scene);
    for (int n = 0; n < int(std::lround(1 / dt_s)); ++n) sim.step(dt_s);
    return sim.liquid.measureNow().kinetic_energy_J;
}

// Steps of 1/600 s are too short for a viscous solve each (eq. 9): without the sum of the skipped times the lid would
// move nothing.
TEST(Viscosity, ActsTheSameInShortStepsAsInLongOnes)
{
    const double coarse_J = energyUnderALid(1.0 / 60), fine_J = energyUnderALid(1.0 / 600);
    EXPECT_NEAR(fine_J / coarse_J, 1, 0.03);  // 0.998
}

TEST(Viscosity, ThatIsZeroIsNeverSolvedFor)
{
    Scene scene = tank({16, 16, 16});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.5, 0.5, 2})};
    scene.liquid.viscosity_m2_s = 0;
    Simulation sim(scene);
    for (int n = 0; n < 20; ++n) EXPECT_EQ(sim.step(1.0 / 60).viscosity.iterations, 0);
    EXPECT_EQ(sim.liquid.state.viscosity_not_applied_m2, 0);
}

// Water whose viscous solve was postponed and that becomes honey must not count as honey for the skipped time.
TEST(Viscosity, ThatJumpsActsOnlyFromThenOn)
{
    Scene scene = closedTank({16, 16, 16});
    scene.domain.gravity_m_s2 = {};
    scene.domain.no_slip = true;
    scene.liquid.regions = {liquidEverywhere()};
    scene.liquid.viscosity_m2_s = 1e-7;
    Simulation sim(scene);
    takeSteps(50, 1.0 / 60, sim);
    EXPECT_GT(sim.liquid.state.viscosity_not_applied_m2, 0);
    sim.scene.liquid.viscosity_m2_s = 1;
    setVelocity(sim, [](Vec3 p) { return Vec3{std::sin(6.2832 * p.y), 0, 0}; });
    const double before_J = sim.liquid.measureNow().kinetic_energy_J;
    ViscosityReport report;
    applyViscosity(sim.liquid.grid, sim.scene.liquid, sim.liquid.solids, 1e-4, sim.liquid.state, sim.liquid.scratch,
                   report);
    EXPECT_GT(report.iterations, 0);
    EXPECT_GT(sim.liquid.measureNow().kinetic_energy_J, 0.8 * before_J);  // 0.88; otherwise nothing is left of it
}

// A surface 0.7 cells from a wall does not touch it. A coupling term from the small liquid fraction of the last cell
// would stop a strand of paste there, which then slides down.
TEST(Viscosity, AWallHoldsNothingBeforeItIsTouched)
{
    for (ViscousStress stress : both_forms) {
        Scene scene = closedTank({16, 16, 16});
        scene.domain.no_slip = true;
        scene.domain.gravity_m_s2 = {};
        scene.surface.volume_correction = false;
        scene.liquid.regions = {liquidBox({0.3, 0.3, 0.3}, {1 - 0.7 / 16, 0.7, 0.7}, {1, 0, 0})};
        scene.liquid.viscosity_m2_s = 1e3;
        scene.liquid.viscous_stress = stress;
        Simulation sim(scene);
        sim.step(1e-4);
        EXPECT_NEAR(sim.liquid.state.u.u[0].view()(14, 8, 8), 1.0f, 1e-4f);
        EXPECT_NEAR(sim.liquid.state.u.u[0].view()(8, 8, 8), 1.0f, 1e-4f);
    }
}

TEST(Viscosity, HoneyInATankAtRestStaysAtRest)
{
    for (bool no_slip : {false, true}) {
        Scene scene = tank({16, 16, 16});
        scene.domain.no_slip = no_slip;
        scene.liquid.regions = {pool(0.53)};
        scene.liquid.viscosity_m2_s = 1;
        Simulation sim(scene);
        advanceTo(0.2, sim);
        EXPECT_LT(sim.liquid.measureNow().max_speed_m_s, 1e-5);  // measured 1.2e-7
    }
}

// A viscosity contrast of 1e5 between blocks of cells.
TEST(Viscosity, AContrastOf1e5InsideOneLiquidConverges)
{
    for (ViscousStress stress : both_forms) {
        Scene scene = tank({32, 32, 32});
        scene.domain.no_slip = true;
        scene.liquid.regions = {pool(0.61), drop({0.4, 0.3, 0.5}, 0.2), drop({0.7, 0.3, 0.4}, 0.1, {1, 0, 0})};
        scene.liquid.viscosity_m2_s = 1e-4;
        scene.liquid.regions[1].viscosity_m2_s = 10;
        scene.liquid.viscous_stress = stress;
        Simulation sim(scene);
        for (int n = 0; n < 3; ++n) {
            const StepReport step = sim.step(1.0 / 60);
            EXPECT_TRUE(step.viscosity.converged);
            EXPECT_LE(step.viscosity.residual, 1e-6);
            EXPECT_GT(step.viscosity.iterations, 0);
            EXPECT_LE(step.viscosity.iterations, stress == ViscousStress::full ? 80 : 120);
        }
    }
}

// Drops that touch in a few cells can rotate about their contacts at almost no energy. A preconditioner of single
// components assigns that the energy of a shear motion: alone, it leaves a residual of 0.004 after 300 iterations.
TEST(Viscosity, TowersOfDropsThatTouchInAFewCellsConverge)
{
    Scene scene = tank({32, 48, 32});
    scene.domain.no_slip = true;
    for (int tower = 0; tower < 4; ++tower)
        for (int n = 0; n < 6; ++n) {
            const double angle = 2.4 * n + tower, x = 0.3 + 0.4 * (tower % 2), z = 0.3 + 0.4 * (tower / 2);
            const Vec3 center_m{x + 0.05 * std::cos(angle), 0.09 + 0.18 * n, z + 0.05 * std::sin(angle)};
            scene.liquid.regions.push_back(drop(center_m, 0.1));
        }
    scene.liquid.viscosity_m2_s = 1e4;
    Simulation sim(scene);
    for (int n = 0; n < 3; ++n) {
        const StepReport step = sim.step(1.0 / 60);
        EXPECT_TRUE(step.viscosity.converged);
        EXPECT_LE(step.viscosity.iterations, 60);  // measured 37
    }
}

TEST(Viscosity, WaterOnACoarseGridSkipsTheSolveAndZeroSwitchesItOff)
{
    Scene scene = tank({16, 16, 16});
    scene.liquid.regions = {liquidBox({0, 0, 0}, {0.4, 0.6, 1})};
    for (double nu : {0.0, 1e-6}) {
        scene.liquid.viscosity_m2_s = nu;
        Simulation sim(scene);
        EXPECT_EQ(sim.step(0.01).viscosity.iterations, 0);
    }
    scene.liquid.viscosity_m2_s = 0.01;
    Simulation sim(scene);
    sim.step(0.01);
    EXPECT_GT(sim.step(0.01).viscosity.iterations, 0);
}

// A front of 1 : 1000 in a stream, advected across half the tank in steps of 0.4 cells.
TEST(Viscosity, AFrontIsCarriedWithTheLiquidAndStaysSharp)
{
    Scene scene = closedTank({64, 8, 1});
    scene.domain.open[0][0] = scene.domain.open[0][1] = true;
    scene.liquid.regions = {liquidEverywhere(), liquidBox({-9, -9, -9}, {0.25, 9, 9})};
    scene.liquid.viscosity_m2_s = 0.001;
    scene.liquid.regions[1].viscosity_m2_s = 1;
    Simulation sim(scene);
    setVelocity(sim, [](Vec3) { return Vec3{1, 0, 0}; });
    const int steps = 80;
    for (int n = 0; n < steps; ++n) {
        moveViscosity(sim.liquid.grid, 0.4 / 64, sim.liquid.state, sim.liquid.scratch);
        extendViscosity(sim.liquid.grid, scene.liquid, sim.liquid.state, sim.liquid.scratch);
    }
    int between = 0;
    double place = 0;
    for (int i = 0; i < 64; ++i) {
        const double part = std::log10(double(sim.liquid.state.viscosity.view()(i, 4, 0)) / 0.001) / 3;
        EXPECT_GE(part, -1e-4);
        EXPECT_LE(part, 1 + 1e-4);
        between += part > 0.1 && part < 0.9;
        place += part;
    }
    EXPECT_NEAR(place, 16 + 0.4 * steps, 1.5);  // measured 0.99 cells behind
    EXPECT_LE(between, 7);                      // measured 6
}

// A two-dimensional strand extending from a source bends under its weight like a beam of Young's modulus E under the
// same load, with the strain rate for the strain. E is 2 mu if viscosity and pressure are solved one after the other, w
// = g L^4 (12 / a^2) / (8 2 nu); solved together it would be 4 mu: docs/methods/viscosity.md, section 3.
TEST(Viscosity, AStrandThatAnInflowHoldsSagsAsABeamDoes)
{
    Scene scene = tank({64, 64, 1});
    const double a = 8. / 64, length_m = 32. / 64, nu = 1e4;
    scene.liquid.regions = {liquidBox({0.2, 0.5, -1}, {0.2 + 8. / 64 + length_m, 0.5 + a, 1})};
    SourceSpec source;
    source.shape = BoxShape{{0.2, 0.5, -1}, {0.2 + 8. / 64, 0.5 + a, 1}, {}};
    scene.liquid.sources = {source};
    scene.liquid.viscosity_m2_s = nu;
    Simulation sim(scene);
    for (int n = 0; n < 3; ++n) EXPECT_TRUE(sim.step(1.0 / 60).viscosity.converged);
    const int tip = int((0.2 + 8. / 64 + length_m) * 64) - 1, middle = int((0.5 + 0.5 * a) * 64);
    const double sag_m_s = -double(sim.liquid.state.u.u[1].view()(tip, middle, 0));
    // Measured 1.12: a beam four times as long as thick also shears, which adds 0.05.
    EXPECT_NEAR(sag_m_s / (12 * 9.81 * std::pow(length_m, 4) / (16 * nu * a * a)), 1, 0.2);
}

TEST(Viscosity, WhatASourcePoursKeepsItsOwn)
{
    Scene scene = tank({24, 24, 24});
    scene.liquid.regions = {pool(0.2)};
    scene.liquid.viscosity_m2_s = 1e-3;
    SourceSpec source{SphereShape{{0.5, 0.8, 0.5}, 0.12}, {0, -1, 0}};
    source.viscosity_m2_s = 0.5;
    scene.liquid.sources = {source};
    Simulation sim(scene);
    advanceTo(0.15, sim);
    EXPECT_NEAR(sim.liquid.state.viscosity.view()(12, 19, 12), 0.5f, 1e-3f);
    EXPECT_NEAR(sim.liquid.state.viscosity.view()(12, 15, 12), 0.5f, 0.05f);  // below the source: poured
    EXPECT_NEAR(sim.liquid.state.viscosity.view()(12, 2, 12), 1e-3f, 1e-5f);
}

}  // namespace
}  // namespace flotsam
