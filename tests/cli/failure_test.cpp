// A run that fails: its ledger, its checkpoint and its messages.
#include <regex>

#include "tests/cli/program.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

// A press moves a ball against the boundary +x and past it.
const std::string press = R"(title = "Press"
[domain]
cells = [16, 16, 16]
[time]
seconds = 3
fps = 20
[[body]]
name = "ball"
sphere = { radius_m = 0.1 }
density_kg_m3 = 500
position_m = [0.5, 0.1, 0.5]
[[solid]]
name = "press"
box = { min_m = [-2, -1, -1], max_m = [0.2, 2, 2] }
velocity_m_s = [1, 0, 0]
)";

class FailedRun : public Program {
protected:
    void SetUp() override
    {
        Program::SetUp();
        write("press.toml", press);
    }

    std::vector<std::string> ledger() const
    {
        std::ifstream in(folder / "r/ledger.jsonl");
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);)
            lines.push_back(std::regex_replace(line, std::regex(R"re(,"stage_s":.*)re"), ""));
        return lines;
    }
    fs::path checkpointOf(size_t step) const
    {
        char name[32];
        std::snprintf(name, sizeof name, "step%08zu.ckpt", step);
        return folder / "r/checkpoint" / name;
    }
};

TEST_F(FailedRun, TheLedgerHasTheStepThatFailedAndTheNewestCheckpointIsTheStepBefore)
{
    const std::string what = "body ball has left the domain through its closed boundary +x and is at (";
    const Outcome first = run("run press.toml --out r");
    ASSERT_EQ(first.code, 3) << first.err;
    EXPECT_NE(first.err.find(what), first.err.npos) << first.err;
    const std::vector<std::string> lines = ledger();
    const size_t failed = lines.size();
    EXPECT_NE(lines.back().find("\"step\":" + std::to_string(failed) + ","), std::string::npos) << lines.back();
    EXPECT_NE(lines.back().find("\"failure\":\"" + what), std::string::npos) << lines.back();
    EXPECT_NE(first.err.find("the last good state: step " + std::to_string(failed - 1)), first.err.npos) << first.err;
    EXPECT_TRUE(fs::exists(checkpointOf(failed - 1)));
    EXPECT_FALSE(fs::exists(checkpointOf(failed)));
    EXPECT_NE(run("info r").out.find("failed: " + what), std::string::npos);

    // The checkpoint is usable like any other: the same step fails again.
    const Outcome again = run("run press.toml --out r --resume");
    EXPECT_EQ(again.code, 3) << again.err;
    EXPECT_EQ(ledger(), lines);
}

TEST_F(FailedRun, InfoReadsALedgerWithValuesThatAreNotNumbers)
{
    ASSERT_EQ(run("run press.toml --out r --seconds 0.1 --progress none").code, 0);
    std::ofstream(folder / "r/ledger.jsonl", std::ios::app)
        << "{\"step\":99,\"frame\":3,\"t_s\":null,\"dt_s\":null,\"liquid_volume_m3\":null,\"max_speed_m_s\":null,"
           "\"max_speed_at_m\":null,\"overlap_m\":null,\"failure\":\"the speed of a body became nan m/s\"}\n";
    const Outcome info = run("info r");
    EXPECT_EQ(info.code, 0) << info.err;
    EXPECT_NE(info.out.find("failed: the speed of a body became nan m/s"), std::string::npos) << info.out;
    EXPECT_EQ(info.out.find("could not be read"), std::string::npos) << info.out;
}

TEST_F(FailedRun, ABodyMayLeaveThroughAnOpenBoundary)
{
    const Outcome o = run("run press.toml --out r --set 'domain.open=[\"+x\"]' --progress none");
    EXPECT_EQ(o.code, 0) << o.err;
    EXPECT_EQ(readAll(folder / "r/ledger.jsonl").find("failure"), std::string::npos);
}

}  // namespace
}  // namespace flotsam
