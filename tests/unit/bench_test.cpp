#include "bench/bench.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/linear_system.h"
#include "bench/table.h"
#include "cache/safe_file.h"
#include "core/error.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {

TEST(Bench, AnUnknownNameIsRefusedWithTheKnownOnes)
{
    try {
        runBench({"presure"}, "");
        FAIL() << "nothing was thrown";
    } catch (const InputError& e) {
        const std::string message = e.what();
        EXPECT_NE(message.find("'presure'"), std::string::npos) << message;
        for (const std::string& name : benchNames()) EXPECT_NE(message.find(name), std::string::npos) << message;
    }
}

TEST(Bench, TheJsonHoldsTheBandwidthTheThreadsAndNamedResults)
{
    const TemporaryFolder folder;
    const std::string path = (folder.path / "bench.json").string();
    ASSERT_EQ(runBench({"bandwidth"}, path), 0);
    const auto json = nlohmann::json::parse(readWholeFile(path));
    EXPECT_GT(json.at("bandwidth_GB_s").get<double>(), 0);
    EXPECT_GE(json.at("threads").get<int>(), 1);
    ASSERT_EQ(json.at("results").size(), 2u);
    EXPECT_EQ(json.at("results")[0].at("name"), "bandwidth/all threads");
}

TEST(Bench, TheTableHasARowAFigureAndAColumnAResult)
{
    BenchReport report;
    report.results = {{{"name", "x/64"}, {"seconds", 0.5}},
                      {{"name", "x/128"}, {"seconds", 4.0}, {"rival", {{"times", 7}}}}};
    report.goals = {{"seconds", "at most 5"}};
    EXPECT_EQ(tableOf("x", report),
              "x             64  128       goal\n"
              "seconds      0.5    4  at most 5\n"
              "rival times         7\n");
}

TEST(Bench, ASystemComesBackFromItsFileAndJudgesASolution)
{
    LinearSystem system({2, 1, 1});  // x0 + (x0 - x1) = 1, x1 - x0 = 1: x = (2, 3)
    system.coupling[0][1] = 1;
    system.tied[0] = 1;
    system.rhs = {1, 1};
    const TemporaryFolder folder;
    writeSystem(folder.path / "s", system);
    const LinearSystem back = readSystem(folder.path / "s");
    EXPECT_EQ(countUnknowns(back), 2);
    EXPECT_EQ(trueResidual(back, {2, 3}), 0);
    EXPECT_EQ(trueResidual(back, {0, 0}), 1);
}

}  // namespace flotsam
