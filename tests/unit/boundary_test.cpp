#include "liquid/boundary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

// The last bricks along each axis are one cell thick, so that ghost cells at edges depend on those of the next brick.
TEST(Boundary, GhostCellsOfPhiDoNotDependOnTheOrderOfTheStrips)
{
    Scene scene = tank({17, 9, 9});
    scene.liquid.regions = {{PoolShape{0.31, 0.05, 1, 1}, {}}};
    Simulation sim(scene);
    constexpr int g = Field3<float>::ghost_cells;
    const Int3 n = sim.liquid.grid.cells, ghosts{g, g, g};
    const IndexBox inside{{}, n}, all{Int3{} - ghosts, n + ghosts};
    const View3<float> phi = sim.liquid.state.phi;
    BrickSet set(sim.liquid.grid.bricks, listOf(std::vector<uint8_t>(size_t(sim.liquid.grid.bricks.total()), 1)));
    const auto filled = [&] {
        std::vector<float> values;
        forEachCell(all, [&](int i, int j, int k) {
            if (!inside.contains({i, j, k})) phi(i, j, k) = 1e9f;
        });
        fillGhostCells(sim.liquid.grid, set, phi);
        forEachCell(all, [&](int i, int j, int k) { values.push_back(phi(i, j, k)); });
        return values;
    };
    backend::setThreads(1);
    const std::vector<float> forwards = filled();
    std::reverse(set.strips.begin(), set.strips.end());
    EXPECT_EQ(filled(), forwards);
    EXPECT_LT(*std::max_element(forwards.begin(), forwards.end()), 1e9f);
    backend::setThreads(0);
}

}  // namespace
}  // namespace flotsam
