// bench threads: speed-up of two threads over one.
#include <fmt/format.h>

#include <functional>
#include <thread>

#include "bench/bandwidth.h"
#include "bench/benchmark.h"
#include "bench/dam_break.h"
#include "bench/pressure_problem.h"
#include "bench/thread_scope.h"

namespace flotsam {

namespace {

constexpr int cells_along_side = 128;
constexpr int repetitions = 4;
constexpr double step_start_s = 0.1;  // the column has started to fall
constexpr int step_rounds = 4;

Json resultOf(const char* what, double one_s, double two_s)
{
    return {{"name", fmt::format("threads/{}", what)},
            {"seconds_one", one_s},
            {"seconds_two", two_s},
            {"speed_up", one_s / two_s}};
}

double leastSecondsWith(int threads, const std::function<void()>& f)
{
    const ThreadScope scope(threads);
    return leastSecondsOf(repetitions, f);
}

Json pressureSpeedUp()
{
    PressureProblem problem(cells_along_side);
    problem.setUp();
    problem.fillRightHandSide();
    const auto solve = [&] { problem.solve(); };
    const double one_s = leastSecondsWith(1, solve);
    return resultOf("pressure", one_s, leastSecondsWith(2, solve));
}

// Rounds of four steps with one, two, two and one thread, so that both see the same flow; seconds per step.
Json stepSpeedUp()
{
    Simulation sim(damBreak(cells_along_side));
    while (sim.liquid.state.t_s < step_start_s) stepTowardsFrame(sim);
    double seconds[3] = {};
    for (int round = 0; round < step_rounds; ++round)
        for (int threads : {1, 2, 2, 1}) {
            const ThreadScope scope(threads);
            seconds[threads] += secondsOf([&] { stepTowardsFrame(sim); });
        }
    return resultOf("step", seconds[1] / (2 * step_rounds), seconds[2] / (2 * step_rounds));
}

// The limit set by memory bandwidth: seconds for 1 GB of the triad.
Json bandwidthSpeedUp()
{
    const auto secondsWith = [](int threads) {
        const ThreadScope scope(threads);
        return 1e9 / measureBandwidth();
    };
    const double one_s = secondsWith(1);
    return resultOf("bandwidth, 1 GB", one_s, secondsWith(2));
}

BenchReport benchThreads(const Machine&)
{
    BenchReport report;
    report.goals = {{"speed_up", "at least 1.7"}};
    if (std::thread::hardware_concurrency() < 2)
        report.notes.push_back("this machine has one core: two threads cannot be faster");
    announce("threads: bandwidth");
    report.results.push_back(bandwidthSpeedUp());
    announce(fmt::format("threads: pressure at {}^3", cells_along_side));
    report.results.push_back(pressureSpeedUp());
    announce(fmt::format("threads: steps at {}^3", cells_along_side));
    report.results.push_back(stepSpeedUp());
    return report;
}

}  // namespace

const Benchmark threads_benchmark{"threads", benchThreads};

}  // namespace flotsam
