// Run time and memory scale with the liquid volume, not with the domain.
#include <gtest/gtest.h>

#include <fstream>
#include <string>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

// Resident memory of this process [MiB].
double residentMebibytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string word; status >> word;)
        if (word == "VmRSS:") {
            double kibibytes = 0;
            status >> kibibytes;
            return kibibytes / 1024;
        }
    return 0;
}

// A puddle of 16 x 4 x 16 cells in the corner of a box; cells are 1 cm.
Scene puddleIn(int cells)
{
    Scene scene = tank({cells, cells, cells});
    scene.domain.width_m = 0.01 * cells;
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.16, 0.04, 0.16})};
    return scene;
}

// Sanitizers add memory of their own, and the address sanitizer keeps freed memory for a while.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr double most_mebibytes = 600;
#else
constexpr double most_mebibytes = 100;
#endif

struct Work {
    size_t active_bricks, liquid_bricks, initialised_bricks;
    long long cells;
    bool operator==(const Work&) const = default;
};

Work workAfterFiveSteps(Simulation& sim)
{
    for (int n = 0; n < 5; ++n) sim.step(std::min(sim.maxTimeStep(), 0.005));
    return {sim.liquid.state.active.list.size(), sim.liquid.scratch.liquid.list.size(),
            sim.liquid.state.initialised.size(), sim.liquid.measureNow().liquid_cells};
}

TEST(Puddle, InAHugeBoxTouchesLittleMemory)
{
    const double before = residentMebibytes();
    ASSERT_GT(before, 0);
    Simulation sim(puddleIn(512));
    workAfterFiveSteps(sim);
    const double grown = residentMebibytes() - before;
    EXPECT_LT(grown, most_mebibytes);  // fields of the entire domain take 13 000 (measured)
}

TEST(Puddle, CostsTheSameWorkInAHugeBoxAsInASmallOne)
{
    Simulation small(puddleIn(64)), huge(puddleIn(512));
    const Work in_small = workAfterFiveSteps(small), in_huge = workAfterFiveSteps(huge);
    EXPECT_EQ(in_small.active_bricks, in_huge.active_bricks);
    EXPECT_EQ(in_small.liquid_bricks, in_huge.liquid_bricks);
    EXPECT_EQ(in_small.initialised_bricks, in_huge.initialised_bricks);
    EXPECT_EQ(in_small.cells, in_huge.cells);
}

}  // namespace
}  // namespace flotsam
