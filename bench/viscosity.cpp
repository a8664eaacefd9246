// bench viscosity: how long the viscous solve takes beside the pressure solve of the same liquid, in both forms, with
// one viscosity and with a contrast of 1 : 1e5 inside the liquid.
#include <fmt/format.h>

#include "bench/benchmark.h"
#include "bench/pressure_problem.h"
#include "liquid/velocity.h"
#include "liquid/viscosity.h"

namespace flotsam {

namespace {

constexpr int sizes[] = {32, 64, 96};
constexpr int repetitions = 3;
constexpr double dt_s = 1.0 / 60;

// Stiff lumps of a few cells and large ones in a thin liquid, 1e-4 to 10 m2/s.
void fillViscosity(const Grid& grid, LiquidState& s)
{
    parallelFor("bench.fill", s.active, [h = grid.h, nu = s.viscosity.view()](int i, int j, int k) {
        const double x = (i + 0.5) * h, y = (j + 0.5) * h, z = (k + 0.5) * h;
        const double wave = std::sin(19 * x + 3 * z) * std::sin(23 * y) * std::sin(17 * z + 5 * x);
        const bool lump = std::hypot(x - 0.4, y - 0.25, z - 0.5) < 0.2;
        nu(i, j, k) = lump || wave > 0.3 ? 10.0f : 1e-4f;
    });
}

struct Setting {
    const char* name;
    ViscousStress stress;
    bool contrast;
};
constexpr Setting settings[] = {{"component", ViscousStress::component, false},
                                {"component_contrast", ViscousStress::component, true},
                                {"full", ViscousStress::full, false},
                                {"full_contrast", ViscousStress::full, true}};

Json measure(const Setting& setting, int n, double pressure_s, PressureProblem& problem)
{
    LiquidParams prm;
    prm.viscosity_m2_s = 10;
    prm.viscous_stress = setting.stress;
    problem.state.viscosity_varies = setting.contrast;
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
        fillViscosity(problem.grid, problem.state);
        for (const Setting& setting : settings) report.results.push_back(measure(setting, n, pressure_s, problem));
    }
    return report;
}

}  // namespace

const Benchmark viscosity_benchmark{"viscosity", benchViscosity};

}  // namespace flotsam
