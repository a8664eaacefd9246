#include <flotsam/flotsam.h>
#include <gtest/gtest.h>

#include <fstream>
#include <sstream>
#include <type_traits>

#include "core/error.h"
#include "rigid/from_scene.h"
#include "run/body_rows.h"
#include "run/run.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

// A ball falls into a pool stirred by a bar; 70 frames per second, whose ends are not exact sums of steps.
const char* const stirred_ball = R"(
[domain]
cells = [16, 16, 16]
[time]
seconds = 0.1
fps = 70
[[liquid.region]]
pool = { depth_m = 0.4 }
[[solid]]
box = { min_m = [0.2, 0.1, 0.4], max_m = [0.8, 0.25, 0.6] }
spin_rad_s = [0, 3, 0]
[[body]]
name = "ball"
sphere = { radius_m = 0.15 }
density_kg_m3 = 500
position_m = [0.5, 0.6, 0.5]
velocity_m_s = [0, -1, 0]
)";

std::string contentOf(const std::filesystem::path& file)
{
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

TEST(Api, BodiesMoveAsInARunToTheLastBit)
{
    const TemporaryFolder folder;
    const Scene scene = loadScene(folder.add("stirred_ball.toml", stirred_ball));
    run(
        scene, makeWorld(scene), {folder.path / "out", false}, [](const RunProgress&) {}, std::atomic<bool>(false));

    Simulation sim(scene);
    StepReport step;
    for (int frame = 1; frame <= frameCount(scene.time); ++frame) {
        step = advanceTo(frame / scene.time.fps, sim);
        EXPECT_EQ(sim.liquid.state.t_s, frame / scene.time.fps);
        EXPECT_EQ(sim.world.state.t_s, frame / scene.time.fps);
    }
    EXPECT_LT(sim.world.state.bodies[0].x_m.y, 0.56);  // measured 0.49
    const std::string rows = bodyRows(sim, step.impulses);
    EXPECT_TRUE(contentOf(folder.path / "out" / "bodies.csv").ends_with(rows)) << rows;
    EXPECT_GT(surfaceOf(sim).triangles.size(), 1000u);
}

TEST(Api, NothingHappensWhereTheTimeIsReached)
{
    const TemporaryFolder folder;
    Simulation sim(loadScene(folder.add("stirred_ball.toml", stirred_ball)));
    EXPECT_EQ(advanceTo(0, sim).dt_s, 0);
    EXPECT_EQ(sim.liquid.state.step, 0);
}

TEST(Api, BodiesThatCannotBeSimulatedAreRefused)
{
    const TemporaryFolder folder;
    Scene scene = loadScene(folder.add("stirred_ball.toml", stirred_ball));
    scene.bodies[0].position_m = {0.5, 0.2, 0.5};  // in the bar
    EXPECT_THROW(Simulation{scene}, InputError);
}

// Their solids and bodies refer to the grid by address.
static_assert(!std::is_move_constructible_v<Simulation> && !std::is_copy_constructible_v<Simulation>);
static_assert(!std::is_move_constructible_v<Solids>);

}  // namespace
}  // namespace flotsam
