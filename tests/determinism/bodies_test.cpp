// Rigid bodies in complete runs: the same bytes for any number of threads and after any kill.
#include <gtest/gtest.h>

#include "tests/determinism/run_folder.h"

namespace flotsam {
namespace {

// A pile of boxes, balls, gears and a toy falls past a rotating bar.
std::string heap()
{
    std::string text = R"(title = "Heap"
[domain]
cells = [20, 20, 20]
[time]
seconds = 1
fps = 40
[output]
checkpoint_every_frames = 4
[[solid]]
name = "bar"
box = { min_m = [0.2, 0.3, 0.45], max_m = [0.8, 0.34, 0.55] }
spin_rad_s = [0, 3, 1]
[[body]]
name = "toy"
bunny = { height_m = 0.25 }
material = "wood"
position_m = [0.5, 0.09, 0.5]
)";
    const char* shapes[] = {"box = { size_m = [0.1, 0.08, 0.12] }", "sphere = { radius_m = 0.05 }",
                            "gear = { radius_m = 0.08 }"};
    for (int i = 0; i < 27; ++i)
        text += "[[body]]\n" + std::string(shapes[i % 3]) + "\nmaterial = \"marble\"\nposition_m = [" +
                std::to_string(0.25 + 0.25 * (i % 3)) + ", " + std::to_string(0.7 + 0.2 * (i / 9)) + ", " +
                std::to_string(0.25 + 0.25 * (i / 3 % 3)) + "]\nrotation_deg = [" + std::to_string(13 * i) +
                ", 20, 0]\n";
    return text;
}

TEST(Determinism, BodiesGiveTheSameBytesForOneTwoAndFiveThreads)
{
    const auto files = filesForAnyThreads(heap());
    EXPECT_GT(files.at("bodies.csv").size(), 28u * 41 * 50);  // one row per body and step, including the start
}

TEST(Determinism, BodiesAfterKillsAndResumesGiveTheSameBytes)
{
    const TemporaryFolder folder;
    const std::string scene = folder.add("scene.toml", heap());
    const auto unbroken = folder.path / "unbroken", run = folder.path / "run";
    ASSERT_EQ(Child({"run", scene, "--out", unbroken.string(), "--threads", "2"}).wait(), 0);
    for (const char* frame : {"frames/0006.ply", "frames/0017.ply", "frames/0030.ply"}) {
        const Child child({"run", scene, "--out", run.string(), "--threads", "2", "--resume"});
        ASSERT_TRUE(waitFor(run / frame));
        child.send(SIGKILL);
        child.wait();
    }
    ASSERT_EQ(Child({"run", scene, "--out", run.string(), "--threads", "2", "--resume"}).wait(), 0);
    EXPECT_TRUE(promisedFiles(run) == promisedFiles(unbroken));
}

}  // namespace
}  // namespace flotsam
