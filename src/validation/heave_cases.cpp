#include "validation/heave_cases.h"

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "core/time_loop.h"
#include "validation/contact_of_bodies.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81;

void closeAndFill(Scene& scene)
{
    scene.domain.open[1][1] = false;
    scene.liquid.regions = {{BoxShape{{-9, -9, -9}, {9, 9, 9}, {}}, {}}};
}

}  // namespace

HeaveResult heave(CouplingMethod method, const HeaveSetup& setup, int cells_across, double max_dt_s)
{
    const double h = setup.width_m / cells_across, room_m = 1.5 * setup.radius_m;
    Scene scene = coupledTank({cells_across, int(std::ceil((setup.depth_m + room_m) / h)), 1}, setup.width_m, method);
    scene.liquid.regions = {{PoolShape{setup.depth_m}, {}}};
    scene.time.max_dt_s = max_dt_s;
    scene.bodies = {bodyAt("cylinder", BallShape{setup.radius_m}, 0.5 * scene.liquid.density_kg_m3,
                           {0.5 * setup.width_m, setup.depth_m + setup.raised_m, 0.5 * h})};
    Simulation run(scene);
    HeaveResult r;
    fmt::print(stderr, "heave: {} cells, steps of 1/{:.0f} s\n", cells_across, 1 / max_dt_s);
    bool rises = false;
    advanceTo(setup.seconds, run, [&](const StepReport& step) {
        const double x = (run.body().x_m.y - setup.depth_m) / setup.raised_m;
        if (run.liquid.state.step == 1) r.acceleration_m_s2 = upwardAcceleration(run, step.dt_s);
        if (x < r.lowest) r.lowest = x, r.lowest_s = run.t_s();
        rises = r.lowest < -0.05 && x > r.lowest + 0.02;
        return !rises && std::isfinite(x);
    });
    return r;
}

double startLag(CouplingMethod method, double dt_s)
{
    constexpr int steps = 4;
    Scene scene = coupledTank({64, 64, 1}, 1, method);
    closeAndFill(scene);
    const Vec3 start_m{0.5, 0.4, 0.5 / 64};
    scene.bodies = {bodyAt("disk", BallShape{0.125}, 0.5 * scene.liquid.density_kg_m3, start_m)};
    Simulation run(scene);
    double first_m_s = 0;
    takeSteps(steps, dt_s, run, [&](const StepReport&) {
        if (run.liquid.state.step == 1) first_m_s = run.body().v_m_s.y;
    });
    const double a = (run.body().v_m_s.y - first_m_s) / ((steps - 1) * dt_s);
    const double moved_m = std::max(0.0, run.body().x_m.y - start_m.y);
    return steps - std::sqrt(2 * moved_m / a) / dt_s;
}

namespace {

struct Settling {
    double speed_m_s, viscosity_m2_s;
};
// The weight in the liquid is the drag k nu U, U = Re nu / d.
Settling settlingAt(double reynolds, double diameter_m, double weight_m4_s2, double drag_coefficient_m)
{
    const double nu = std::sqrt(weight_m4_s2 * diameter_m / (drag_coefficient_m * reynolds));
    return {reynolds * nu / diameter_m, nu};
}

// Per length, between walls 1 / k diameters apart: Faxen 1946.
double dragOfDisk(double k)
{
    const double k2 = k * k, k4 = k2 * k2;
    return 4 * std::numbers::pi /
           (-std::log(k) - 0.9157 + 1.7244 * k2 - 1.7302 * k4 + 2.4056 * k4 * k2 - 4.5913 * k4 * k4);
}
// On the axis of a square duct 1 / k diameters wide: 1.903266 is that of Happel and Bart 1974, the cubic term is that
// of a circular duct (Faxen), as none is known to us for a square: at k = 1/4 it is 6 % of the result.
double dragOfBall(double diameter_m, double k)
{
    return 3 * std::numbers::pi * diameter_m / (1 - 1.903266 * k + 2.0888 * k * k * k);
}

}  // namespace

double sinkInHoney(CouplingMethod method, bool flat, int cells_per_diameter, double dt_s)
{
    constexpr double diameter_m = 0.02, reynolds = 0.005, density = 2, pi = std::numbers::pi;
    constexpr double seconds = 1.0 / 3;  // the flow is steady after 0.1 s
    constexpr int widths = 4;            // of the box, in diameters; it is 7/4 as high
    const double k = 1.0 / widths, excess = (density - 1) * g_m_s2;
    const Settling theory =
        flat ? settlingAt(reynolds, diameter_m, excess * pi / 4 * diameter_m * diameter_m, dragOfDisk(k))
             : settlingAt(reynolds, diameter_m, excess * pi / 6 * std::pow(diameter_m, 3), dragOfBall(diameter_m, k));
    const int cells = widths * cells_per_diameter;
    Scene scene = coupledTank({cells, 7 * cells / 4, flat ? 1 : cells}, widths * diameter_m, method);
    scene.domain.no_slip = true;
    closeAndFill(scene);
    scene.liquid.viscosity_m2_s = theory.viscosity_m2_s;
    const Vec3 center = 0.5 * scene.domain.size_m();
    scene.bodies = {bodyAt("ball", BallShape{0.5 * diameter_m}, density * scene.liquid.density_kg_m3, center)};
    Simulation run(scene);
    fmt::print(stderr, "honey-ball: {}, {} cells per diameter\n", flat ? "2-D" : "3-D", cells_per_diameter);
    takeSteps(int(std::lround(seconds / dt_s)), dt_s, run);
    return (center.y - run.body().x_m.y) > 0 ? -run.movedWith(0).v_m_s.y / theory.speed_m_s : 0;
}

}  // namespace flotsam
