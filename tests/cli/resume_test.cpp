// Messages and actions of --resume when files of the run are damaged, or when the scene differs from that of the run.
#include <regex>

#include "tests/cli/program.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

const std::string with_mesh = R"(title = "Wedge over water"
[domain]
cells = [16, 16, 16]
[time]
seconds = 0.1
fps = 40
[[liquid.region]]
box = { min_m = [0, 0, 0], max_m = [1, 0.3, 1] }
[[body]]
name = "wedge"
mesh = { file = "wedge.obj" }
density_kg_m3 = 500
position_m = [0.5, 0.6, 0.5]
[output]
checkpoint_every_frames = 1
)";

const std::string wedge = "v 0 0 0\nv 0.3 0 0\nv 0 0.3 0\nv 0 0 0.3\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";

class ResumeDamaged : public Program {
protected:
    void SetUp() override
    {
        Program::SetUp();
        fs::create_directories(folder / "project");
        write("project/scene.toml", with_mesh);
        write("project/wedge.obj", wedge);
        ASSERT_EQ(run("run project/scene.toml --out r --progress none").code, 0);
        ledger = withoutTimes(readAll(folder / "r/ledger.jsonl"));
        checkpoints = checkpointsNow();
        ASSERT_EQ(checkpoints.size(), 2u);
    }

    std::vector<std::string> checkpointsNow() const
    {
        std::vector<std::string> names;
        for (const auto& entry : fs::directory_iterator(folder / "r/checkpoint"))
            names.push_back(entry.path().filename().string());
        std::sort(names.begin(), names.end());
        return names;
    }
    fs::path checkpoint(size_t n) const { return folder / "r/checkpoint" / checkpoints[n]; }

    static std::string withoutTimes(const std::string& text)
    {
        return std::regex_replace(text, std::regex(R"re(,"stage_s":\{[^}]*\},"wall_s":[0-9.]+)re"), "");
    }

    static void cut(const fs::path& file, uintmax_t bytes) { fs::resize_file(file, fs::file_size(file) - bytes); }
    static void flip(const fs::path& file)
    {
        std::string bytes = readAll(file);
        bytes[bytes.size() / 2] = char(bytes[bytes.size() / 2] ^ 0x10);
        std::ofstream(file, std::ios::binary) << bytes;
    }

    Outcome resume(const std::string& more = "") const
    {
        return run("run project/scene.toml --out r --progress none --resume " + more);
    }

    // Resumes; expects the same result, and the fragments of the message in this order.
    void expectResumed(const std::vector<std::string>& parts) const
    {
        const Outcome o = resume();
        EXPECT_EQ(o.code, 0) << o.err;
        size_t at = 0;
        for (const std::string& part : parts) {
            const size_t found = o.err.find(part, at);
            ASSERT_NE(found, o.err.npos) << "expected: " << part << "\nfound: " << o.err;
            at = found + part.size();
        }
        EXPECT_EQ(parts.empty(), o.err.empty()) << o.err;
        EXPECT_EQ(withoutTimes(readAll(folder / "r/ledger.jsonl")), ledger);
    }
    void expectFallsBack(const std::string& reason) const
    {
        expectResumed({"r/checkpoint/" + checkpoints[1] + " cannot be used: " + reason,
                       "it is kept as " + checkpoints[1] + ".unusable", "resuming from r/checkpoint/" + checkpoints[0],
                       "computed again"});
        EXPECT_TRUE(fs::exists(checkpoint(1).string() + ".unusable"));
    }

    std::string ledger;
    std::vector<std::string> checkpoints;
};

TEST_F(ResumeDamaged, NothingDamagedPrintsNothing) { expectResumed({}); }

TEST_F(ResumeDamaged, ATruncatedCheckpointIsNamedAndTheOneBeforeIsUsed)
{
    cut(checkpoint(1), 1);
    expectFallsBack("it is truncated or corrupted");
}

TEST_F(ResumeDamaged, AnAlteredByteOfACheckpointIsNoticed)
{
    flip(checkpoint(1));
    expectFallsBack("it is truncated or corrupted");
}

TEST_F(ResumeDamaged, AnEmptyCheckpointIsNamed)
{
    fs::resize_file(checkpoint(1), 0);
    expectFallsBack("it is empty");
}

TEST_F(ResumeDamaged, ALedgerOneByteShortFallsBackToTheOlderCheckpoint)
{
    cut(folder / "r/ledger.jsonl", 1);
    expectFallsBack("ledger.jsonl has ");
}

TEST_F(ResumeDamaged, BodiesOneByteShortFallBackToTheOlderCheckpoint)
{
    cut(folder / "r/bodies.csv", 1);
    expectFallsBack("bodies.csv has ");
}

TEST_F(ResumeDamaged, WithBothCheckpointsDamagedTheRunStartsOverAndSaysWhatIsComputedAgain)
{
    fs::resize_file(checkpoint(0), 10);
    flip(checkpoint(1));
    const auto steps = std::to_string(std::count(ledger.begin(), ledger.end(), '\n'));
    expectResumed({checkpoints[1] + " cannot be used", checkpoints[0] + " cannot be used", "r has no usable checkpoint",
                   "starts from the beginning", "all of its " + steps + " steps", "kept as r.1"});
    EXPECT_TRUE(fs::exists(folder / "r.1/ledger.jsonl"));
}

TEST_F(ResumeDamaged, WithoutAnyLedgerTheRunIsKeptAndStartsOver)
{
    fs::remove(folder / "r/ledger.jsonl");
    expectResumed({"ledger.jsonl has 0 of the", "r has no usable checkpoint", "kept as r.1"});
    EXPECT_TRUE(fs::exists(folder / "r.1/bodies.csv"));
}

TEST_F(ResumeDamaged, WithoutAnyCheckpointTheRunIsKeptAndStartsOver)
{
    fs::remove_all(folder / "r/checkpoint");
    expectResumed({"r has no usable checkpoint", "kept as r.1"});
}

TEST_F(ResumeDamaged, AChangedKeyIsNamedWithBothValues)
{
    const Outcome o = resume("--set liquid.density_kg_m3=900");
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("liquid.density_kg_m3 is 900 and was 1000"), o.err.npos) << o.err;
    EXPECT_EQ(checkpointsNow(), checkpoints);
}

TEST_F(ResumeDamaged, AChangedMeshIsNoticed)
{
    std::string larger = wedge;
    write("project/wedge.obj", larger.replace(larger.find("0.3"), 3, "0.4"));
    const Outcome o = resume();
    EXPECT_EQ(o.code, 2);
    EXPECT_NE(o.err.find("body.0.mesh.file is "), o.err.npos) << o.err;
}

TEST_F(ResumeDamaged, AMovedProjectIsAccepted)
{
    fs::rename(folder / "project", folder / "elsewhere");
    const Outcome o = run("run elsewhere/scene.toml --out r --progress none --resume --seconds 0.125");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_TRUE(withoutTimes(readAll(folder / "r/ledger.jsonl")).starts_with(ledger));
}

}  // namespace
}  // namespace flotsam
