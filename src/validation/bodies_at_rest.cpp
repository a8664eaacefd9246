// Bodies that float at their draft or near it, and bodies on the floor.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "core/time_loop.h"
#include "validation/contact_of_bodies.h"
#include "validation/liquid_integral.h"

namespace flotsam {

namespace {

constexpr int most_steps = 20;  // times the number that max_dt_s requires
constexpr double water_m = 0.4, board_m = 0.3, board_height_m = 0.1, board_depth_m = 0.2, disk_radius_m = 0.08;

Vec3 middleOf(const DomainParams& domain) { return 0.5 * domain.size_m(); }

// Means over the first and the last second.
struct EnergyMeans {
    double first_J = 0, last_J = 0;
    int first = 0, last = 0;

    void add(double J, bool is_first, bool is_last)
    {
        if (is_first) first_J += J, ++first;
        if (is_last) last_J += J, ++last;
    }
    void store(CalmResult& r) const
    {
        r.first_J = first_J / std::max(first, 1);
        r.last_J = last_J / std::max(last, 1);
    }
};

void measureDrift(const Scene& scene, const Simulation& run, CalmResult& r)
{
    for (int n = 0; n < run.world.moving(); ++n) {
        Vec3 moved = run.body(n).x_m - scene.bodies[size_t(n)].position_m;
        if (scene.domain.twoDimensional()) moved.z = 0;
        r.drift_cells = std::max(r.drift_cells, length(moved) / run.liquid.grid.h);
        r.sideways_cells = std::max(r.sideways_cells, std::hypot(moved.x, moved.z) / run.liquid.grid.h);
    }
}

double fastestBody(const Simulation& run)
{
    double fastest = 0;
    for (int n = 0; n < run.world.moving(); ++n) fastest = std::max(fastest, length(run.movedWith(n).v_m_s));
    return fastest;
}

}  // namespace

Scene coupledTank(Int3 cells, double width_m, CouplingMethod method)
{
    Scene scene;
    scene.domain.cells = cells;
    scene.domain.width_m = width_m;
    scene.liquid.viscosity_m2_s = 0;
    scene.coupling.method = method;
    return scene;
}

BodySpec bodyAt(const std::string& name, const BodyShape& shape, double density_kg_m3, Vec3 position_m)
{
    BodySpec body;
    body.name = name;
    body.shape = shape;
    body.density_kg_m3 = density_kg_m3;
    body.position_m = position_m;
    return body;
}

CalmResult keepCalm(const Scene& scene, double level_m, double seconds, int energy_every, const std::string& label)
{
    Simulation run(scene);
    const double volume_m3 = run.liquid.measureNow().volume_m3, window_s = std::min(1.0, seconds / 3);
    const double start_J = energy_every > 0 ? potentialEnergy(run, level_m) : 0;
    double kinetic_before_J = 0;
    const int wanted_steps = int(std::ceil(seconds / scene.time.max_dt_s - 1e-9));
    CalmResult r;
    EnergyMeans energy;
    fmt::print(stderr, "{}\n", label);
    advanceTo(seconds, run, [&](const StepReport& step) {
        const double speed = step.liquid.max_speed_m_s, t_s = run.t_s();
        const bool is_last = t_s > seconds - window_s, finite = std::isfinite(speed);
        ++r.steps;
        r.fastest_m_s = std::max(r.fastest_m_s, speed);
        if (is_last || !finite) r.speed_m_s = finite ? std::max(r.speed_m_s, speed) : speed;
        if (is_last) r.body_m_s = std::max(r.body_m_s, fastestBody(run));
        measureDrift(scene, run, r);
        r.redistributed = run.liquid.state.volume_given_back_m3 / volume_m3;
        r.volume_change = step.liquid.volume_m3 / volume_m3 - 1;
        // Everything has moved with the velocity of the last step: positions lie halfway between two velocities.
        const double kinetic_J = step.liquid.kinetic_energy_J + run.world.kineticEnergy(),
                     mean_J = 0.5 * (std::exchange(kinetic_before_J, kinetic_J) + kinetic_J);
        if (finite && energy_every > 0 && r.steps % energy_every == 0) {
            const double J = mean_J + potentialEnergy(run, level_m) - start_J;
            r.largest_J = std::max(r.largest_J, J);
            energy.add(J, t_s <= window_s, is_last);
        }
        return finite && r.steps < most_steps * wanted_steps;
    });
    energy.store(r);
    return r;
}

std::string FloatingSpec::name() const
{
    std::string text = disk ? "disk" : fmt::format("board s = {}", density);
    if (shift_cells != Vec3{}) text += fmt::format(" at {}, {}", shift_cells.x, shift_cells.y);
    if (turned_deg != 0) text += fmt::format(", turned {}", turned_deg);
    if (raised_cells != 0) text += fmt::format(", raised {}", raised_cells);
    return correction ? text : text + ", correction off";
}

FloatingScene floatingBody(CouplingMethod method, Int3 cells, const FloatingSpec& what)
{
    Scene scene = coupledTank(cells, 0.96, method);
    const double h = scene.domain.h(), level_m = water_m + h * what.shift_cells.y;
    const double draft_m = what.disk ? disk_radius_m : what.density * board_height_m;
    const double center_m = level_m - draft_m + (what.disk ? disk_radius_m : 0.5 * board_height_m);
    scene.surface.volume_correction = what.correction;
    scene.liquid.regions = {{PoolShape{level_m}, {}}};
    const Vec3 middle = middleOf(scene.domain);
    const BodyShape shape = what.disk ? BodyShape(BallShape{disk_radius_m})
                                      : BodyShape(BlockShape{{board_m, board_height_m, board_depth_m}});
    BodySpec body = bodyAt(
        "body", shape, what.density * scene.liquid.density_kg_m3,
        {middle.x + h * what.shift_cells.x, center_m + h * what.raised_cells, middle.z + h * what.shift_cells.z});
    body.rotation_deg = {0, 0, what.turned_deg};
    scene.bodies = {body};
    return {scene, level_m};
}

// In equilibrium the water has the same volume, so its level is higher by what the disturbed body displaces less.
double availableEnergy(CouplingMethod method, Int3 cells, const FloatingSpec& what)
{
    FloatingSpec calm = what;
    calm.turned_deg = calm.raised_cells = 0;
    const FloatingScene start = floatingBody(method, cells, what);
    const auto volume = [](const Simulation& run) { return integrateLiquid(run, [](Vec3) { return 1.0; }); };
    const Simulation disturbed(start.scene), level(floatingBody(method, cells, calm).scene);
    const Vec3 size = start.scene.domain.size_m();
    calm.shift_cells.y += (volume(disturbed) - volume(level)) / (size.x * size.z) / start.scene.domain.h();
    const Simulation equilibrium(floatingBody(method, cells, calm).scene);
    return potentialEnergy(disturbed, start.level_m) - potentialEnergy(equilibrium, start.level_m);
}

FloatingScene fiveBoxes(CouplingMethod method, Int3 cells)
{
    constexpr double level_m = 0.3, height_m = 0.1;
    constexpr double densities[] = {200, 400, 600, 800, 950}, x_m[] = {0.14, 0.38, 0.62, 0.86, 1.06};
    Scene scene = coupledTank(cells, 1.2, method);
    scene.liquid.viscosity_m2_s = 1e-6;
    scene.liquid.regions = {{PoolShape{level_m}, {}}};
    for (int n = 0; n < 5; ++n)
        scene.bodies.push_back(bodyAt(fmt::format("box {}", densities[n]), BlockShape{{0.16, height_m, 0.16}},
                                      densities[n],
                                      {x_m[n], level_m + height_m * (0.5 - densities[n] / 1000), n % 2 ? 0.35 : 0.15}));
    return {scene, level_m};
}

FloatingScene restingBodies(CouplingMethod method, Int3 cells, RestingKind kind)
{
    constexpr double level_m = 0.6, density_kg_m3 = 3000;
    Scene scene = coupledTank(cells, 1, method);
    scene.liquid.regions = {{PoolShape{level_m}, {}}};
    const double z_m = middleOf(scene.domain).z;
    const auto add = [&](const char* name, const BodyShape& shape, double x_m, double y_m) {
        scene.bodies.push_back(bodyAt(name, shape, density_kg_m3, {x_m, y_m, z_m}));
    };
    if (kind == RestingKind::block) add("block", BlockShape{{0.31, 0.22, 0.27}}, 0.51, 0.11);
    if (kind == RestingKind::ball) add("ball", BallShape{0.12}, 0.48, 0.12);
    if (kind == RestingKind::stack)
        for (int n = 0; n < 3; ++n)
            add(n == 0 ? "low" : n == 1 ? "middle" : "high", BlockShape{{0.24, 0.12, 0.24}}, 0.51, 0.06 + 0.12 * n);
    if (kind == RestingKind::ball_on_plank) {
        add("plank", BlockShape{{0.6, 0.07, 0.3}}, 0.5, 0.035);
        add("ball", BallShape{0.1}, 0.5, 0.17);
    }
    return {scene, level_m};
}

}  // namespace flotsam
