// bench viscosity: time of the viscous solve relative to the pressure solve of the same liquid, in both forms, with one
// viscosity and with a contrast of 1 : 1e5 inside the liquid.
#include <fmt/format.h>

#include "bench/benchmark.h"
#include "bench/pressure_problem.h"
#include "liquid/velocity.h"
#include "liquid/viscosity.h"

namespace flotsam {

namespace {

constexpr int sizes[] = {32, 64};
constexpr int repetitions = 3;
constexpr double dt_s = 1.0 / 60;

enum class Pattern { one_viscosity, ball, lumps };

// A stiff ball in a thin liquid, 10 and 1e-4 m2/s; or the same with about thirty stiff lumps of three to six cells that
// rotate independently: the hard case for the full stress.
void fillViscosity(const Grid& grid, Pattern pattern, LiquidState& s)
{
    s.viscosity_varies = pattern != Pattern::one_viscosity;
    parallelFor("bench.fill", s.active, [=, h = grid.h, nu = s.viscosity.view()](int i, int j, int k) {
        const double x = (i + 0.5) * h, y = (j + 0.5) * h, z = (k + 0.5) * h;
        const double wave = std::sin(19 * x + 3 * z) * std::sin(23 * y) * std::sin(17 * z + 5 * x);
        const bool stiff = std::hypot(x - 0.4, y - 0.25, z - 0.5) < 0.2 || (pattern == Pattern::lumps && wave > 0.3);
        nu(i, j, k) = stiff ? 10.0f : 1e-4f;
    });
}

struct Setting {
    const char* name;
    ViscousStress stress;
    Pattern pattern;
};
constexpr Setting settings[] = {{"component", ViscousStress::component, Pattern::one_viscosity},
                                {"component_ball", ViscousStress::component, Pattern::ball},
                                {"component_lumps", ViscousStress::component, Pattern::lumps},
                                {"full", ViscousStress::full, Pattern::one_viscosity},
                                {"full_ball", ViscousStress::full, Pattern::ball},
                                {"full_lumps", ViscousStress::full, Pattern::lumps}};

Json measure(const Setting& setting, int n, double pressure_s, PressureProblem& problem)
{
    LiquidParams prm;
    prm.viscosity_m2_s = 10;
    prm.viscous_stress = setting.stress;
    fillViscosity(problem.grid, setting.pattern, problem.state);
    SolveReport solve;
    double s = 1e30, set_up_s = 1e30;
    for (int r = 0; r < repetitions; ++r) {
        set_up_s = std::min(set_up_s, secondsOf([&] {
                                setUpViscosity(problem.grid, prm, problem.solids, dt_s, problem.state, problem.scratch);
                            }));
        s = std::min(s, secondsOf([&] { solve = solveViscosity(prm.viscous_stress, problem.scratch); }));
    }
    return {{"name", fmt::format("viscosity/{}/{}", n, setting.name)},
            {"seconds", s},
            {"iterations", solve.iterations},
            {"residual", solve.residual},
            {"set_up_seconds", set_up_s},
            {"times_pressure", s / pressure_s}};
}

BenchReport benchViscosity(const Machine&)
{
    BenchReport report;
    report.goals = {{"residual", "at most 1e-6"}, {"times_pressure", "at most 5"}};
    for (int n : sizes) {
        announce(fmt::format("viscosity: {}^3", n));
        PressureProblem problem(n);
        problem.setUp();
        problem.fillRightHandSide();
        const double pressure_s = leastSecondsOf(repetitions, [&] { problem.solve(); });
        planExtension(problem.grid, problem.solids, problem.state, problem.scratch);
        for (const Setting& setting : settings) report.results.push_back(measure(setting, n, pressure_s, problem));
    }
    return report;
}

}  // namespace

const Benchmark viscosity_benchmark{"viscosity", benchViscosity};

}  // namespace flotsam
