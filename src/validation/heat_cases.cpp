#include "validation/heat_cases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/time_loop.h"

namespace flotsam {

namespace {

constexpr double mean_K = 300, amplitude_K = 100;

Scene fullBox(Int3 cells, double diffusivity_m2_s)
{
    Scene scene;
    scene.domain.cells = cells;
    scene.domain.gravity_m_s2 = {};
    scene.domain.open[1][1] = false;
    scene.liquid.regions = {{BoxShape{{-9, -9, -9}, {9, 9, 9}, {}}, {}}};
    scene.heat.on = true;
    scene.heat.temperature_K = mean_K;
    scene.heat.diffusivity_m2_s = diffusivity_m2_s;
    return scene;
}

double cosines(Int3 cells, Int3 c)
{
    double value = 1;
    for (int a = 0; a < 3; ++a)
        if (cells[a] > 1) value *= std::cos(std::numbers::pi * (c[a] + 0.5) / cells[a]);
    return value;
}

}  // namespace

CosineMode::CosineMode(Int3 cells, double diffusivity_m2_s) : sim(fullBox(cells, diffusivity_m2_s))
{
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        sim.liquid.state.temperature.view()(i, j, k) = float(expected_K({i, j, k}));
    });
    heat_J = sim.liquid.heatNow();
}

void CosineMode::step(double dt_s)
{
    sim.step(dt_s);
    const double r = sim.scene.heat.diffusivity_m2_s * dt_s / (sim.liquid.grid.h * sim.liquid.grid.h);
    for (int a = 0; a < 3; ++a) {
        const double s = std::sin(0.5 * std::numbers::pi / sim.liquid.grid.cells[a]);
        if (sim.liquid.grid.cells[a] > 1) amplitude /= 1 + 4 * r * s * s;
    }
}

double CosineMode::expected_K(Int3 c) const
{
    return mean_K + amplitude_K * amplitude * cosines(sim.liquid.grid.cells, c);
}

double CosineMode::error() const
{
    double worst = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        const double T = sim.liquid.state.temperature.view()(i, j, k);
        worst = std::max(worst, std::abs(T - expected_K({i, j, k})) / amplitude_K);
    });
    return worst;
}

// Open boundaries are not walls, and without heat transfer to the air they are insulated.
Scene halfSpace(int cells, double start_K, double walls_K)
{
    Scene scene = fullBox({cells, 4, 1}, 1e-3);
    scene.domain.open[0][1] = scene.domain.open[1][0] = scene.domain.open[1][1] = true;
    scene.heat.temperature_K = start_K;
    scene.heat.walls_K = walls_K;
    return scene;
}

double erfError(int cells, int steps)
{
    constexpr double start_K = 300, jump_K = 50, end_s = 16;  // 2 sqrt(k t) is a quarter of the width
    Simulation sim(halfSpace(cells, start_K, start_K + jump_K));
    takeSteps(steps, end_s / steps, sim);
    double worst = 0;
    for (int i = 0; i < cells; ++i) {
        const double x = sim.liquid.grid.h * (i + 0.5);
        const double exact = start_K + jump_K * std::erfc(x / (2 * std::sqrt(1e-3 * end_s)));
        worst = std::max(worst, std::abs(sim.liquid.state.temperature.view()(i, 1, 0) - exact) / jump_K);
    }
    return worst;
}

double stefanError(int cells, double stefan_number, double lambda, double& front_m, double& exact_m)
{
    constexpr double melting_K = 300, jump_K = 50;
    Scene scene = halfSpace(cells, melting_K, melting_K + jump_K);
    scene.heat.melting_K = melting_K;
    scene.heat.latent_J_kg = scene.heat.specific_heat_J_kg_K * jump_K / stefan_number;
    Simulation sim(scene);
    const double k = scene.heat.diffusivity_m2_s, end_s = std::pow(0.75 / (2 * lambda), 2) / k;
    double worst = 0;
    // Four steps per cell that the front melts.
    const int steps = 4 * cells;
    takeSteps(steps, end_s / steps, sim, [&](const StepReport&) {
        front_m = 0;
        for (int i = 0; i < cells; ++i) front_m += sim.liquid.grid.h * double(sim.liquid.state.melted.view()(i, 1, 0));
        exact_m = 2 * lambda * std::sqrt(k * sim.liquid.state.t_s);
        if (exact_m >= 0.25) worst = std::max(worst, std::abs(front_m / exact_m - 1));
    });
    return worst;
}

TurnedSpot rotateHotSpot(HeatConvection scheme, int cells, int steps)
{
    constexpr double width_m = 0.08, turn_s = 1;
    Scene scene = fullBox({cells, cells, 1}, 1e-9);
    scene.heat.convection = scheme;
    Simulation sim(scene);
    const Grid& grid = sim.liquid.grid;
    const View3<float> T = sim.liquid.state.temperature;
    const auto start_K = [&](int i, int j) {
        const double x = grid.h * (i + 0.5) - 0.5, y = grid.h * (j + 0.5) - 0.75;
        return mean_K + amplitude_K * std::exp(-(x * x + y * y) / (width_m * width_m));
    };
    const double spin_1_s = 2 * std::numbers::pi / turn_s;
    double spot_K = 0;
    forEachCell({{0, 0, 0}, grid.cells}, [&](int i, int j, int k) {
        T(i, j, k) = float(start_K(i, j));
        spot_K += start_K(i, j) - mean_K;
        sim.liquid.state.u.u[0].view()(i, j, k) = float(-spin_1_s * (grid.h * (j + 0.5) - 0.5));
        sim.liquid.state.u.u[1].view()(i, j, k) = float(spin_1_s * (grid.h * (i + 0.5) - 0.5));
    });
    TurnedSpot spot;
    for (int n = 0; n < steps; ++n) {
        const HeatTotals totals = measureHeat(grid, sim.liquid.solids, scene.heat, sim.liquid.state);
        spot.corrected += std::abs(convectHeat(grid, sim.liquid.solids, scene.heat, turn_s / steps, totals.mean_K(),
                                               sim.liquid.state, sim.liquid.scratch)) *
                          totals.cells / spot_K;
    }
    forEachCell({{0, 0, 0}, grid.cells}, [&](int i, int j, int k) {
        spot.peak = std::max(spot.peak, (T(i, j, k) - mean_K) / amplitude_K);
        spot.error += std::abs(T(i, j, k) - start_K(i, j)) / spot_K;
    });
    return spot;
}

SloshedHeat sloshHeat(HeatConvection scheme, Int3 cells, double seconds)
{
    constexpr double hotter_K = 40;
    Scene scene = fullBox(cells, 1.4e-7);
    scene.domain.gravity_m_s2 = {0, -9.81, 0};
    scene.liquid.regions = {{PoolShape{0.4, 0.08, 1, 1}, {}, mean_K},
                            {BoxShape{{-1, -1, -1}, {1.0 / 3, 0.3, 9}, {}}, {}, mean_K + hotter_K}};
    scene.heat.convection = scheme;
    Simulation sim(scene);
    const double start_J = sim.liquid.heatNow();
    const double contrast_J = start_J * hotter_K / mean_K;
    SloshedHeat result;
    advanceTo(seconds, sim, [&](const StepReport& report) {
        result.change = std::max(result.change, std::abs(report.heat_J / start_J - 1));
        result.corrected += std::abs(report.heat_correction_J) / contrast_J;
    });
    const LiquidState& s = sim.liquid.state;
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        if (s.phi.view()(i, j, k) >= 0) return;
        result.below_K = std::max(result.below_K, mean_K - s.temperature.view()(i, j, k));
        result.above_K = std::max(result.above_K, s.temperature.view()(i, j, k) - mean_K - hotter_K);
    });
    return result;
}

}  // namespace flotsam
