// bench surface: cost of the level set and its particles, relative to one pressure solve on the same flow.
#include <fmt/format.h>

#include "bench/benchmark.h"
#include "bench/dam_break.h"
#include "liquid/particles.h"

namespace flotsam {

namespace {

constexpr int cells_along_side = 128;
constexpr double start_s = 0.1;  // the column has started to fall
constexpr int steps = 24;        // includes one reseeding

struct Tally {
    double particles_s = 0, level_set_s = 0, pressure_s = 0;  // summed over the steps
    double particles = 0, band_cells = 0, solves = 0;
};

long long bandCells(Simulation& sim)
{
    return parallelSum<long long>("bench.band", sim.liquid.state.active,
                                  [phi = sim.liquid.state.phi.view(), band = sim.liquid.grid.band](IndexBox box) {
                                      long long count = 0;
                                      forEachCell(box,
                                                  [&](int i, int j, int k) { count += std::abs(phi(i, j, k)) < band; });
                                      return count;
                                  });
}

Tally simulate(Simulation& sim)
{
    Tally tally;
    for (int n = 0; n < steps; ++n) {
        Profile profile;
        StepReport step;
        {
            const ProfileScope scope(profile);
            step = stepTowardsFrame(sim);
        }
        std::map<std::string, double> stage = profile.byStage();
        tally.particles_s += stage["particles"];
        tally.level_set_s += stage["surface"];
        tally.pressure_s += stage["pressure"];
        tally.solves += step.pressure.solves;
        tally.particles += double(countParticles(sim.liquid.state.particles));
        tally.band_cells += double(bandCells(sim));
    }
    return tally;
}

// One projection per step, to 1e-6: the first of two would stop at 1e-4.
Scene sceneWith(SurfaceScheme scheme, Reinitialisation how)
{
    Scene scene = damBreak(cells_along_side);
    scene.liquid.loop = Loop::one_projection;
    scene.surface.scheme = scheme;
    scene.surface.reinitialisation = how;
    return scene;
}

Json resultOf(const char* name, const Tally& t)
{
    const double surface_s = t.particles_s + t.level_set_s, solve_s = t.pressure_s / t.solves;
    return {{"name", fmt::format("surface/{}", name)},
            {"seconds", surface_s / steps},
            {"particles", int64_t(t.particles / steps)},
            {"band_cells", int64_t(t.band_cells / steps)},
            {"ns_per_particle", 1e9 * t.particles_s / t.particles},
            {"ns_per_band_cell", 1e9 * t.level_set_s / t.band_cells},
            {"particles_seconds", t.particles_s / steps},
            {"level_set_seconds", t.level_set_s / steps},
            {"pressure_solve_seconds", solve_s},
            {"over_pressure_solve", surface_s / steps / solve_s}};
}

struct Case {
    const char* name;
    SurfaceScheme scheme;
    Reinitialisation how;
};
constexpr Case cases[] = {{"128", SurfaceScheme::semi_lagrangian, Reinitialisation::fast},
                          {"128 pde", SurfaceScheme::semi_lagrangian, Reinitialisation::pde},
                          {"128 weno5", SurfaceScheme::weno5, Reinitialisation::fast}};

BenchReport benchSurface(const Machine&)
{
    BenchReport report;
    report.goals = {{"over_pressure_solve", "at most 1"}};
    report.notes = {fmt::format(
        "{} steps of the dam break from {} s on; a pressure solve is set-up, solve and gradient", steps, start_s)};
    for (const Case& c : cases) {
        announce(fmt::format("surface: {}", c.name));
        Simulation sim(sceneWith(c.scheme, c.how));
        while (sim.liquid.state.t_s < start_s) stepTowardsFrame(sim);
        report.results.push_back(resultOf(c.name, simulate(sim)));
    }
    return report;
}

}  // namespace

const Benchmark surface_benchmark{"surface", benchSurface};

}  // namespace flotsam
