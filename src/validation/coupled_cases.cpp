#include "validation/coupled_cases.h"

#include <cmath>

#include "core/time_loop.h"
#include "grid/fractions.h"
#include "rigid/from_scene.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81;

Scene tankOf(Int3 cells, CouplingMethod method)
{
    Scene scene;
    scene.domain.cells = cells;
    scene.liquid.viscosity_m2_s = 0;
    scene.coupling.method = method;
    return scene;
}

void closeAndFill(Scene& scene)
{
    scene.domain.open[1][1] = false;
    scene.liquid.regions = {{BoxShape{{-9, -9, -9}, {9, 9, 9}, {}}, {}}};
}

BodySpec bodyOf(const BodyShape& shape, double density_kg_m3, Vec3 position_m)
{
    BodySpec body;
    body.name = "body";
    body.shape = shape;
    body.density_kg_m3 = density_kg_m3;
    body.position_m = position_m;
    return body;
}

// Depth of the lowest point of a floating body below the water, averaged after the first third of the time. The water
// level follows from its volume and the volume displaced by the body at rest.
double meanDraft(const Scene& scene, double half_height_m, double seconds)
{
    Simulation run(scene);
    const Vec3 size = scene.domain.size_m();
    const double displaced_m3 = run.world.bodies[0].mass_kg / scene.liquid.density_kg_m3;
    const double level_m = (run.liquid.state.volume_target_m3 + displaced_m3) / (size.x * size.z);
    double sum = 0, time_s = 0;
    advanceTo(seconds, run, [&](const StepReport& step) {
        if (run.liquid.state.t_s > seconds / 3) sum += step.dt_s * run.body().x_m.y, time_s += step.dt_s;
    });
    return level_m - (sum / time_s - half_height_m);
}

}  // namespace

double upwardAcceleration(const Simulation& run, double dt_s)
{
    return (run.body().v_m_s.y - run.movedWith(0).v_m_s.y) / dt_s;
}

double releaseBall(CouplingMethod method, double density)
{
    Scene scene = tankOf({36, 36, 36}, method);
    closeAndFill(scene);
    scene.bodies = {bodyOf(BallShape{1.0 / 6}, density * scene.liquid.density_kg_m3, {0.5, 0.5, 0.5})};
    Simulation run(scene, makeWorld(scene));  // also those that a run would reject
    constexpr double dt_s = 1e-3;
    run.step(dt_s);
    return upwardAcceleration(run, dt_s) / g_m_s2;
}

// a / g = (1 - s) / (s + C), C = 1/2 (1 + 2 l^3) / (1 - l^3) in a sphere 1 / l times as wide (Lamb).
Bracket releaseTheory(double s, double radius_of_half_width)
{
    const double l = std::pow(radius_of_half_width, 3);
    return {(1 - s) / (s + 0.5 * (1 + 2 * l) / (1 - l)), (1 - s) / (s + 0.5)};
}

// The draft d in diameters at which a ball displaces its weight: 3 d^2 - 2 d^3 = s.
double draftOfBallInTheory(double density)
{
    double low = 0, high = 1;
    for (int n = 0; n < 60; ++n) {
        const double d = 0.5 * (low + high);
        (3 * d * d - 2 * d * d * d < density ? low : high) = d;
    }
    return low;
}

double draftOfBall(CouplingMethod method, double density, int cells, double seconds)
{
    constexpr double radius_m = 0.19, depth_m = 0.5;
    Scene scene = tankOf({cells, cells, cells}, method);
    scene.liquid.regions = {{PoolShape{depth_m}, {}}};
    // Starts a twentieth of its diameter too high.
    const double draft = draftOfBallInTheory(density) - 0.05;
    scene.bodies = {bodyOf(BallShape{radius_m}, density * scene.liquid.density_kg_m3,
                           {0.5, depth_m + radius_m - 2 * radius_m * draft, 0.5})};
    return meanDraft(scene, radius_m, seconds) / (2 * radius_m);
}

double draftOfBox(CouplingMethod method, double density, int cells, double seconds)
{
    constexpr double height_m = 0.16, depth_m = 0.5;
    Scene scene = tankOf({cells, cells, cells}, method);
    scene.liquid.regions = {{PoolShape{depth_m}, {}}};
    scene.bodies = {bodyOf(BlockShape{{0.36, height_m, 0.36}}, density * scene.liquid.density_kg_m3,
                           {0.5, depth_m + height_m * (0.55 - density), 0.5})};
    return meanDraft(scene, 0.5 * height_m, seconds) / height_m;
}

NeutralBodyResult floatNeutral(CouplingMethod method, double seconds)
{
    NeutralBodyResult result;
    Scene still = tankOf({24, 24, 24}, method);
    still.liquid.regions = {{PoolShape{0.8}, {}}};
    still.bodies = {bodyOf(BallShape{0.15}, still.liquid.density_kg_m3, {0.52, 0.4, 0.47})};
    Simulation resting(still);
    advanceTo(seconds, resting, [&](const StepReport&) {
        result.speed = std::max(result.speed, length(resting.body().v_m_s) / std::sqrt(g_m_s2 * 0.8));
    });
    result.drift_cells = length(resting.body().x_m - still.bodies[0].position_m) / resting.liquid.grid.h;

    const Vec3 velocity_m_s{1, 0.5, 0.25};
    Scene flight = tankOf({32, 32, 32}, method);
    flight.domain.gravity_m_s2 = {};
    flight.surface.volume_correction = false;  // it would add a divergence
    flight.liquid.regions = {{SphereShape{{0.35, 0.4, 0.45}, 0.3}, velocity_m_s}};
    flight.bodies = {bodyOf(BallShape{0.12}, flight.liquid.density_kg_m3, {0.37, 0.38, 0.45})};
    flight.bodies[0].velocity_m_s = velocity_m_s;
    Simulation flying(flight);
    advanceTo(0.2, flying, [&](const StepReport&) {
        const LiquidState& s = flying.liquid.state;
        double worst = length(flying.body().v_m_s - velocity_m_s);
        for (int axis = 0; axis < 3; ++axis)
            forEachCell({{1, 1, 1}, flying.liquid.grid.cells}, [&](int i, int j, int k) {
                const Int3 c{i, j, k};
                if (s.phi.view()(c) < 0 && s.phi.view()(c - unit(axis)) < 0)
                    worst = std::max(worst, std::abs(double(s.u.u[axis].view()(c)) - velocity_m_s[axis]));
            });
        result.stream_change = std::max(result.stream_change, worst / length(velocity_m_s));
    });
    return result;
}

double sinkBall(CouplingMethod method, const Sinking& what, int cells_per_diameter, double seconds,
                const std::function<void(const Simulation&)>& observe)
{
    constexpr double diameter_m = 0.015, width_m = 0.1, height_m = 0.16;
    const int cells = int(std::ceil(width_m / diameter_m * cells_per_diameter));
    Scene scene = tankOf({cells, int(std::round(cells * height_m / width_m)), cells}, method);
    scene.domain.width_m = width_m;
    scene.domain.no_slip = true;
    closeAndFill(scene);
    scene.liquid.density_kg_m3 = what.liquid_kg_m3;
    scene.liquid.viscosity_m2_s = what.viscosity_Pa_s / what.liquid_kg_m3;
    scene.bodies = {bodyOf(BallShape{0.5 * diameter_m}, 1120, {0.5 * width_m, 0.1275, 0.5 * width_m})};
    Simulation run(scene);
    // The plateau is reached when twenty steps add less than a thousandth; near the bottom the ball slows down.
    double fastest = 0, before = 0;
    advanceTo(seconds, run, [&](const StepReport&) {
        if (run.body().x_m.y - 0.5 * diameter_m < 0.3 * diameter_m) return false;
        fastest = std::max(fastest, -run.body().v_m_s.y);
        if (run.liquid.state.step % 20 == 0) {
            if (fastest < 1.001 * before) return false;
            before = fastest;
        }
        if (observe) observe(run);
        return true;
    });
    return fastest;
}

namespace {

struct Momentum {
    Vec3 linear, angular;  // about the origin
};

Momentum totalMomentum(const Simulation& run)
{
    const Grid& grid = run.liquid.grid;
    const Solids& barriers = run.liquid.barriers();
    const LiquidState& s = run.liquid.state;
    const double cell_mass = run.scene.liquid.density_kg_m3 * grid.h * grid.h * grid.h;
    Momentum m{run.world.momentum(), run.world.angularMomentum()};
    forEachCell({{0, 0, 0}, grid.cells}, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        double mass = cell_mass * belowSurface(double(s.phi.view()(c)), grid.h);
        if (mass == 0) return;
        if (barriers.touches(c)) mass *= std::clamp(0.5 + double(barriers.distance(i, j, k)) / grid.h, 0.0, 1.0);
        Vec3 v;
        for (int a = 0; a < 3; ++a) v[a] = 0.5 * (double(s.u.u[a].view()(c)) + double(s.u.u[a].view()(c + unit(a))));
        m.linear += mass * v;
        m.angular += cross(grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5}, mass * v);
    });
    return m;
}

ThrownBallResult throwBall(const Scene& scene, int steps)
{
    Simulation run(scene);
    const Body& body = run.world.bodies[0];
    const Momentum start = totalMomentum(run);
    const Vec3 p0 = body.mass_kg * run.body().v_m_s;
    Vec3 p = p0;
    double energy = 0, energy0 = 0;
    ThrownBallResult result;
    for (int n = 0; n < steps; ++n) {
        const StepReport step = run.stepTowards(run.t_s() + 0.01);
        const StepImpulses& j = run.coupled()->impulses()[0];
        p += j.pressure.linear_N_s + j.viscosity.linear_N_s + j.contact.linear_N_s + j.gravity.linear_N_s +
             j.joint.linear_N_s;
        const double now = run.world.kineticEnergy() + step.liquid.kinetic_energy_J;
        if (n == 0) energy0 = now;
        result.energy_gain = n == 0 ? 0 : std::max(result.energy_gain, (now - energy) / energy0);
        energy = now;
    }
    const Momentum end = totalMomentum(run);
    result.momentum = length(end.linear - start.linear) / length(p0);
    result.angular = length(end.angular - start.angular) / length(start.angular);
    result.balance = length(p - body.mass_kg * run.movedWith(0).v_m_s) / length(p0);
    return result;
}

BodySpec thrownBall(const Scene& scene, double radius_m, double density, Vec3 position_m)
{
    BodySpec ball = bodyOf(BallShape{radius_m}, density * scene.liquid.density_kg_m3, position_m);
    ball.velocity_m_s = {0.5, 0.15, 0};
    ball.spin_rad_s = {0, 3, 5};
    return ball;
}

}  // namespace

ThrownBallResult throwInBox(CouplingMethod method, double density, int steps)
{
    Scene scene = tankOf({32, 32, 32}, method);
    scene.domain.gravity_m_s2 = {};
    scene.liquid.viscosity_m2_s = 1e-3;
    closeAndFill(scene);
    scene.bodies = {thrownBall(scene, 0.15, density, {0.4, 0.45, 0.5})};
    return throwBall(scene, steps);
}

ThrownBallResult throwInDrop(CouplingMethod method, double density, int steps)
{
    Scene scene = tankOf({40, 40, 40}, method);
    scene.domain.gravity_m_s2 = {};
    scene.liquid.viscosity_m2_s = 1e-3;
    scene.surface.volume_correction = false;
    scene.liquid.regions = {{SphereShape{{0.5, 0.5, 0.5}, 0.35}, {}}};
    scene.bodies = {thrownBall(scene, 0.15, density, {0.47, 0.48, 0.5})};
    return throwBall(scene, steps);
}

// Channel of 2 x 6 cm; disks of 2.5 mm, s = 1.5, in water. As in the reference, advection is of second order, and
// contacts have no friction: there a repulsive force along the line of their centres separates the disks.
Tumbling tumbleDisks(CouplingMethod method, int cells_per_diameter, double seconds)
{
    constexpr double width_m = 0.02, height_m = 0.06, diameter_m = 0.0025, middle_m = 0.5 * width_m;
    const int cells = int(std::lround(width_m / diameter_m * cells_per_diameter));
    Scene scene = tankOf({cells, 3 * cells, 1}, method);
    scene.domain.width_m = width_m;
    scene.domain.no_slip = true;
    scene.liquid.viscosity_m2_s = 1e-6;
    scene.liquid.advection = Advection::maccormack;
    closeAndFill(scene);
    const double z_m = 0.5 * width_m / cells, density_kg_m3 = 1.5 * scene.liquid.density_kg_m3;
    const auto disk = [&](const char* name, double aside_m, double below_top_m) {
        BodySpec body =
            bodyOf(BallShape{0.5 * diameter_m}, density_kg_m3, {middle_m + aside_m, height_m - below_top_m, z_m});
        body.name = name;
        body.friction = 0;
        return body;
    };
    scene.bodies = {disk("trailing", diameter_m / 250, 4 * diameter_m),
                    disk("leading", -diameter_m / 250, 6 * diameter_m)};
    Simulation run(scene);
    Tumbling result;
    advanceTo(seconds, run, [&](const StepReport&) {
        const BodyState &trailing = run.body(0), &leading = run.body(1);
        const double t_s = run.liquid.state.t_s;
        if (result.kiss_s == 0 && length(trailing.x_m - leading.x_m) < 1.02 * diameter_m) result.kiss_s = t_s;
        if (result.overtake_s == 0 && trailing.x_m.y < leading.x_m.y) result.overtake_s = t_s;
        if (t_s < 0.12) result.leading_m_s = -leading.v_m_s.y, result.trailing_m_s = -trailing.v_m_s.y;
    });
    return result;
}

LightBallResult riseBall(CouplingMethod method, double density, int steps)
{
    constexpr double depth_m = 0.5, radius_m = 0.15;
    Scene scene = tankOf({24, 36, 24}, method);
    scene.liquid.regions = {{PoolShape{depth_m}, {}}};
    scene.bodies = {bodyOf(BallShape{radius_m}, density * scene.liquid.density_kg_m3, {0.5, 0.3, 0.5})};
    Simulation run(scene, makeWorld(scene));  // also those that a run would reject
    const double fall_m_s = std::sqrt(2 * g_m_s2 * 1.5);
    LightBallResult result;
    while (result.steps < steps) {
        run.stepTowards(run.t_s() + 0.01);
        const double speed = length(run.body().v_m_s) / fall_m_s;
        result.fastest = std::max(result.fastest, speed);
        result.highest = std::max(result.highest, (run.body().x_m.y - radius_m - depth_m) / (2 * radius_m));
        if (!(speed < 10)) break;
        ++result.steps;
    }
    return result;
}

}  // namespace flotsam
