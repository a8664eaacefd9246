#include <gtest/gtest.h>

#include "tests/determinism/run_folder.h"

namespace flotsam {
namespace {

TEST(Determinism, OneTwoAndFiveThreadsGiveTheSameBytes)
{
    // ledger, bodies, scene; 21 frames of three files; the block
    EXPECT_GE(filesForAnyThreads(dam_break_with_everything).size(), 3u + 3 * 21 + 1);
}

// The scene with all features and these options, for 0.2 s: compares the files of one thread and of three.
void expectSameForOneAndThreeThreads(const std::vector<std::string>& options)
{
    const TemporaryFolder folder;
    const std::string scene = folder.add("scene.toml", dam_break_with_everything);
    std::map<std::string, std::string> files[2];
    for (int n = 0; n < 2; ++n) {
        const auto run = folder.path / std::to_string(n);
        std::vector<std::string> arguments{"run",       scene,         "--out",     run.string(),
                                           "--threads", n ? "3" : "1", "--seconds", "0.2"};
        for (const std::string& option : options) arguments.insert(arguments.end(), {"--set", option});
        ASSERT_EQ(Child(arguments).wait(), 0);
        files[n] = promisedFiles(run);
    }
    EXPECT_TRUE(files[0] == files[1]) << options.front();
}

TEST(Determinism, ThesisLoopAndCorrectedAdvectionGiveTheSameBytesForAnyThreads)
{
    for (const char* scheme : {"bfecc", "maccormack"})
        expectSameForOneAndThreeThreads({std::string("liquid.advection=") + scheme, "liquid.loop=one-projection"});
}

TEST(Determinism, TwoLiquidsOfDifferentViscosityGiveTheSameBytesForAnyThreads)
{
    for (const char* stress : {"component", "full"})
        expectSameForOneAndThreeThreads({std::string("liquid.viscous_stress=") + stress, "liquid.viscosity_m2_s=0.001",
                                         "liquid.region.0.viscosity_m2_s=1", "domain.walls=no-slip"});
}

// Solves hard enough to use deflation with rigid-body modes.
TEST(Determinism, AStiffSplashGivesTheSameBytesForAnyThreads)
{
    expectSameForOneAndThreeThreads({"liquid.viscosity_m2_s=1e3", "domain.walls=no-slip"});
}

}  // namespace
}  // namespace flotsam
