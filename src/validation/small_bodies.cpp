// Bodies smaller than a cell, and a body welded from pieces.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/time_loop.h"
#include "validation/contact_of_bodies.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81, cell_m = 0.01, small_density = 0.4;

// The draft d of a level cylinder in diameters: acos(1 - 2 d) less the triangle, over pi, is its density.
double draftOfCylinder(double density)
{
    double low = 0, high = 1;
    for (int n = 0; n < 60; ++n) {
        const double d = 0.5 * (low + high), angle = std::acos(1 - 2 * d);
        ((angle - std::sin(angle) * std::cos(angle)) / std::numbers::pi < density ? low : high) = d;
    }
    return low;
}

// Places on the grid that fill the cell evenly: multiples of irrational numbers [cells].
Vec3 placeOnGrid(int n)
{
    const auto fraction = [n](double step) { return n * step - std::floor(n * step); };
    return {fraction(0.7548776662), fraction(0.5698402910), fraction(0.3247179572)};
}

}  // namespace

SmallResult riseSmall(CouplingMethod method, bool rod, double radius_cells, int places, double seconds)
{
    constexpr double level_cells = 20.37, first_dt_s = 1e-3;
    const double draft_cells =
        2 * radius_cells * (rod ? draftOfCylinder(small_density) : draftOfBallInTheory(small_density));
    Scene scene = coupledTank({16, 32, 16}, 16 * cell_m, method);
    scene.liquid.regions = {{PoolShape{level_cells * cell_m}, {}}};
    const double radius_m = radius_cells * cell_m;
    const BodyShape shape = rod ? BodyShape(RodShape{radius_m, 8 * cell_m}) : BodyShape(BallShape{radius_m});
    SmallResult r;
    for (r.places = 0; r.places < places; ++r.places) {
        scene.bodies = {bodyAt("small", shape, small_density * scene.liquid.density_kg_m3,
                               cell_m * (Vec3{7.5, 5, 7.5} + placeOnGrid(r.places)))};
        if (rod) scene.bodies[0].rotation_deg = {0, 0, 90};
        Simulation run(scene);
        run.step(first_dt_s);
        const double a = upwardAcceleration(run, first_dt_s) / g_m_s2;
        r.mean_g += a / places;
        r.least_g = std::min(r.least_g, a);
        r.most_g = std::max(r.most_g, a);
        advanceTo(seconds, run);
        const double low_cells = run.body().x_m.y / cell_m - radius_cells;
        const double off_cells = std::abs(level_cells - draft_cells - low_cells);
        r.rising += off_cells < 1;
        r.worst_cells = std::isfinite(off_cells) ? std::max(r.worst_cells, off_cells) : off_cells;
    }
    fmt::print(stderr, "small: {} of radius {} cells, {} places\n", rod ? "rod" : "ball", radius_cells, places);
    return r;
}

namespace {

constexpr Vec3 welded_m{0.32, 0.08, 0.16};

// The box as `pieces` pieces along its length, turned and moving as one body.
Scene weldedScene(CouplingMethod method, Int3 cells, WeldedKind kind, int pieces)
{
    constexpr double level_m = 0.3, density_kg_m3 = 600;
    Scene scene = coupledTank(cells, 0.96, method);
    const bool floats = kind == WeldedKind::floating;
    if (kind == WeldedKind::dry)
        scene.domain.gravity_m_s2 = {};
    else
        scene.liquid.regions = {{PoolShape{level_m}, {}}};
    const Vec3 size = scene.domain.size_m(), spin{0, 0, floats ? 0.0 : 2.0};
    const Vec3 center{0.48, level_m + (floats ? -0.008 + 0.003 : 0.12), 0.5 * size.z};
    const Vec3 turned_deg{0, 0, floats ? 3.0 : 15.0};
    const Vec3 along = rotationFromDegrees(turned_deg) * Vec3{welded_m.x / pieces, 0, 0};
    for (int n = 0; n < pieces; ++n) {
        const Vec3 offset = (n - 0.5 * (pieces - 1)) * along;
        BodySpec piece = bodyAt(fmt::format("piece {}", n), BlockShape{{welded_m.x / pieces, welded_m.y, welded_m.z}},
                                density_kg_m3, center + offset);
        piece.rotation_deg = turned_deg;
        piece.spin_rad_s = spin;
        piece.velocity_m_s = (floats ? Vec3{} : Vec3{0.4, 0.3, 0}) + cross(spin, offset);
        scene.bodies.push_back(piece);
        if (n == 0) continue;
        JointSpec weld;
        weld.name = fmt::format("weld {}", n);
        weld.kind = 4;  // fixed
        weld.bodies[0] = scene.bodies[size_t(n - 1)].name;
        weld.bodies[1] = piece.name;
        weld.anchor_m = piece.position_m - 0.5 * along;
        scene.joints.push_back(weld);
    }
    return scene;
}

}  // namespace

WeldedResult compareWelded(CouplingMethod method, Int3 cells, WeldedKind kind, double seconds)
{
    constexpr int pieces = 4;
    constexpr double dt_s = 1.0 / 240;
    Simulation one(weldedScene(method, cells, kind, 1)), four(weldedScene(method, cells, kind, pieces));
    WeldedResult r;
    const auto compare = [&] {
        Vec3 center;
        for (int n = 0; n < pieces; ++n) center += four.body(n).x_m / pieces;
        r.position = std::max(r.position, length(center - one.body().x_m) / welded_m.x);
        for (int n = 0; n < pieces; ++n) {
            const Quat a = one.body().q, b = four.body(n).q;
            const Quat difference = Quat{a.w, -a.x, -a.y, -a.z} * b;
            r.rotation_rad = std::max(r.rotation_rad, 2 * length({difference.x, difference.y, difference.z}));
        }
    };
    fmt::print(stderr, "welded: {} s\n", seconds);
    for (double t_s = 0; t_s < seconds; t_s += dt_s) {
        if (kind == WeldedKind::dry)
            one.world.step(dt_s), four.world.step(dt_s);
        else
            one.step(dt_s), four.step(dt_s);
        compare();
    }
    return r;
}

}  // namespace flotsam
