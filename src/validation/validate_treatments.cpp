// The two surface treatments compared (thesis 6.3.1 and figure 32): a drop falls into a pool, which then comes to rest.
// The thesis shows gears and bunnies; the comparison is how noisy the surface is at the end, how much liquid is left
// and how long it keeps moving.
#include <fmt/format.h>

#include "grid/fractions.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

Scene dropIntoPool(bool noisy)
{
    Scene scene;
    scene.domain.cells = {48, 48, 48};
    scene.liquid.regions = {{PoolShape{0.3}, {}}, {SphereShape{{0.45, 0.6, 0.55}, 0.15}, {0, -2, 0}}};
    scene.surface.volume_correction = false;  // shows the loss of each
    if (noisy) {                              // left column of the figure
        scene.surface.treatment = SurfaceTreatment::noisy;
    } else {  // right column
        scene.liquid.loop = Loop::one_projection;
        scene.surface.particles_until_s = 1;
    }
    return scene;
}

// rms deviation of the height of a column from the mean of its four neighbours [cells].
double roughness(Simulation& sim)
{
    const Int3 n = sim.liquid.grid.cells;
    const View3<const float> phi = sim.liquid.state.phi;
    std::vector<double> height(size_t(n.x) * size_t(n.z));
    const auto at = [&](int i, int k) -> double& { return height[size_t(i + n.x * k)]; };
    forEachCell({{0, 0, 0}, n},
                [&](int i, int j, int k) { at(i, k) += belowSurface(double(phi(i, j, k)), sim.liquid.grid.h); });
    double sum = 0;
    for (int k = 1; k + 1 < n.z; ++k)
        for (int i = 1; i + 1 < n.x; ++i) {
            const double off = at(i, k) - 0.25 * (at(i - 1, k) + at(i + 1, k) + at(i, k - 1) + at(i, k + 1));
            sum += off * off;
        }
    return std::sqrt(sum / double((n.x - 2) * (n.z - 2)));
}

struct Outcome {
    double lost = 0, rough = 0, lively_J = 0;
};

Outcome run(bool noisy)
{
    Simulation sim(dropIntoPool(noisy));
    const double volume_m3 = sim.liquid.state.volume_target_m3;
    double kinetic_J = 0;
    int steps = 0;
    simulateTo(6, noisy ? "noisy" : "smooth", sim, [&](const StepReport& step) {
        if (sim.liquid.state.t_s < 2 || sim.liquid.state.t_s > 4) return;
        kinetic_J += step.liquid.kinetic_energy_J;
        ++steps;
    });
    return {1 - sim.liquid.measureNow().volume_m3 / volume_m3, roughness(sim), kinetic_J / steps};
}

std::vector<Finding> measureTreatments(const std::filesystem::path&)
{
    const Outcome noisy = run(true), smooth = run(false);
    return {absoluteFinding("noisy: volume fraction lost in 6 s", noisy.lost, 0, {}),
            absoluteFinding("smooth: volume fraction lost in 6 s", smooth.lost, 0, {}),
            absoluteFinding("noisy: roughness after 6 s [cells]", noisy.rough, 0, {}),
            absoluteFinding("smooth: roughness after 6 s [cells]", smooth.rough, 0, {}),
            absoluteFinding("noisy: mean kinetic energy, 2 to 4 s [J]", noisy.lively_J, 0, {}),
            absoluteFinding("smooth: mean kinetic energy, 2 to 4 s [J]", smooth.lively_J, 0, {}),
            absoluteFinding("roughness, smooth / noisy", smooth.rough / noisy.rough, 0, 1.0)};
}

}  // namespace

const ValidationCase treatments{"treatments", measureTreatments};

}  // namespace flotsam
