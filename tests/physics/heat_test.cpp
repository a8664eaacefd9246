// Heat in a liquid: small versions of the cases of `flotsam validate`, and tests of its motion.
#include <gtest/gtest.h>

#include <numbers>

#include "tests/physics/scenes.h"
#include "validation/heat_cases.h"

namespace flotsam {
namespace {

// f(T) for each cell whose centre is liquid.
template <class F>
void forLiquid(Simulation& sim, const F& f)
{
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        if (sim.liquid.state.phi.view()(i, j, k) < 0) f(double(sim.liquid.state.temperature.view()(i, j, k)));
    });
}

TEST(Heat, ACosineDecaysByTheSchemesOwnFactorAndKeepsItsHeat)
{
    CosineMode mode({20, 12, 9}, 1e-3);
    for (int n = 0; n < 10; ++n) mode.step(0.5);
    EXPECT_LT(mode.amplitude, 0.95);
    EXPECT_LT(mode.error(), 1e-6);  // 2e-7: float resolution at 400 K
    EXPECT_NEAR(mode.sim.liquid.heatNow() / mode.heat_J, 1, 1e-8);
}

TEST(Heat, AHotWallsFrontIsTheErrorFunctionAndConvergesWithOrderTwo)
{
    const double coarse = erfError(32, 64), fine = erfError(64, 256);
    EXPECT_LT(fine, 0.01);  // 0.0010
    EXPECT_NEAR(std::log2(coarse / fine), 2, 0.2);
}

TEST(Heat, MeltingWithLatentHeatFollowsStefan)
{
    double front_m = 0, exact_m = 0;
    EXPECT_LT(stefanError(64, 0.1, 0.2200163, front_m, exact_m), 0.02);  // 0.0007
    EXPECT_LT(stefanError(64, 1, 0.6200626, front_m, exact_m), 0.02);    // 0.0036
}

TEST(Heat, AClosedInsulatedTankThatSloshesKeepsItsHeatAndItsRange)
{
    for (HeatConvection scheme : {HeatConvection::upwind, HeatConvection::semi_lagrangian, HeatConvection::cubic}) {
        const SloshedHeat tank = sloshHeat(scheme, {32, 24, 1}, 1);
        EXPECT_LT(tank.change, 1e-5) << heat_convection_words[int(scheme)];
        EXPECT_LT(tank.below_K, 0.1) << heat_convection_words[int(scheme)];
        EXPECT_LT(tank.above_K, 0.1) << heat_convection_words[int(scheme)];
    }
}

TEST(Heat, TheLastOfTheRegionsThatHoldACellGivesItsTemperature)
{
    Scene scene = closedTank({20, 20, 1});
    scene.liquid.regions = {pool(0.8), liquidBox({0.2, 0.2, -1}, {0.4, 0.4, 1})};
    scene.liquid.regions[1].temperature_K = 340;
    scene.heat.on = true;
    Simulation sim(scene);
    double hot = 0, all = 0;
    forLiquid(sim, [&](double T) { hot += T == 340, all += 1; });
    EXPECT_EQ(hot, 16);
    EXPECT_EQ(all, 320);
    EXPECT_FLOAT_EQ(sim.liquid.state.temperature.view()(5, 16, 0), 293.15f);  // above the surface: extended outwards
}

TEST(Heat, ASplashOfEvenTemperatureStaysEven)
{
    Scene scene = closedTank({32, 24, 12});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.5, 9})};
    scene.solids = {solidOf(BoxShape{{0.6, -1, 0.1}, {0.75, 0.15, 0.25}, {}})};
    scene.heat.on = true;
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow();
    advanceTo(0.8, sim);
    forLiquid(sim, [](double T) { EXPECT_NEAR(T, 293.15, 1e-3); });
    EXPECT_NEAR(sim.liquid.heatNow() / start_J, 1, 1e-7);
}

TEST(Heat, AFallingDropTakesItsTemperatureAlong)
{
    Scene scene = tank({24, 48, 24});
    scene.liquid.regions = {drop({0.5, 1.6, 0.5}, 0.2)};
    scene.liquid.regions[0].temperature_K = 340;
    scene.heat.on = true;
    Simulation sim(scene);
    advanceTo(0.4, sim);  // 0.78 m: almost four radii
    int cells = 0;
    forLiquid(sim, [&](double T) {
        EXPECT_NEAR(T, 340, 1e-3);
        ++cells;
    });
    EXPECT_GT(cells, 300);
}

TEST(Heat, CubicConvectionKeepsAHotSpotBest)
{
    const TurnedSpot upwind = rotateHotSpot(HeatConvection::upwind, 48, 150),
                     linear = rotateHotSpot(HeatConvection::semi_lagrangian, 48, 150),
                     cubic = rotateHotSpot(HeatConvection::cubic, 48, 150);
    EXPECT_LT(cubic.error, 0.5 * linear.error);
    EXPECT_LT(cubic.error, 0.5 * upwind.error);
    EXPECT_GT(cubic.peak, 0.7);  // 0.87 at 64 cells; the others 0.19 and 0.26
    EXPECT_LT(cubic.peak, 1 + 1e-6);
}

TEST(Heat, APowerGivesItsJoules)
{
    Scene scene = tank({16, 16, 8});
    scene.liquid.regions = {pool(0.53)};
    scene.heat.on = true;
    HeatSourceSpec source;
    source.shape = SphereShape{{0.5, 0.5, 0.25}, 0.2};  // extends beyond the liquid
    source.power_W = 2e5;
    source.from_s = 0.1;
    source.to_s = 0.3;
    scene.heat.sources = {source};
    scene.time.max_dt_s = 0.02;
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow();
    takeSteps(20, 0.02, sim);
    // Ten steps start within the window; float's steps at 293 K are worth some joules.
    EXPECT_NEAR((sim.liquid.heatNow() - start_J) / 4e4, 1, 0.01);
}

TEST(Heat, AFaintPowerIsNotLostToRounding)
{
    Scene scene = closedTank({32, 32, 8});
    scene.liquid.regions = {liquidEverywhere()};
    scene.domain.gravity_m_s2 = {};
    scene.heat.on = true;
    HeatSourceSpec source;
    source.shape = BoxShape{{-9, -9, -9}, {9, 9, 9}, {}};
    source.power_W = 100;  // 1.2e-6 K per step, where floats are 3.1e-5 K apart
    scene.heat.sources = {source};
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow();
    takeSteps(50, 0.0125, sim);
    EXPECT_NEAR((sim.liquid.heatNow() - start_J) / (100 * 50 * 0.0125), 1, 0.03);
}

TEST(Heat, AHeldSourceStaysAsHotAsItIsToldAndWarmsWhatIsAround)
{
    Scene scene = closedTank({24, 24, 1});
    scene.domain.gravity_m_s2 = {};
    scene.liquid.regions = {liquidEverywhere()};
    scene.heat.on = true;
    scene.heat.diffusivity_m2_s = 1e-3;
    HeatSourceSpec source;
    source.shape = BoxShape{{-1, -1, -1}, {0.25, 2, 2}, {}};
    source.temperature_K = 400;
    scene.heat.sources = {source};
    Simulation sim(scene);
    takeSteps(3000, 1, sim);
    forLiquid(sim, [](double T) { EXPECT_NEAR(T, 400, 0.01); });
    sim.liquid.state.temperature.view()(20, 3, 0) = 300;
    sim.step(1);
    EXPECT_EQ(sim.liquid.state.temperature.view()(2, 3, 0), 400);
    EXPECT_LT(sim.liquid.state.temperature.view()(20, 3, 0), 399);
}

// Newton's law for a ball of high conductivity: T - T_air decays with 3 h / (rho c R).
TEST(Heat, ABallCoolsToTheAirByItsArea)
{
    Scene scene = tank({32, 32, 32});
    scene.domain.gravity_m_s2 = {};
    scene.liquid.regions = {drop({0.5, 0.5, 0.5}, 0.3)};
    scene.surface.particles_per_cell = 0;
    scene.heat.on = true;
    scene.heat.temperature_K = 380;
    scene.heat.air_K = 280;
    scene.heat.air_transfer_W_m2_K = 1000;
    scene.heat.diffusivity_m2_s = 1;
    Simulation sim(scene);
    const double rate_1_s = 3 * 1000 / (1000 * 4186 * 0.3);
    takeSteps(50, 4, sim);
    const double mean_K = measureHeat(sim.liquid.grid, sim.liquid.solids, scene.heat, sim.liquid.state).mean_K();
    EXPECT_NEAR(std::log(100 / (mean_K - 280)) / (rate_1_s * 200), 1, 0.01);  // 0.997
}

TEST(Heat, WallsOfOneTemperatureBringAllToIt)
{
    Scene scene = closedTank({16, 16, 16});
    scene.liquid.regions = {liquidEverywhere()};
    scene.domain.gravity_m_s2 = {};
    scene.solids = {solidOf(SphereShape{{0.5, 0.5, 0.5}, 0.2})};
    scene.heat.on = true;
    scene.heat.walls_K = 310;
    scene.heat.diffusivity_m2_s = 1e-2;
    Simulation sim(scene);
    takeSteps(60, 1, sim);
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        if (sim.liquid.scratch.heat.fraction.view()(i, j, k) == 0) return;
        EXPECT_NEAR(sim.liquid.state.temperature.view()(i, j, k), 310, 0.01);
    });
}

// A ball in a large liquid takes in 4 pi R^2 rho c dT (k t / R + 2 sqrt(k t / pi)).
TEST(Heat, AHotSolidBallGivesTheHeatThatFourierSays)
{
    Scene scene = tank({32, 32, 32});
    scene.domain.gravity_m_s2 = {};
    for (auto& axis : scene.domain.open) axis[0] = axis[1] = true;  // no walls except the ball
    scene.liquid.regions = {liquidEverywhere()};
    constexpr double radius_m = 0.25, hotter_K = 50;
    scene.solids = {solidOf(SphereShape{{0.51, 0.49, 0.5}, radius_m})};
    scene.surface.particles_per_cell = 0;
    scene.heat.on = true;
    scene.heat.temperature_K = 300;
    scene.heat.walls_K = 300 + hotter_K;
    scene.heat.diffusivity_m2_s = 1e-3;
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow(), pi = std::numbers::pi;
    takeSteps(100, 0.1, sim);
    const double kt = 1e-3 * 10;
    const double theory_J =
        4 * pi * radius_m * radius_m * 1000 * 4186 * hotter_K * (kt / radius_m + 2 * std::sqrt(kt / pi));
    EXPECT_NEAR((sim.liquid.heatNow() - start_J) / theory_J, 1, 0.05);  // 0.981, 8 cells of radius
}

TEST(Heat, AnInflowBringsItsHeat)
{
    Scene scene = closedTank({64, 64, 1});
    scene.liquid.regions = {pool(0.2)};
    scene.liquid.regions[0].temperature_K = 300;
    SourceSpec source;
    source.shape = BoxShape{{0.4, 0.8, -1}, {0.6, 0.9, 1}, {}};
    source.velocity_m_s = {0, -1, 0};
    source.temperature_K = 360;
    scene.liquid.sources = {source};
    scene.heat.on = true;
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow(), start_m3 = sim.liquid.state.volume_target_m3;
    advanceTo(0.5, sim);
    const double came_m3 = sim.liquid.state.volume_target_m3 - start_m3;
    EXPECT_GT(came_m3, 0.3 * start_m3);
    EXPECT_NEAR((sim.liquid.heatNow() - start_J) / (1000 * 4186 * 360 * came_m3), 1, 0.01);
    forLiquid(sim, [](double T) {
        EXPECT_GT(T, 299.99);
        EXPECT_LT(T, 360.01);
    });
}

TEST(Heat, OutflowTakesItsHeatAlong)
{
    Scene scene = tank({32, 24, 1});
    scene.domain.open[0][1] = true;
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {2, 0.3, 1})};
    scene.liquid.regions[0].temperature_K = 350;
    scene.heat.on = true;
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow(), start_m3 = sim.liquid.state.volume_target_m3;
    advanceTo(0.5, sim);
    EXPECT_LT(sim.liquid.state.volume_target_m3, 0.8 * start_m3);
    EXPECT_NEAR(sim.liquid.heatNow() / start_J, sim.liquid.state.volume_target_m3 / start_m3, 1e-5);
}

// Wax against the right wall: the cold half stays in place, the hot half flows off to the left.
TEST(Heat, OnlyTheHotHalfOfABlobFlowsWhereColdIsStiff)
{
    Scene scene = tank({32, 24, 6});
    scene.liquid.regions = {liquidBox({0.4, -1, -1}, {0.7, 0.5, 1}), liquidBox({0.7, -1, -1}, {2, 0.5, 1})};
    scene.liquid.regions[0].temperature_K = 400;
    scene.liquid.regions[1].temperature_K = 300;
    scene.heat.on = true;
    scene.heat.viscosity = {ViscosityLaw::quadratic, 310, 390, 1e4, 1e-3, {}};
    Simulation sim(scene);
    EXPECT_FLOAT_EQ(sim.liquid.state.viscosity.view()(15, 4, 2), 1e-3f);
    EXPECT_FLOAT_EQ(sim.liquid.state.viscosity.view()(28, 4, 2), 1e4f);
    advanceTo(0.15, sim, [](const StepReport& step) { EXPECT_TRUE(step.viscosity.converged); });
    double hot = 0, cold = 0;  // sums of squared speeds
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        if (sim.liquid.state.phi.view()(i, j, k) >= 0) return;
        const bool is_hot = sim.liquid.state.temperature.view()(i, j, k) > 350;
        for (int axis = 0; axis < 3; ++axis)
            (is_hot ? hot : cold) += std::pow(double(sim.liquid.state.u.u[axis].view()(i, j, k)), 2);
    });
    EXPECT_GT(hot, 1000 * cold);  // 15000; with one viscosity of 1e-3 for both 9.8
}

}  // namespace
}  // namespace flotsam
