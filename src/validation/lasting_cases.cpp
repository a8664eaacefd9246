#include "validation/lasting_cases.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/time_loop.h"

namespace flotsam {
namespace {

constexpr double g_m_s2 = 9.81;

// dt_s is used as it is, without substeps for its length.
RigidWorld worldWith(double dt_s)
{
    RigidParams params;
    params.max_dt_s = dt_s;
    return RigidWorld(params);
}

// Acceleration along the path over that of a sliding point: the spin of a rolling ball takes 2/7 of the energy.
double share(const BowlSetup& setup) { return setup.friction > 0 ? 5.0 / 7 : 1; }

}  // namespace

Body cavityBody(double radius_m)
{
    auto c = std::make_shared<Collider>();
    c->kind = ColliderKind::capsule;
    c->size_m = {-radius_m, 0, -radius_m};
    const Vec3 half{2 * radius_m, 2 * radius_m, 2 * radius_m};
    c->bounds_m = {-half, half};
    c->reach_m = length(half);
    c->convex = false;
    Body body;
    body.collider = c;
    return body;
}

TriangleMesh bowlMesh(double radius_m)
{
    constexpr int around = 96, rings = 32;
    constexpr double opening_rad = 1.2;
    std::vector<std::pair<double, double>> profile;  // distance from the axis, height: from the cavity outwards
    for (int k = 1; k <= rings; ++k) {
        const double a = opening_rad * k / rings;
        profile.emplace_back(radius_m * std::sin(a), -radius_m * std::cos(a));
    }
    profile.emplace_back(1.1 * radius_m, profile.back().second);
    profile.emplace_back(1.1 * radius_m, -1.2 * radius_m);
    TriangleMesh mesh;
    mesh.vertices.push_back({0, -radius_m, 0});
    for (const auto& [r, y] : profile)
        for (int i = 0; i < around; ++i) {
            const double a = 2 * std::numbers::pi * i / around;
            mesh.vertices.push_back({r * std::cos(a), y, r * std::sin(a)});
        }
    mesh.vertices.push_back({0, -1.2 * radius_m, 0});
    const int last = int(mesh.vertices.size()) - 1;
    for (int i = 0; i < around; ++i) {
        const int j = (i + 1) % around;
        mesh.triangles.push_back({0, 1 + j, 1 + i});
        for (int k = 0; k + 1 < int(profile.size()); ++k) {
            const int inner = 1 + k * around, outer = inner + around;
            mesh.triangles.push_back({inner + i, inner + j, outer + i});
            mesh.triangles.push_back({inner + j, outer + j, outer + i});
        }
        mesh.triangles.push_back({last, last - around + i, last - around + j});
    }
    return mesh;
}

Turntable rideTurntable(double of_friction, double seconds, double dt_s)
{
    constexpr double side_m = 0.1, radius_m = 0.5, friction = 0.5;
    const double spin = std::sqrt(of_friction * friction * g_m_s2 / radius_m);
    Body box = boxBody({side_m, side_m, side_m}, 700);
    box.friction = friction;
    box.restitution = 0;
    RigidWorld world = worldWith(dt_s);
    const Vec3 start{radius_m, 0.5 * side_m, 0};
    world.add(std::move(box), {start, {}, {0, 0, -spin * radius_m}, {0, spin, 0}});
    world.addPrescribed(cylinderBody(0.8, 0.2, 1), {{0, -0.1, 0}, {}, {0, -0.1, 0}, {}, {0, spin, 0}});
    Turntable result;
    stepUntil(seconds, dt_s, world, [&](const RigidReport&) {
        const Vec3 place = transposed(rotation({0, spin * world.t_s(), 0})) * world.state.bodies[0].x_m;
        result.drift_m = std::max(result.drift_m, length(place - start));
        return result.drift_m < side_m;
    });
    result.overlap_m = world.deepestOverlap();
    return result;
}

double bowlPeriod(const BowlSetup& setup)
{
    const double length_m = setup.radius_m - setup.ball_m;
    return 4 * std::sqrt(length_m / (share(setup) * g_m_s2)) * std::comp_ellint_1(std::sin(0.5 * setup.start_rad));
}

double bowlAngle(const BowlSetup& setup, double t_s)
{
    constexpr int steps = 100000;
    const double pull = share(setup) * g_m_s2 / (setup.radius_m - setup.ball_m), h = t_s / steps;
    double angle = setup.start_rad, rate = 0;
    for (int n = 0; n < steps; ++n) {  // leapfrog: off by 1e-8
        rate -= 0.5 * h * pull * std::sin(angle);
        angle += h * rate;
        rate -= 0.5 * h * pull * std::sin(angle);
    }
    return angle;
}

BowlSwing swingInBowl(const BowlSetup& setup, double seconds, double dt_s)
{
    const double length_m = setup.radius_m - setup.ball_m;
    const Vec3 out{std::cos(setup.turn_rad), 0, std::sin(setup.turn_rad)};
    Body ball = sphereBody(setup.ball_m, 700);
    ball.friction = setup.friction;
    ball.restitution = 0;
    const Vec3 start = length_m * (std::sin(setup.start_rad) * out - std::cos(setup.start_rad) * Vec3{0, 1, 0});
    RigidWorld world = worldWith(dt_s);
    world.add(std::move(ball), {start, {}, {}, {}});
    Vec3 center;
    Body bowl = setup.mesh ? meshBody(bowlMesh(setup.radius_m), 1, center) : cavityBody(setup.radius_m);
    world.addPrescribed(std::move(bowl), {center, {}, center, {}, {}});
    const double lowest_J = -world.bodies[0].mass_kg * g_m_s2 * length_m;
    const double start_J = world.potentialEnergy() - lowest_J, period_s = bowlPeriod(setup);
    BowlSwing result;
    double before = setup.start_rad, before_s = 0, first_s = -1, last_s = 0;
    int crossings = 0;
    stepUntil(seconds - 0.5 * dt_s, dt_s, world, [&](const RigidReport& step) {
        const BodyState& s = world.state.bodies[0];
        const double t = world.t_s(), angle = std::atan2(dot(s.x_m, out), -s.x_m.y);
        if (angle * before < 0) {
            last_s = before_s + (t - before_s) * before / (before - angle);
            if (first_s < 0) first_s = last_s;
            ++crossings;
        }
        before = angle, before_s = t;
        if (t > seconds - period_s) result.left = std::max(result.left, std::abs(angle) / setup.start_rad);
        result.overlap_m = std::max(result.overlap_m, step.deepest_m);
    });
    result.last_rad = before;
    result.period_s = crossings > 1 ? 2 * (last_s - first_s) / (crossings - 1) : 0;
    result.energy_change = (world.kineticEnergy() + world.potentialEnergy() - lowest_J) / start_J - 1;
    return result;
}

}  // namespace flotsam
