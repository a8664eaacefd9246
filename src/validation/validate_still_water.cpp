// A half-full tank with a fixed ball: nothing moves, and the pressure is rho g depth.
#include <algorithm>
#include <cmath>

#include "liquid/velocity.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

constexpr double depth_m = 0.51;  // with cells of 1/48 m: the surface is neither on cell centres nor between them

Scene tankWithBall()
{
    Scene scene;
    scene.domain.cells = {48, 48, 48};
    scene.liquid.regions = {{PoolShape{depth_m}, {}}};
    SolidSpec ball;
    ball.name = "ball";
    ball.shape = SphereShape{{0.5, 0.28, 0.5}, 0.15};
    scene.solids = {ball};
    return scene;
}

// The largest |p - rho g depth| of a cell full of liquid, relative to the pressure at the bottom. The pressure is from
// one projection after gravity has acted for dt.
double worstPressureError(Simulation& sim)
{
    const double dt_s = sim.scene.time.max_dt_s, rho = sim.scene.liquid.density_kg_m3;
    const double g = -sim.scene.domain.gravity_m_s2.y;
    PressureReport report;
    setUpPressure(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    addGravity(sim.liquid.grid, sim.scene.domain.gravity_m_s2, dt_s, sim.liquid.state.active, sim.liquid.state.u);
    project(sim.liquid.grid, sim.scene.pressure, sim.liquid.solids, 0, sim.liquid.state, sim.liquid.scratch, report);
    double worst = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        const bool in_ball = sim.liquid.solids.touches({i, j, k}) && sim.liquid.solids.distance(i, j, k) < 0;
        const double expected = rho * g * (depth_m - sim.liquid.grid.h * (j + 0.5));
        if (in_ball || expected <= 0) return;
        const double p = pressureAt(sim.liquid.grid, rho, dt_s, sim.liquid.scratch, i, j, k);
        worst = std::max(worst, std::abs(p - expected));
    });
    return worst / (rho * g * depth_m);
}

std::vector<Finding> measureStillWater(const std::filesystem::path&)
{
    Simulation sim(tankWithBall());
    const double volume_m3 = sim.liquid.state.volume_target_m3;
    double drift = 0;
    simulateTo(1.0, still_water.name, sim, [&](const StepReport& step) {
        drift = std::max(drift, std::abs(step.liquid.volume_m3 / volume_m3 - 1));
    });
    const double speed = sim.liquid.measureNow().max_speed_m_s / std::sqrt(9.81 * depth_m);
    return {absoluteFinding("max speed after 1 s / sqrt(gH)", speed, 0, 1e-6),
            absoluteFinding("largest volume drift", drift, 0, 1e-3),
            absoluteFinding("max |p - rho g depth| / (rho g H)", worstPressureError(sim), 0, 1e-3)};
}

}  // namespace

const ValidationCase still_water{"still-water", measureStillWater};

}  // namespace flotsam
