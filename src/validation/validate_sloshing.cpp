// A pool whose surface starts as half a cosine: its period against linear theory.
#include <cmath>
#include <numbers>
#include <utility>

#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr double length_m = 1, depth_m = 0.5, amplitude_m = 0.005, seconds = 6;
constexpr double k_1_m = std::numbers::pi / length_m;

Scene pool()
{
    Scene scene;
    scene.domain.cells = {64, 48, 1};
    scene.domain.width_m = length_m;
    scene.liquid.regions = {{PoolShape{depth_m, amplitude_m, 1, length_m}, {}}};
    return scene;
}

// Height of the surface in a column of cells [m].
double surfaceHeight(Simulation& sim, int i)
{
    const View3<const float> phi = sim.liquid.state.phi;
    int j = 1;
    while (j < sim.liquid.grid.cells.y - 1 && phi(i, j, 0) < 0) ++j;
    const double below = phi(i, j - 1, 0), above = phi(i, j, 0);
    return sim.liquid.grid.h * (j - 0.5 + below / (below - above));
}

// (2/L) times the integral of eta cos(k x): the amplitude of the first mode [m].
double firstMode(Simulation& sim)
{
    double sum = 0;
    for (int i = 0; i < sim.liquid.grid.cells.x; ++i)
        sum += surfaceHeight(sim, i) * std::cos(k_1_m * sim.liquid.grid.h * (i + 0.5)) * sim.liquid.grid.h;
    return 2 / length_m * sum;
}

struct Oscillation {
    std::vector<double> zeros_s;  // sign changes of the amplitude
    std::vector<double> peaks_m;  // largest |amplitude| between two of them
};

Oscillation observe()
{
    Simulation sim(pool());
    Oscillation result;
    double t_s = 0, amplitude = firstMode(sim), peak = std::abs(amplitude);
    simulateTo(seconds, sloshing.name, sim, [&](const StepReport&) {
        const double now = firstMode(sim);
        if ((now < 0) != (amplitude < 0)) {
            result.zeros_s.push_back(t_s + (sim.liquid.state.t_s - t_s) * amplitude / (amplitude - now));
            result.peaks_m.push_back(std::exchange(peak, 0));
        }
        peak = std::max(peak, std::abs(now));
        amplitude = now;
        t_s = sim.liquid.state.t_s;
    });
    return result;
}

std::vector<Finding> measureSloshing(const std::filesystem::path&)
{
    const double theory_s = 2 * std::numbers::pi / std::sqrt(9.81 * k_1_m * std::tanh(k_1_m * depth_m));
    const Oscillation o = observe();
    if (o.zeros_s.size() < 3) return {absoluteFinding("zero crossings in 6 s", double(o.zeros_s.size()), 10, 1)};
    const double half_periods = double(o.zeros_s.size() - 1);
    const double period_s = 2 * (o.zeros_s.back() - o.zeros_s.front()) / half_periods;
    const double kept = std::pow(o.peaks_m.back() / o.peaks_m.front(), 2 / half_periods);
    return {relativeFinding("period [s]", period_s, theory_s, 0.01),
            relativeFinding("first quarter period [s]", o.zeros_s.front(), theory_s / 4, {}),
            absoluteFinding("amplitude kept in a period", kept, 1, {})};
}

}  // namespace

const ValidationCase sloshing{"sloshing", measureSloshing};

}  // namespace flotsam
