// bench step: time of complete steps, and its breakdown by stage.
#include <fmt/format.h>

#include <algorithm>

#include "bench/benchmark.h"
#include "bench/dam_break.h"

namespace flotsam {

namespace {

struct Case {
    int cells;
    double cfl;
    Loop loop;
    double span_s;                       // simulated
    double mantaflow_s_per_simulated_s;  // Blender 3.4 on two cores, same filling
    double mantaflow_s_per_step;
};
// Mantaflow took 76 and 96 steps per simulated second, with one projection each; steps with our default (cfl 1) are
// shorter and have two projections. We therefore also measure with cfl 4, and with its kind of step.
constexpr Case cases[] = {
    {64, 1, Loop::two_projections, 1.0, 25, 0.33},  {64, 4, Loop::two_projections, 1.0, 25, 0.33},
    {64, 4, Loop::one_projection, 1.0, 25, 0.33},   {128, 1, Loop::two_projections, 0.3, 346, 3.6},
    {128, 4, Loop::two_projections, 1.0, 346, 3.6}, {128, 4, Loop::one_projection, 1.0, 346, 3.6}};
constexpr size_t kernels_listed = 8;

struct Tally {
    Profile profile;
    double seconds = 0;
    int steps = 0;
    double liquid_cells = 0;  // summed over the steps
    double iterations = 0;
    double worst_residual = 0;
    int unconverged_steps = 0;
};

Tally simulate(const Case& c, Simulation& sim)
{
    Tally tally;
    const ProfileScope scope(tally.profile);
    while (sim.liquid.state.t_s < c.span_s * (1 - 1e-9)) {
        StepReport step;
        tally.seconds += secondsOf([&] { step = stepTowardsFrame(sim); });
        ++tally.steps;
        tally.liquid_cells += double(step.liquid.liquid_cells);
        tally.iterations += step.pressure.iterations;
        tally.worst_residual = std::max(tally.worst_residual, step.pressure.residual);
        tally.unconverged_steps += !step.pressure.converged;
    }
    return tally;
}

// Shares of the total, largest first; time without a label is "other".
Json shares(const std::map<std::string, double>& seconds, double whole_s, size_t count)
{
    std::vector<std::pair<std::string, double>> sorted(seconds.begin(), seconds.end());
    double covered_s = 0;
    for (const auto& part : sorted) covered_s += part.second;
    std::sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    Json result = Json::object();
    for (size_t n = 0; n < std::min(count, sorted.size()); ++n) result[sorted[n].first] = sorted[n].second / whole_s;
    if (count >= sorted.size()) result["other"] = 1 - covered_s / whole_s;
    return result;
}

Json resultOf(const Case& c, const Tally& t)
{
    const double per_simulated_s = t.seconds / c.span_s, per_step = t.seconds / t.steps;
    return {{"name", fmt::format("step/{}/cfl{}{}", c.cells, c.cfl, c.loop == Loop::one_projection ? "/one" : "")},
            {"simulated_s", c.span_s},
            {"steps", t.steps},
            {"seconds_per_simulated_second", per_simulated_s},
            {"seconds_per_step", per_step},
            {"ns_per_liquid_cell_step", 1e9 * t.seconds / t.liquid_cells},
            {"liquid_cells", int64_t(t.liquid_cells / t.steps)},
            {"pressure_iterations_per_step", t.iterations / t.steps},
            {"worst_residual", t.worst_residual},
            {"unconverged_steps", t.unconverged_steps},
            {"mantaflow_times_slower", c.mantaflow_s_per_simulated_s / per_simulated_s},
            {"mantaflow_times_slower_per_step", c.mantaflow_s_per_step / per_step},
            {"stage_share", shares(t.profile.byStage(), t.seconds, 100)},
            {"kernel_share", shares(t.profile.seconds, t.seconds, kernels_listed)}};
}

BenchReport benchStep(const Machine&)
{
    BenchReport report;
    report.goals = {{"mantaflow_times_slower", "at least 10"}, {"unconverged_steps", "none"}};
    report.notes = {
        "Each case covers the first simulated_s of the dam break and nothing beyond; steps are longest while the "
        "column starts to fall.",
        "The times of Mantaflow, 25 and 346 s per simulated second, are those of Blender 3.4 on two cores; they are "
        "not measured here."};
    for (const Case& c : cases) {
        announce(fmt::format("step: a dam break at {}^3, cfl {}, {}, {} s simulated", c.cells, c.cfl,
                             c.loop == Loop::one_projection ? "one projection" : "two projections", c.span_s));
        Scene scene = damBreak(c.cells, Filling::dam, c.cfl);
        scene.liquid.loop = c.loop;
        Simulation sim(scene);
        report.results.push_back(resultOf(c, simulate(c, sim)));
    }
    return report;
}

}  // namespace

const Benchmark step_benchmark{"step", benchStep};

}  // namespace flotsam
