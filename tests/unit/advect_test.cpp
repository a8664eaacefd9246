#include <gtest/gtest.h>

#include <numbers>

#include "liquid/velocity.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

// A ball of 6 cells radius that moves through 20 cells without gravity.
double volumeChangeOfFlyingBall(Vec3 velocity_m_s)
{
    Scene scene = tank({48, 24, 24});
    scene.domain.gravity_m_s2 = {};
    scene.surface.volume_correction = false;
    scene.liquid.regions = {drop({0.2, 0.25, 0.25}, 0.125, velocity_m_s)};
    Simulation sim(scene);
    const double before = sim.liquid.measureNow().volume_m3;
    advanceTo(0.4, sim);
    return sim.liquid.measureNow().volume_m3 / before - 1;
}

TEST(Advection, AUniformTranslationKeepsABallsVolume)
{
    EXPECT_NEAR(volumeChangeOfFlyingBall({1, 0, 0}), 0, 0.02);
    EXPECT_NEAR(volumeChangeOfFlyingBall({1, 0.05, -0.07}), 0, 0.02);  // measured -0.0115
}

TEST(Advection, AFlyingBallKeepsItsVelocity)
{
    Scene scene = tank({32, 16, 16});
    scene.domain.gravity_m_s2 = {};
    scene.surface.volume_correction = false;
    scene.liquid.regions = {drop({0.2, 0.25, 0.25}, 0.12, {1, 0, 0})};
    Simulation sim(scene);
    advanceTo(0.4, sim);
    EXPECT_NEAR(sim.liquid.measureNow().max_speed_m_s, 1, 1e-4);
}

// The rms error of a smooth velocity advected by itself for one step in a full box, with trajectories far from walls.
double errorOfShear(Advection scheme, int cells)
{
    Scene scene = closedTank({cells, cells, 4});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    const auto shear = [](Vec3 p) { return Vec3{0.5, std::sin(2 * std::numbers::pi * p.x), 0}; };
    setVelocity(sim, shear);
    const double dt_s = 0.7 * sim.liquid.grid.h / 0.5;
    planExtension(sim.liquid.grid, sim.liquid.solids, sim.liquid.state,
                  sim.liquid.scratch);  // marks the faces of the liquid
    extendVelocity(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    setVelocity(sim, shear);
    advectVelocity(sim.liquid.grid, sim.liquid.solids, scheme, dt_s, sim.liquid.state, sim.liquid.scratch);
    double sum = 0;
    long long count = 0;
    forEachCell({{cells / 4, cells / 4, 1}, {3 * cells / 4, 3 * cells / 4, 3}}, [&](int i, int j, int k) {
        const double exact = std::sin(2 * std::numbers::pi * (sim.liquid.grid.h * (i + 0.5) - 0.5 * dt_s));
        sum += std::pow(sim.liquid.state.u.u[1].view()(i, j, k) - exact, 2);
        ++count;
    });
    return std::sqrt(sum / double(count));
}

// Linear interpolation: second order per step. The remaining error of BFECC and MacCormack is the part left uncorrected
// by clamping at the two crests, and a third-order error.
TEST(Advection, OneStepIsOfSecondOrderAndTheCorrectedSchemesAreBetter)
{
    const double plain32 = errorOfShear(Advection::semi_lagrangian, 32),
                 plain64 = errorOfShear(Advection::semi_lagrangian, 64);
    EXPECT_GT(std::log2(plain32 / plain64), 1.8);
    EXPECT_LT(errorOfShear(Advection::bfecc, 64), 0.5 * plain64);
    EXPECT_LT(errorOfShear(Advection::maccormack, 64), 0.5 * plain64);
}

}  // namespace
}  // namespace flotsam
