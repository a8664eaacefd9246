#include "liquid/transport.h"

#include <gtest/gtest.h>

#include <numbers>

#include "liquid/boundary.h"
#include "liquid/center_velocity.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

// The mean error [m] of a smooth phi, all within the band, after advection by a uniform velocity for 0.05 s at a CFL
// number of 0.15, with trajectories far from walls.
double errorOfWave(SurfaceScheme scheme, int cells)
{
    Scene scene = closedTank({cells, cells, 1});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    constexpr Vec3 velocity_m_s{1, 0.5, 0};
    const auto wave = [](Vec3 p) {
        return 0.02 * std::sin(2 * std::numbers::pi * p.x) * std::cos(2 * std::numbers::pi * p.y + 0.3);
    };
    setPhi(sim, wave);
    setVelocity(sim, [&](Vec3) { return velocity_m_s; });
    fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state.phi.view());
    fillCenterVelocity(sim.liquid.state.active, sim.liquid.state.u, sim.liquid.scratch.center_velocity);
    fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.scratch.center_velocity.view());
    constexpr double seconds = 0.05;
    const int steps = int(std::lround(seconds * cells / 0.15));
    for (int n = 0; n < steps; ++n)
        transportPhi(sim.liquid.grid, scheme, seconds / steps, sim.liquid.state, sim.liquid.scratch);
    double sum = 0;
    long long count = 0;
    forEachCell({{cells / 3, cells / 3, 0}, {2 * cells / 3, 2 * cells / 3, 1}}, [&](int i, int j, int k) {
        const double exact = wave(centerOfCell(sim.liquid.grid, i, j, k) - seconds * velocity_m_s);
        sum += std::abs(sim.liquid.state.phi.view()(i, j, k) - exact);
        ++count;
    });
    return sum / double(count);
}

double orderOf(SurfaceScheme scheme) { return std::log2(errorOfWave(scheme, 32) / errorOfWave(scheme, 64)); }

TEST(Transport, EachSchemeHasItsOrderOfAccuracy)
{
    EXPECT_GT(orderOf(SurfaceScheme::upwind), 0.8);
    EXPECT_GT(orderOf(SurfaceScheme::eno2_euler), 0.8);  // first-order time integration
    EXPECT_GT(orderOf(SurfaceScheme::eno2), 1.7);
    EXPECT_GT(orderOf(SurfaceScheme::eno3), 2.5);
    EXPECT_GT(orderOf(SurfaceScheme::weno5), 3.0);
    EXPECT_GT(orderOf(SurfaceScheme::semi_lagrangian), 1.8);  // third order per step; dt scales with the cells
}

TEST(Transport, ABetterSchemeHasASmallerError)
{
    const auto error = [](SurfaceScheme scheme) { return errorOfWave(scheme, 48); };
    EXPECT_LT(error(SurfaceScheme::eno2), 0.5 * error(SurfaceScheme::upwind));
    EXPECT_LT(error(SurfaceScheme::eno3), 0.5 * error(SurfaceScheme::eno2));
    EXPECT_LT(error(SurfaceScheme::weno5), 0.5 * error(SurfaceScheme::eno3));
}

// Upwind schemes use substeps: with one step of three cells they would be unstable.
TEST(Transport, StepsLongerThanACellStayStable)
{
    for (int scheme = 0; scheme < int(std::size(surface_scheme_words)); ++scheme) {
        Scene scene = closedTank({32, 32, 1});
        scene.time.cfl = 4;
        scene.liquid.regions = {liquidEverywhere()};
        Simulation sim(scene);
        setPhi(sim, [](Vec3 p) { return p.x - 0.3; });
        setVelocity(sim, [](Vec3) { return Vec3{1, 0, 0}; });
        fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state.phi.view());
        fillCenterVelocity(sim.liquid.state.active, sim.liquid.state.u, sim.liquid.scratch.center_velocity);
        fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.scratch.center_velocity.view());
        transportPhi(sim.liquid.grid, SurfaceScheme(scheme), 3 * sim.liquid.grid.h, sim.liquid.state,
                     sim.liquid.scratch);
        // Current position of the front: it moved three cells.
        const float there = trilinear(sim.liquid.state.phi, centerIndex({32 * 0.3f + 3, 16, 0.5f}));
        EXPECT_LT(std::abs(there), 0.05f * float(sim.liquid.grid.h)) << surface_scheme_words[scheme];
    }
}

}  // namespace
}  // namespace flotsam
