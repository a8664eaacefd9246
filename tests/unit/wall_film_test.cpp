#include "liquid/wall_film.h"

#include <gtest/gtest.h>

#include <numbers>

#include "liquid/boundary.h"
#include "liquid/surface.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

// The volume of a film, relative to its start, after the liquid has moved by up to two cells back and forth along the
// floor, at most with the given Courant number.
double volumeAfterStirring(double height_cells, double cfl)
{
    Scene scene = closedTank({32, 12, 1});
    scene.liquid.regions = {liquidEverywhere()};
    scene.surface.particles_per_cell = 0;
    Simulation sim(scene);
    const double h = sim.liquid.grid.h, wave_1_m = 2 * std::numbers::pi / scene.domain.width_m;
    setPhi(sim, [&](Vec3 p) { return p.y - height_cells * h; });
    // u = U sin(k x), v = -y u_x
    setVelocity(sim, [&](Vec3 p) {
        return Vec3{std::sin(wave_1_m * p.x), -wave_1_m * p.y * std::cos(wave_1_m * p.x), 0};
    });
    fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state.phi.view());
    fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state.u.view());
    const double before_m3 = liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state);
    for (double moved = 0; moved < 2; moved += cfl)
        moveSurface(sim.liquid.grid, sim.liquid.solids, scene.surface, Air::empty, 9.81, cfl * h, sim.liquid.state,
                    sim.liquid.scratch);
    return liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state) / before_m3;
}

// When the film moved with the velocity of the open face, 0.90 to 0.92 of 0.25 cells were left and 0.84 to 0.85 of 0.4.
TEST(WallFilm, IsThinnedByWhatFlowsOut)
{
    for (const double height_cells : {0.25, 0.4})
        for (const double cfl : {0.25, 1.0})
            EXPECT_NEAR(volumeAfterStirring(height_cells, cfl), 1, 0.04) << height_cells << " " << cfl;
}

TEST(WallFilm, IsBetweenTheWallAndTheFirstCentres)
{
    Scene scene = closedTank({16, 16, 1});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    const double h = sim.liquid.grid.h;
    const auto filmIn = [&](Int3 c) { return filmAt(sim.liquid.grid, sim.liquid.state.phi.view(), c); };
    setPhi(sim, [&](Vec3 p) { return p.y - 0.3 * h; });
    EXPECT_EQ(filmIn({8, 0, 0}).axis, 1);
    EXPECT_TRUE(filmIn({8, 0, 0}).on_floor);
    EXPECT_FALSE(filmIn({8, 1, 0}));
    setPhi(sim, [&](Vec3 p) { return p.y - 0.6 * h; });  // its cells are liquid
    EXPECT_FALSE(filmIn({8, 0, 0}));
    setPhi(sim, [&](Vec3 p) { return 1.2 * h - p.y; });  // liquid above the floor
    EXPECT_FALSE(filmIn({8, 0, 0}));
    setPhi(sim, [&](Vec3 p) { return p.x - 0.3 * h; });  // on a side wall
    EXPECT_EQ(filmIn({0, 8, 0}).axis, 0);
    EXPECT_FALSE(filmIn({0, 8, 0}).on_floor);
}

// What is left of liquid in an edge of the tank, at 45 degrees to its two walls. Gravity points down y.
double volumeInEdge(int first_axis, int second_axis, double from_edge_cells)
{
    Scene scene = closedTank({12, 12, 12});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    setPhi(sim, [&](Vec3 p) {
        return std::numbers::sqrt2 / 2 * (p[first_axis] + p[second_axis]) - from_edge_cells * sim.liquid.grid.h;
    });
    fillGhostCells(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state.phi.view());
    return liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state) / (12 * std::pow(sim.liquid.grid.h, 3));
}

// Thinner than its first cell centres, 0.71 cells from the edge, no cell moves it: it would hang there for ever.
TEST(WallFilm, DoesNotHangInUprightEdges)
{
    for (const double thickness_cells : {0.1, 0.4, 0.65, 0.7}) {
        const double area = thickness_cells * thickness_cells;
        EXPECT_LT(volumeInEdge(0, 2, thickness_cells), 1.5 / 12 * area) << thickness_cells;  // the cell on the floor
    }
    // One centre deep it moves with its cells; on the floor it stays.
    EXPECT_NEAR(volumeInEdge(0, 2, 1), 1, 0.1);
    EXPECT_GT(volumeInEdge(0, 1, 0.6), 0.15);
    EXPECT_GT(volumeInEdge(2, 1, 0.6), 0.15);
}

}  // namespace
}  // namespace flotsam
