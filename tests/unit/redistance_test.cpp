#include <gtest/gtest.h>

#include "liquid/boundary.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

constexpr Vec3 center{0.47, 0.52, 0.49};
constexpr double radius = 0.31;

// A ball of liquid whose phi has the correct zero but a slope between 0.6 and 1.6.
struct DistortedBall : Simulation {
    explicit DistortedBall(int cells) : Simulation(fullTank(cells))
    {
        setPhi(*this, [](Vec3 p) { return (length(p - center) - radius) * (1.1 + 0.5 * std::sin(9 * p.x + 4 * p.y)); });
        fillGhostCells(liquid.grid, liquid.state.active, liquid.state.phi.view());
    }

private:
    static Scene fullTank(int cells)
    {
        Scene scene = closedTank({cells, cells, cells});
        scene.liquid.regions = {liquidEverywhere()};
        return scene;
    }
};

TEST(Redistance, MakesTheSlopeOneInTheBand)
{
    DistortedBall sim(48);
    redistance(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state, sim.liquid.scratch);
    const View3<const float> phi = sim.liquid.state.phi;
    const double within_m = double(sim.liquid.grid.band) - 1.5 * sim.liquid.grid.h;
    double sum = 0, worst = 0;
    long long count = 0;
    forEachCell({{1, 1, 1}, sim.liquid.grid.cells - Int3{1, 1, 1}}, [&](int i, int j, int k) {
        if (std::abs(length(centerOfCell(sim.liquid.grid, i, j, k) - center) - radius) >= within_m) return;
        const Vec3 difference{phi(i + 1, j, k) - phi(i - 1, j, k), phi(i, j + 1, k) - phi(i, j - 1, k),
                              phi(i, j, k + 1) - phi(i, j, k - 1)};
        const double off = std::abs(length(difference) / (2 * sim.liquid.grid.h) - 1);
        sum += off;
        worst = std::max(worst, off);
        ++count;
    });
    EXPECT_LT(sum / double(count), 0.07);  // measured 0.064: a phi close to a distance is only relaxed towards it
    EXPECT_LT(worst, 0.3);
}

// The largest distance of the zero crossings of phi between two cells from the surface of the ball [cells].
double farthestZero(Simulation& sim)
{
    const View3<const float> phi = sim.liquid.state.phi;
    double worst = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells - Int3{1, 1, 1}}, [&](int i, int j, int k) {
        for (int axis = 0; axis < 3; ++axis) {
            const Int3 c{i, j, k}, e = unit(axis);
            if ((phi(c) < 0) == (phi(c + e) < 0)) continue;
            const double part = double(phi(c)) / double(phi(c) - phi(c + e));
            const Vec3 p = centerOfCell(sim.liquid.grid, i, j, k) +
                           sim.liquid.grid.h * part * Vec3{double(e.x), double(e.y), double(e.z)};
            worst = std::max(worst, std::abs(length(p - center) - radius) / sim.liquid.grid.h);
        }
    });
    return worst;
}

TEST(Redistance, LeavesTheZeroWhereItIs)
{
    DistortedBall sim(48);
    const double before = farthestZero(sim),
                 volume_m3 = liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state);
    redistance(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state, sim.liquid.scratch);
    EXPECT_LT(farthestZero(sim), before + 0.05) << before;
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state) / volume_m3, 1, 0.003);
}

TEST(Redistance, DoneAgainAndAgainDoesNotMoveTheSurface)
{
    DistortedBall sim(24);
    redistance(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state, sim.liquid.scratch);
    const double once = liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state);
    for (int n = 0; n < 20; ++n)
        redistance(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state, sim.liquid.scratch);
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state) / once, 1, 0.005);
}

// The method of the thesis, with its stop test: a mean change below a twentieth of a cell.
TEST(Redistance, ByThePdeLeavesTheZeroAndMakesTheSlopeOne)
{
    DistortedBall sim(48);
    const double volume_m3 = liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state);
    redistance(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state, sim.liquid.scratch, Reinitialisation::pde);
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state) / volume_m3, 1, 0.003);
    const View3<const float> phi = sim.liquid.state.phi;
    double sum = 0;
    long long count = 0;
    forEachCell({{1, 1, 1}, sim.liquid.grid.cells - Int3{1, 1, 1}}, [&](int i, int j, int k) {
        if (std::abs(length(centerOfCell(sim.liquid.grid, i, j, k) - center) - radius) > 2 * sim.liquid.grid.h) return;
        const Vec3 difference{phi(i + 1, j, k) - phi(i - 1, j, k), phi(i, j + 1, k) - phi(i, j - 1, k),
                              phi(i, j, k + 1) - phi(i, j, k - 1)};
        sum += std::abs(length(difference) / (2 * sim.liquid.grid.h) - 1);
        ++count;
    });
    EXPECT_LT(sum / double(count), 0.15);  // 0.33 at the start
}

TEST(Redistance, LeavesTheDistanceToAFlatSurfaceAlone)
{
    Scene scene = closedTank({16, 16, 16});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    setPhi(sim, [](Vec3 p) { return p.y - 0.53; });
    redistance(sim.liquid.grid, sim.liquid.state.active, sim.liquid.state, sim.liquid.scratch);
    double worst = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        const double band = sim.liquid.grid.band, exact = std::clamp(sim.liquid.grid.h * (j + 0.5) - 0.53, -band, band);
        worst = std::max(worst, std::abs(sim.liquid.state.phi.view()(i, j, k) - exact) / sim.liquid.grid.h);
    });
    EXPECT_LT(worst, 1e-4);  // cells
}

}  // namespace
}  // namespace flotsam
