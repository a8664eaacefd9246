#include "validation/viscous_flows.h"

#include <cmath>
#include <numbers>

#include "core/time_loop.h"
#include "liquid/velocity.h"

namespace flotsam {

namespace {

constexpr double pi = std::numbers::pi, eddy_viscosity_m2_s = 0.1, eddy_t_s = 0.25;
constexpr double eddy_rate_1_s = 2 * eddy_viscosity_m2_s * pi * pi;

RegionSpec everywhere() { return {BoxShape{{-99, -99, -99}, {99, 99, 99}, {}}, {}}; }

// f(axis, i, j, k) for all faces of the domain.
template <class F>
void forFaces(const Grid& grid, const F& f)
{
    for (int axis = 0; axis < 3; ++axis)
        forEachCell({{0, 0, 0}, grid.cells + unit(axis)}, [&](int i, int j, int k) { f(axis, i, j, k); });
}

Vec3 eddy(Vec3 p) { return {std::sin(pi * p.x) * std::cos(pi * p.y), -std::cos(pi * p.x) * std::sin(pi * p.y), 0}; }

Scene eddyScene(int cells)
{
    Scene scene;
    scene.domain.cells = {cells, cells, 1};
    scene.domain.gravity_m_s2 = {};
    scene.domain.open[1][1] = false;
    scene.liquid.regions = {everywhere()};
    scene.liquid.viscosity_m2_s = eddy_viscosity_m2_s;
    scene.surface.particles_per_cell = 0;
    return scene;
}

void setEddy(Simulation& sim)
{
    forFaces(sim.liquid.grid, [&](int axis, int i, int j, int k) {
        sim.liquid.state.u.u[axis].view()(i, j, k) =
            float(eddy(facePosition(sim.liquid.grid.h, axis, {i, j, k}))[axis]);
    });
}

double amplitudeOf(Simulation& sim)
{
    double dot = 0, norm = 0;
    forFaces(sim.liquid.grid, [&](int axis, int i, int j, int k) {
        const double mode = eddy(facePosition(sim.liquid.grid.h, axis, {i, j, k}))[axis];
        dot += mode * double(sim.liquid.state.u.u[axis].view()(i, j, k));
        norm += mode * mode;
    });
    return dot / norm;
}

// Viscosity, then pressure, for dt.
void diffuse(double dt_s, Simulation& sim)
{
    ViscosityReport viscosity;
    PressureReport pressure;
    applyViscosity(sim.liquid.grid, sim.scene.liquid, sim.liquid.solids, dt_s, sim.liquid.state, sim.liquid.scratch,
                   viscosity);
    project(sim.liquid.grid, sim.scene.pressure, sim.liquid.solids, 0, sim.liquid.state, sim.liquid.scratch, pressure);
    extendVelocity(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
}

}  // namespace

double taylorGreenAmplitude(int cells, ViscousStress stress, double dt_s)
{
    Scene scene = eddyScene(cells);
    scene.liquid.viscous_stress = stress;
    Simulation sim(scene);
    setEddy(sim);
    setUpPressure(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    const int steps = int(std::lround(eddy_t_s / dt_s));
    for (int n = 0; n < steps; ++n) diffuse(dt_s, sim);
    return amplitudeOf(sim) * std::pow(1 + eddy_rate_1_s * dt_s, steps);
}

double taylorGreenOfSteps(int cells, Advection advection)
{
    Scene scene = eddyScene(cells);
    scene.liquid.advection = advection;
    Simulation sim(scene);
    setEddy(sim);
    const int steps = cells / 2;  // about half a cell each
    takeSteps(steps, eddy_t_s / steps, sim);
    return amplitudeOf(sim) * std::exp(eddy_rate_1_s * eddy_t_s);
}

double viscousFallError(ViscousStress stress, Loop loop)
{
    Scene scene;
    scene.domain.cells = {24, 48, 24};
    scene.liquid.regions = {{BoxShape{{0.27, 1.1, 0.31}, {0.72, 1.7, 0.66}, {}}, {}}};
    scene.liquid.viscosity_m2_s = 100;
    scene.liquid.viscous_stress = stress;
    scene.liquid.loop = loop;
    scene.surface.volume_correction = false;  // it would add a divergence and so a velocity
    Simulation sim(scene);
    takeSteps(24, 1.0 / 80, sim);
    const double expected = -9.81 * sim.liquid.state.t_s;
    double worst = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        if (sim.liquid.state.phi.view()(i, j, k) < 0)
            worst = std::max(worst, std::abs(double(sim.liquid.state.u.u[1].view()(i, j, k)) - expected));
    });
    return worst / std::abs(expected);
}

namespace {

constexpr Vec3 middle{0.5, 0.5, 0.5};
constexpr double ball_m = 0.3;

// About z, over density: sum of x v - y u weighted by the liquid fractions of the cells.
double angularMomentum(Simulation& sim)
{
    const View3<const float> phi = sim.liquid.state.phi.view(), u = sim.liquid.state.u.u[0].view(),
                             v = sim.liquid.state.u.u[1].view();
    double sum = 0;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        if (phi(i, j, k) >= 0) return;  // cells with phi < 0 have no face with only an extended velocity
        const double part = std::min(0.5 - double(phi(i, j, k)) / sim.liquid.grid.h, 1.0);
        const Vec3 r = sim.liquid.grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5} - middle;
        const double ux = 0.5 * double(u(i, j, k) + u(i + 1, j, k)), uy = 0.5 * double(v(i, j, k) + v(i, j + 1, k));
        sum += part * (r.x * uy - r.y * ux);
    });
    return sum;
}

}  // namespace

// The rotating ball keeps its shape, so its surface may stay fixed. Viscosity and pressure act for 60 steps of 1/60 s,
// at one revolution per second.
double angularMomentumLeft(int cells, ViscousStress stress)
{
    Scene scene;
    scene.domain.cells = {cells, cells, cells};
    scene.domain.gravity_m_s2 = {};
    scene.liquid.regions = {{SphereShape{middle, ball_m}, {}}};
    scene.liquid.viscosity_m2_s = 10;
    scene.liquid.viscous_stress = stress;
    scene.surface.particles_per_cell = 0;
    Simulation sim(scene);
    forFaces(sim.liquid.grid, [&](int axis, int i, int j, int k) {
        const Vec3 r = facePosition(sim.liquid.grid.h, axis, {i, j, k}) - middle;
        sim.liquid.state.u.u[axis].view()(i, j, k) = float((2 * pi * Vec3{-r.y, r.x, 0})[axis]);
    });
    sim.liquid.state.viscosity_varies = true;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        const double r = length(sim.liquid.grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5} - middle);
        sim.liquid.state.viscosity.view()(i, j, k) = float(0.01 * std::pow(1000, std::min(r / ball_m, 1.0)));
    });
    setUpPressure(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    const double before = angularMomentum(sim);
    for (int n = 0; n < 60; ++n) diffuse(1.0 / 60, sim);
    return angularMomentum(sim) / before;
}

}  // namespace flotsam
