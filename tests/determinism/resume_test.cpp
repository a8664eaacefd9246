// A run that was stopped at any moment and resumed gives the same files as an uninterrupted one.
#include <gtest/gtest.h>

#include <algorithm>
#include <sstream>

#include "core/random.h"
#include "tests/determinism/run_folder.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

class Resume : public ::testing::Test {
protected:
    // The uninterrupted run, computed once.
    struct Unbroken {
        TemporaryFolder folder;
        std::string scene;
        std::map<std::string, std::string> files;
        double wall_s = 0;

        Unbroken() : scene(folder.add("scene.toml", dam_break_with_everything))
        {
            const auto start = Clock::now();
            EXPECT_EQ(Child({"run", scene, "--out", (folder.path / "run").string(), "--threads", "2"}).wait(), 0);
            wall_s = std::chrono::duration<double>(Clock::now() - start).count();
            files = promisedFiles(folder.path / "run");
        }
    };
    static const Unbroken& unbroken()
    {
        static const Unbroken once;
        return once;
    }

    Child start() const { return Child({"run", unbroken().scene, "--out", run.string(), "--threads", "2"}); }
    Child resume() const
    {
        return Child({"run", unbroken().scene, "--out", run.string(), "--threads", "2", "--resume"});
    }

    void expectTheSame() const
    {
        const auto files = promisedFiles(run);
        for (const auto& [name, bytes] : unbroken().files) {
            const auto found = files.find(name);
            ASSERT_TRUE(found != files.end()) << name << " is missing";
            EXPECT_TRUE(found->second == bytes) << name << " differs";
        }
        for (const auto& [name, bytes] : files)
            EXPECT_TRUE(unbroken().files.contains(name)) << name << " should not be there";
    }

    const TemporaryFolder folder;
    const fs::path run = folder.path / "run";
};

TEST_F(Resume, AfterKillsAtRandomMomentsGivesTheSameBytes)
{
    for (uint64_t seed = 1; seed <= 2; ++seed) {
        fs::remove_all(run);
        int struck = 0;
        for (uint64_t kill_number = 0; kill_number < 6; ++kill_number) {
            const Child child = kill_number == 0 ? start() : resume();
            if (kill_number == 0) {
                ASSERT_TRUE(waitFor(run / "checkpoint/step00000000.ckpt"));
            }
            const double after_s = randomUnit(seed, kill_number) * unbroken().wall_s * 0.6;
            std::this_thread::sleep_for(std::chrono::duration<double>(after_s));
            child.send(SIGKILL);
            const int code = child.wait();
            ASSERT_TRUE(code == -SIGKILL || code == 0) << code;
            struck += code == -SIGKILL;
        }
        ASSERT_EQ(resume().wait(), 0);
        EXPECT_GT(struck, 0);
        expectTheSame();
    }
}

// Files of a run with two threads; expects the same from a run that is killed and resumed with one thread.
std::map<std::string, std::string> expectTheSameAfterAKill(const std::string& text)
{
    const TemporaryFolder folder;
    const std::string scene = folder.add("scene.toml", text);
    const fs::path whole = folder.path / "whole", broken = folder.path / "broken";
    EXPECT_EQ(Child({"run", scene, "--out", whole.string(), "--threads", "2"}).wait(), 0);
    const Child child({"run", scene, "--out", broken.string(), "--threads", "2"});
    EXPECT_TRUE(waitFor(broken / "frames/0005.ply"));
    child.send(SIGKILL);
    EXPECT_EQ(child.wait(), -SIGKILL);
    EXPECT_EQ(Child({"run", scene, "--out", broken.string(), "--threads", "1", "--resume"}).wait(), 0);
    const auto expected = promisedFiles(whole);
    EXPECT_TRUE(expected == promisedFiles(broken));
    return expected;
}

// The viscosity of the cells is not in the checkpoint: it is computed from the temperature, which is.
TEST(ResumeMelting, AfterAKillGivesTheSameBytes)
{
    const auto files = expectTheSameAfterAKill(melting_wax);
    EXPECT_NE(files.at("ledger.jsonl").find("\"viscosity\":{\"iterations\""), std::string::npos);
}

// Whether a body is wet in any row of bodies.csv.
bool anyWet(const std::string& rows)
{
    constexpr int wet_column = 16;
    std::istringstream lines(rows);
    for (std::string line; std::getline(lines, line);) {
        std::istringstream fields(line);
        std::string field;
        for (int n = 0; n <= wet_column; ++n) std::getline(fields, field, ',');
        if (field == "1") return true;
    }
    return false;
}

TEST(ResumeCoupled, AfterAKillGivesTheSameBytes)
{
    const std::string warmed = bodies_in_water + "[heat]\ndiffusivity_m2_s = 1e-3\nwalls_K = 350\n";
    for (const char* method : {"rigid-fluid", "monolithic"}) {
        const auto files = expectTheSameAfterAKill(warmed + "[coupling]\nmethod = \"" + std::string(method) + "\"\n");
        EXPECT_TRUE(anyWet(files.at("bodies.csv"))) << method;
    }
}

TEST_F(Resume, AfterAKillBeforeTheFirstCheckpointStartsAfresh)
{
    for (const char* first : {"scene.toml", "frames", "ledger.jsonl"}) {
        fs::remove_all(run);
        const Child child = start();
        ASSERT_TRUE(waitFor(run / first));
        child.send(SIGKILL);
        child.wait();
        ASSERT_EQ(resume().wait(), 0) << "killed as soon as " << first << " was there";
        expectTheSame();
    }
}

TEST_F(Resume, AfterCtrlCGivesTheSameBytes)
{
    Child first = start();
    for (const char* frame : {"frames/0002.ply", "frames/0007.ply", "frames/0015.ply"}) {
        ASSERT_TRUE(waitFor(run / frame));
        first.send(SIGINT);
        const int code = first.wait();
        ASSERT_TRUE(code == 130 || code == 0) << code;
        EXPECT_FALSE(fs::is_empty(run / "checkpoint"));
        first = resume();
    }
    ASSERT_EQ(first.wait(), 0);
    expectTheSame();
}

TEST_F(Resume, HalfWrittenFilesAreReplacedOrLeftOutOfTheWay)
{
    const Child child = start();
    ASSERT_TRUE(waitFor(run / "frames/0008.ply"));
    child.send(SIGKILL);
    child.wait();
    std::ofstream(run / "frames/0009.ply.part") << "half a frame";
    std::ofstream(run / "checkpoint/step00000999.ckpt.part") << "half a checkpoint";
    std::ofstream(run / "ledger.jsonl", std::ios::app) << "{\"step\":999,\"half a li";
    ASSERT_EQ(resume().wait(), 0);
    expectTheSame();
}

TEST_F(Resume, WithADamagedNewestCheckpointUsesTheOneBefore)
{
    const Child child = start();
    ASSERT_TRUE(waitFor(run / "frames/0010.ply"));
    child.send(SIGKILL);
    child.wait();
    std::vector<fs::path> checkpoints;
    for (const auto& entry : fs::directory_iterator(run / "checkpoint"))
        if (entry.path().extension() == ".ckpt") checkpoints.push_back(entry.path());
    std::sort(checkpoints.begin(), checkpoints.end());
    ASSERT_EQ(checkpoints.size(), 2u);
    fs::resize_file(checkpoints.back(), fs::file_size(checkpoints.back()) / 2);
    ASSERT_EQ(resume().wait(), 0);
    expectTheSame();
}

TEST_F(Resume, WithAllCheckpointsLostStartsFromTheBeginning)
{
    const Child child = start();
    ASSERT_TRUE(waitFor(run / "frames/0004.ply"));
    child.send(SIGKILL);
    child.wait();
    for (const auto& entry : fs::directory_iterator(run / "checkpoint")) fs::resize_file(entry.path(), 10);
    ASSERT_EQ(resume().wait(), 0);
    expectTheSame();
    EXPECT_TRUE(fs::exists(run.string() + ".1/ledger.jsonl"));  // the previous results are kept
}

TEST_F(Resume, ASecondRunCannotTakeTheFolderOfOneThatIsAlive)
{
    const Child child = start();
    ASSERT_TRUE(waitFor(run / "frames/0002.ply"));
    EXPECT_EQ(start().wait(), 2);
    EXPECT_EQ(resume().wait(), 2);
    ASSERT_EQ(child.wait(), 0);
    expectTheSame();
}

TEST_F(Resume, OfAFinishedRunChangesNothing)
{
    ASSERT_EQ(start().wait(), 0);
    ASSERT_EQ(resume().wait(), 0);
    expectTheSame();
}

}  // namespace
}  // namespace flotsam
