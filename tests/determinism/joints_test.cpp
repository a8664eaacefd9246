// Joints in complete runs: the same bytes for any number of threads and after any kill.
#include <gtest/gtest.h>

#include <cmath>
#include <sstream>

#include "tests/determinism/run_folder.h"

namespace flotsam {
namespace {

// Motors of every kind run, one joint breaks at once and one where it reaches its limit, between two kills; limits act,
// and the bodies fall on each other.
const std::string mechanisms = R"(title = "Mechanisms"
body = [
    { name = "crank", box = { size_m = [0.2, 0.04, 0.04] }, material = "silver", position_m = [0.3, 0.6, 0.3] },
    { name = "arm", capsule = { radius_m = 0.02, height_m = 0.16 }, material = "wood", position_m = [0.4, 0.7, 0.3] },
    { name = "sledge", box = { size_m = [0.1, 0.1, 0.1] }, material = "wood", position_m = [0.6, 0.3, 0.6] },
    { name = "lid", box = { size_m = [0.2, 0.02, 0.2] }, material = "wood", position_m = [0.8, 0.7, 0.8] },
    { name = "flap", box = { size_m = [0.2, 0.02, 0.2] }, material = "wood", position_m = [0.8, 0.7, 0.3] },
    { name = "weight", sphere = { radius_m = 0.06 }, material = "lead", position_m = [0.3, 0.8, 0.75] },
    { name = "hook", box = { size_m = [0.03, 0.1, 0.03] }, material = "silver", position_m = [0.3, 0.91, 0.75] },
    { name = "block", box = { size_m = [0.15, 0.1, 0.15] }, material = "marble", position_m = [0.3, 0.1, 0.75] },
]
joint = [
    { name = "drive", kind = "hinge", bodies = ["crank", "world"], anchor_m = [0.21, 0.6, 0.3], motor = { drive = "speed", speed_rad_s = 5, max_torque_N_m = 8 } },
    { name = "elbow", kind = "hinge", bodies = ["crank", "arm"], anchor_m = [0.4, 0.6, 0.3], motor = { drive = "angle", keyframes = [[0, 0], [0.2, 40], [0.4, 0]], repeat = true, track = "servo", stiffness_N_m = 2, damping_N_m_s = 0.1 } },
    { name = "rail", kind = "slider", bodies = ["sledge", "world"], anchor_m = [0.6, 0.3, 0.6], axis = [1, 0, 0], limits_m = [-0.1, 0.1], motor = { drive = "angle", sine = { amplitude_m = 0.15, frequency_Hz = 1.5 } } },
    { name = "door", kind = "hinge", bodies = ["lid", "world"], anchor_m = [0.7, 0.7, 0.8], limits_deg = [-30, 30] },
    { name = "strap", kind = "hinge", bodies = ["flap", "world"], anchor_m = [0.7, 0.7, 0.3], limits_deg = [-90, 90], break_N = 30 },
    { name = "pin", kind = "ball", bodies = ["weight", "hook"], anchor_m = [0.3, 0.865, 0.75], break_N = 90 },
    { name = "eye", kind = "ball", bodies = ["hook", "world"], anchor_m = [0.3, 0.96, 0.75], swing_limit_deg = 20 },
]
[domain]
cells = [20, 20, 20]
[time]
seconds = 1
fps = 40
[output]
checkpoint_every_frames = 4
)";

// Whether a row of a joint has a number in this column (from 0) of at least that size.
bool reaches(const std::string& rows, const std::string& joint, int column, double size)
{
    std::istringstream lines(rows);
    for (std::string line; std::getline(lines, line);) {
        if (line.find("," + joint + ",") == line.npos) continue;
        std::istringstream fields(line);
        std::string field;
        for (int n = 0; n <= column; ++n) std::getline(fields, field, ',');
        if (std::abs(std::stod(field)) >= size) return true;
    }
    return false;
}

TEST(DeterminismJoints, TheSameBytesForOneTwoAndFiveThreads)
{
    const auto files = filesForAnyThreads(mechanisms);
    const std::string& rows = files.at("joints.csv");
    EXPECT_GT(rows.size(), 6u * 41 * 100);  // one row per joint and step, including the start
    constexpr int angle_deg = 3, limited = 17, broken = 23;
    for (const char* joint : {"pin", "strap"}) EXPECT_TRUE(reaches(rows, joint, broken, 1)) << joint << " did not break";
    EXPECT_TRUE(reaches(rows, "door", angle_deg, 29.999)) << "no limit acted";
    EXPECT_TRUE(reaches(rows, "drive", limited, 1)) << "no motor was at its largest torque";
    EXPECT_NE(files.at("ledger.jsonl").find("\"joints\":{\"count\":5"), std::string::npos);
}

TEST(DeterminismJoints, AfterKillsAndResumesTheSameBytes)
{
    const TemporaryFolder folder;
    const std::string scene = folder.add("scene.toml", mechanisms);
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
