// bench pressure: time of the pressure solve, relative to memory bandwidth and to other solvers.
#include <fmt/format.h>

#include "bench/benchmark.h"
#include "bench/pressure_problem.h"
#include "bench/rivals.h"

namespace flotsam {

namespace {

constexpr int sizes[] = {64, 128, 192};
constexpr int size_of_rivals = 128;
constexpr int repetitions = 5;

Json measure(const Machine& machine, int n, PressureProblem& problem, const LinearSystem& system)
{
    SolveReport solve;
    const double set_up_s = leastSecondsOf(repetitions, [&] { problem.setUp(); });
    const double s = leastSecondsOf(repetitions, [&] { solve = problem.solve(); });
    const double unknowns = double(countUnknowns(system));
    return {{"name", fmt::format("pressure/{}", n)},
            {"seconds", s},
            {"unknowns", int64_t(unknowns)},
            {"iterations", solve.iterations},
            {"ns_per_unknown", 1e9 * s / unknowns},
            {"bytes_per_unknown_iteration", s * machine.bandwidth_B_s / (unknowns * solve.iterations)},
            {"residual", trueResidual(system, problem.solution())},
            {"set_up_seconds", set_up_s}};
}

Json compared(const RivalResult& rival, const Json& ours)
{
    const double seconds = ours.at("seconds"), set_up_seconds = ours.at("set_up_seconds");
    return {{"seconds", rival.seconds},
            {"set_up_seconds", rival.set_up_seconds},
            {"iterations", rival.iterations},
            {"residual", rival.residual},
            {"times_slower", rival.seconds / seconds},
            {"times_slower_with_set_up", (rival.seconds + rival.set_up_seconds) / (seconds + set_up_seconds)}};
}

void compareWithRivals(const LinearSystem& system, Json& ours, std::vector<std::string>& notes)
{
    announce(fmt::format("pressure: {}^3 with hypre's PCG and PFMG on two ranks", size_of_rivals));
    std::string why_not;
    if (const auto hypre = solveWithHypre(system, PressureProblem::tolerance_rel, why_not))
        ours["hypre_pfmg"] = compared(*hypre, ours);
    else
        notes.push_back(why_not);
    announce(fmt::format("pressure: {}^3 with Eigen's CG and incomplete Cholesky", size_of_rivals));
    ours["eigen_ic"] = compared(solveWithEigen(system, PressureProblem::tolerance_rel), ours);
}

BenchReport benchPressure(const Machine& machine)
{
    BenchReport report;
    report.goals = {{"iterations", "at most 14"},
                    {"bytes_per_unknown_iteration", "at most 300"},
                    {"residual", "at most 1e-6"},
                    {"iterations_over_smallest", "at most 1.3"},
                    {"hypre_pfmg times_slower", "at least 3"},
                    {"eigen_ic times_slower", "at least 40"}};
    for (int n : sizes) {
        announce(fmt::format("pressure: {}^3", n));
        PressureProblem problem(n);
        problem.setUp();
        problem.fillRightHandSide();
        const LinearSystem system = problem.system();
        Json result = measure(machine, n, problem, system);
        const Json& smallest = report.results.empty() ? result : report.results.front();
        result["iterations_over_smallest"] =
            result.at("iterations").get<double>() / smallest.at("iterations").get<double>();
        if (n == size_of_rivals) compareWithRivals(system, result, report.notes);
        report.results.push_back(std::move(result));
    }
    return report;
}

}  // namespace

const Benchmark pressure_benchmark{"pressure", benchPressure};

}  // namespace flotsam
