#include <cmath>
#include <numbers>

#include "liquid/velocity.h"
#include "validation/viscous_flows.h"

namespace flotsam {

namespace {

constexpr int heights_long = 8, lid_cells = 4;

Scene channelScene(const Channel::Setting& setting)
{
    Scene scene;
    const bool lid = setting.lid_m_s != 0;
    scene.domain.cells = {heights_long * setting.cells, setting.cells + (lid ? lid_cells : 0), 1};
    scene.domain.width_m = heights_long;
    scene.domain.gravity_m_s2 = {setting.force_m_s2, 0, 0};
    scene.domain.no_slip = true;
    scene.domain.open[0][0] = scene.domain.open[0][1] = true;
    scene.domain.open[1][1] = false;
    scene.liquid.regions = {{BoxShape{{-99, -99, -99}, {99, 99, 99}, {}}, {}}};
    scene.liquid.viscosity_m2_s = setting.viscosity_m2_s;
    scene.liquid.viscous_stress = setting.stress;
    scene.liquid.viscosity_mean = setting.mean;
    scene.surface.particles_per_cell = 0;
    if (lid) {
        SolidSpec solid;
        solid.name = "lid";
        solid.shape = BoxShape{{-99, setting.lid_at_m, -99}, {99, 99, 99}, {}};
        solid.velocity_m_s = {setting.lid_m_s, 0, 0};
        scene.solids = {solid};
    }
    return scene;
}

}  // namespace

Channel::Channel(const Setting& setting) : sim(channelScene(setting)) {}

void Channel::setLayers(double below_m2_s, double above_m2_s)
{
    sim.liquid.state.viscosity_varies = true;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        sim.liquid.state.viscosity.view()(i, j, k) = float(heightOf(j) < 0.5 ? below_m2_s : above_m2_s);
    });
}

void Channel::advance(double t_s, double dt_s)
{
    for (; sim.liquid.state.t_s < t_s - 0.5 * dt_s; sim.liquid.state.t_s += dt_s) {
        ViscosityReport viscosity;
        addGravity(sim.liquid.grid, sim.scene.domain.gravity_m_s2, dt_s, sim.liquid.state.active, sim.liquid.state.u);
        applyViscosity(sim.liquid.grid, sim.scene.liquid, sim.liquid.solids, dt_s, sim.liquid.state, sim.liquid.scratch,
                       viscosity);
        extendVelocity(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    }
}

double Channel::speedAt(int j) const
{
    return double(sim.liquid.state.u.u[0].view()(sim.liquid.grid.cells.x / 2, j, 0));
}
double Channel::heightOf(int j) const { return (j + 0.5) * sim.liquid.grid.h; }

double poiseuilleError(int cells, ViscousStress stress)
{
    Channel channel({.cells = cells, .force_m_s2 = 1, .stress = stress});
    channel.advance(4, 0.1);
    double worst = 0;
    for (int j = 0; j < cells; ++j) {
        const double y = channel.heightOf(j);
        worst = std::max(worst, std::abs(channel.speedAt(j) - 0.5 * y * (1 - y)));
    }
    return worst / 0.125;
}

double couetteStartError(int cells, ViscousStress stress, double dt_s)
{
    Channel channel({.cells = cells, .lid_m_s = 1, .stress = stress});
    constexpr double t = 0.1, pi = std::numbers::pi;
    channel.advance(t, dt_s);
    double worst = 0;
    for (int j = 0; j < cells; ++j) {
        const double y = channel.heightOf(j);
        double exact = y;
        for (int n = 1; n < 40; ++n)
            exact += 2 / (n * pi) * (n % 2 ? -1 : 1) * std::exp(-n * n * pi * pi * t) * std::sin(n * pi * y);
        worst = std::max(worst, std::abs(channel.speedAt(j) - exact));
    }
    return worst;
}

double couetteError(int cells, ViscousStress stress, double lid_at_m)
{
    Channel channel({.cells = cells, .lid_m_s = 1, .lid_at_m = lid_at_m, .stress = stress});
    channel.advance(4, 0.1);
    double worst = 0;
    for (int j = 0; j < cells; ++j)
        if (channel.heightOf(j) < lid_at_m)
            worst = std::max(worst, std::abs(channel.speedAt(j) - channel.heightOf(j) / lid_at_m));
    return worst;
}

TwoLayerFlow twoLayerFlow(int cells, ViscosityMean mean, ViscousStress stress)
{
    Channel channel({.cells = cells, .force_m_s2 = 1, .viscosity_m2_s = 10, .stress = stress, .mean = mean});
    channel.setLayers(1, 10);
    channel.advance(4, 0.1);
    TwoLayerFlow flow{};
    for (int j = 0; j < cells; ++j)
        (j < cells / 2 ? flow.flux_below_m2_s : flow.flux_above_m2_s) += channel.speedAt(j) * channel.sim.liquid.grid.h;
    // The stress is continuous at the interface, which is half a cell from either row.
    flow.interface_m_s = (1 * channel.speedAt(cells / 2 - 1) + 10 * channel.speedAt(cells / 2)) / 11;
    return flow;
}

}  // namespace flotsam
