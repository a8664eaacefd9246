#include "validation/rigid_cases.h"

#include <numbers>

#include "core/random.h"
#include "core/time_loop.h"
#include "geometry/bunny_toy.h"
#include "geometry/gear.h"

namespace flotsam {
namespace {

constexpr double g_m_s2 = 9.81, dt_s = 1.0 / 120;

Body withSurface(Body body, double friction, double restitution)
{
    body.friction = friction;
    body.restitution = restitution;
    return body;
}

// A slope through the origin, descending along +x; its normal and its downhill direction.
struct Slope {
    Vec3 normal, down;
    explicit Slope(double angle_deg)
    {
        const double a = angle_deg * std::numbers::pi / 180;
        normal = {std::sin(a), std::cos(a), 0};
        down = {std::cos(a), -std::sin(a), 0};
    }
};

// The least-squares slope of speed over time.
struct SpeedFit {
    double n = 0, t = 0, v = 0, tt = 0, tv = 0;
    void add(double time_s, double speed_m_s)
    {
        n += 1, t += time_s, v += speed_m_s, tt += time_s * time_s, tv += time_s * speed_m_s;
    }
    double acceleration() const { return (n * tv - t * v) / (n * tt - t * t); }
};

double sideways(Vec3 d) { return std::hypot(d.x, d.z); }

}  // namespace

Slide slideDown(double angle_deg, double friction, double seconds)
{
    constexpr double side_m = 0.2;
    const Slope slope(angle_deg);
    RigidWorld world;
    const Quat q = quatOf(rotationFromDegrees({0, 0, -angle_deg}));
    world.add(withSurface(boxBody({side_m, side_m, side_m}, 500), friction, 0),
              {0.5 * side_m * slope.normal, q, {}, {}});
    world.addWall({}, slope.normal);
    SpeedFit fit;
    Vec3 halfway;
    double halfway_s = 0;
    stepUntil(seconds, dt_s, world, [&](const RigidReport&) {
        const BodyState& s = world.state.bodies[0];
        if (world.state.t_s > 0.1) fit.add(world.state.t_s, dot(s.v_m_s, slope.down));
        if (world.state.t_s <= 0.5 * seconds) halfway = s.x_m, halfway_s = world.state.t_s;
    });
    const double distance_m = length(world.state.bodies[0].x_m - halfway);
    return {fit.acceleration(), distance_m / side_m / (world.state.t_s - halfway_s)};
}

double rollDown(double angle_deg, double seconds)
{
    constexpr double radius_m = 0.1;
    const Slope slope(angle_deg);
    RigidWorld world;
    world.add(withSurface(sphereBody(radius_m, 700), 0.6, 0), {radius_m * slope.normal, {}, {}, {}});
    world.addWall({}, slope.normal);
    SpeedFit fit;
    stepUntil(seconds, dt_s, world, [&](const RigidReport&) {
        if (world.state.t_s > 0.1) fit.add(world.state.t_s, dot(world.state.bodies[0].v_m_s, slope.down));
    });
    return fit.acceleration();
}

double slideToRoll(double v0_m_s, double radius_m, double w0_rad_s)
{
    RigidWorld world;
    // A positive w0 rolls along +x, which is a rotation about -z.
    world.add(withSurface(sphereBody(radius_m, 700), 0.3, 0),
              {{0, radius_m, 0}, {}, {v0_m_s, 0, 0}, {0, 0, -w0_rad_s}});
    world.addWall({}, {0, 1, 0});
    stepUntil(3, dt_s, world);
    return world.state.bodies[0].v_m_s.x;
}

BodyState rollOut(double v0_m_s, double spin_rad_s, double rolling_m, double spinning_m, double slope)
{
    constexpr double radius_m = 0.1;
    Body ball = withSurface(sphereBody(radius_m, 700), 0.6, 0);
    ball.rolling_friction_m = rolling_m;
    ball.spinning_friction_m = spinning_m;
    const Vec3 normal = normalized(Vec3{slope, 1, 0});
    RigidWorld world;
    world.add(std::move(ball), {radius_m * normal, {}, {v0_m_s, 0, 0}, {0, spin_rad_s, -v0_m_s / radius_m}});
    world.addWall({}, normal);
    stepUntil(1 - 0.5 * dt_s, dt_s, world);
    return world.state.bodies[0];
}

Bounces bounceBall(double restitution, double height_m, int bounces, double seconds)
{
    constexpr double radius_m = 0.1;
    RigidWorld world;
    world.add(withSurface(sphereBody(radius_m, 700), 0.3, restitution), {{0, radius_m + height_m, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    const double mass = world.bodies[0].mass_kg, start_J = mass * g_m_s2 * height_m;
    const auto energy = [&] { return world.kineticEnergy() + world.potentialEnergy() - mass * g_m_s2 * radius_m; };
    Bounces result;
    double before_J = energy(), top_m = 0, before_m = world.state.bodies[0].x_m.y;
    bool rising = false;
    stepUntil(seconds, dt_s, world, [&](const RigidReport&) {
        const BodyState& s = world.state.bodies[0];
        // The apex of its current parabola.
        if (s.v_m_s.y > 0) rising = true, top_m = s.x_m.y - radius_m + s.v_m_s.y * s.v_m_s.y / (2 * g_m_s2);
        if (rising && s.x_m.y < before_m) result.heights_m.push_back(top_m), rising = false;
        const double now_J = energy();
        result.largest_energy_gain = std::max(result.largest_energy_gain, (now_J - before_J) / start_J);
        before_J = now_J;
        before_m = s.x_m.y;
        return int(result.heights_m.size()) < bounces;
    });
    result.energy_change = before_J / start_J - 1;
    return result;
}

namespace {

constexpr double side_m = 0.1;

void addBox(Vec3 place_m, const Mat3& turn, double friction, RigidWorld& world)
{
    Body box = withSurface(boxBody({side_m, side_m, side_m}, 700), friction, 0.1);
    world.add(std::move(box), {place_m, quatOf(turn), {}, {}});
}

// Runs a pile that should stay at rest.
Pile standStill(double seconds, RigidWorld& world)
{
    world.addWall({}, {0, 1, 0});
    const std::vector<BodyState> start = world.state.bodies;
    stepUntil(seconds, dt_s, world);
    Pile pile;
    for (int i = 0; i < world.moving(); ++i)
        pile.drift = std::max(pile.drift, length(world.state.bodies[size_t(i)].x_m - start[size_t(i)].x_m) / side_m);
    pile.overlap = world.deepestOverlap() / side_m;
    pile.speed_m_s = world.fastest();
    return pile;
}

}  // namespace

Pile stackBoxes(int count, double seconds)
{
    RigidWorld world;
    for (int i = 0; i < count; ++i) addBox({0, (i + 0.5) * side_m, 0}, {}, 0.5, world);
    return standStill(seconds, world);
}

Pile stackPyramid(double seconds)
{
    RigidWorld world;
    for (int row = 0; row < 5; ++row)
        for (int i = 0; i < 9 - 2 * row; ++i)
            addBox({(i - (8 - 2 * row) / 2) * 1.01 * side_m, (row + 0.5) * side_m, 0}, {}, 0.5, world);
    return standStill(seconds, world);
}

RigidWorld binOfBoxes(int boxes, int across)
{
    RigidWorld world;
    const double pitch_m = 1.5 * side_m, width_m = across * pitch_m;
    for (int i = 0; i < boxes; ++i) {
        const int layer = i / (across * across), x = i % across, z = i / across % across;
        const auto random = [&](uint64_t key) { return randomUnit(uint64_t(i), key); };
        const Vec3 jitter{0.1 * side_m * (random(0) - 0.5), 0, 0.1 * side_m * (random(1) - 0.5)};
        const Vec3 turn_deg{20 * (random(2) - 0.5), 40 * (random(3) - 0.5), 20 * (random(4) - 0.5)};
        const Vec3 place{(x + 0.5) * pitch_m, (layer + 1) * 1.5 * side_m, (z + 0.5) * pitch_m};
        addBox(place + jitter, rotationFromDegrees(turn_deg), 0.4, world);
    }
    world.addWall({}, {0, 1, 0});
    world.addWall({}, {1, 0, 0});
    world.addWall({}, {0, 0, 1});
    world.addWall({width_m, 0, 0}, {-1, 0, 0});
    world.addWall({0, 0, width_m}, {0, 0, -1});
    return world;
}

Pile fillBin(int boxes, int across, double seconds)
{
    RigidWorld world = binOfBoxes(boxes, across);
    stepUntil(seconds, dt_s, world);
    Pile pile;
    const double width_m = across * 1.5 * side_m;
    for (int i = 0; i < world.moving(); ++i) {
        const Vec3 x = world.state.bodies[size_t(i)].x_m;
        pile.lost += !(x.x > 0 && x.x < width_m && x.z > 0 && x.z < width_m && x.y > 0);
    }
    pile.overlap = world.deepestOverlap() / side_m;
    pile.speed_m_s = world.fastest();
    return pile;
}

Racket spinRacket(double step_s)
{
    Body body = sphereBody(0.1, 1);
    body.moments_kg_m2 = {1, 2, 3};
    RigidParams params;
    params.gravity_m_s2 = {};
    params.max_dt_s = step_s;
    RigidWorld world(params);
    world.add(body, {{}, {}, {}, {0.01, 1, 0.01}});
    const Vec3 l0 = world.angularMomentum();
    const double e0 = world.kineticEnergy();
    Racket result;
    // The period is that of the spin about the intermediate axis: twice the time between two flips, where it crosses
    // zero.
    std::vector<double> flips_s;
    double before = 1, before_s = 0;
    stepUntil(100, step_s, world, [&](const RigidReport&) {
        const BodyState& s = world.state.bodies[0];
        const double now = (transposed(matrixOf(s.q)) * s.w_rad_s).y;
        if ((now < 0) != (before < 0)) flips_s.push_back(before_s + step_s * before / (before - now));
        before = now;
        before_s = world.state.t_s;
        result.momentum_error = std::max(result.momentum_error, length(world.angularMomentum() - l0) / length(l0));
        result.energy_error = std::max(result.energy_error, std::abs(world.kineticEnergy() / e0 - 1));
        return flips_s.size() < 3;
    });
    if (flips_s.size() == 3) result.period_s = flips_s[2] - flips_s[0];
    return result;
}

double precessGyroscope(double spin_rad_s, double seconds)
{
    constexpr double radius_m = 0.1, height_m = 0.005, arm_m = 0.1;
    Body disk = cylinderBody(radius_m, height_m, 1 / (std::numbers::pi * radius_m * radius_m * height_m));
    RigidWorld world;
    // The axis lies along x and points away from the pivot, which is the origin. It starts with the precession of the
    // exact solution, so that there is no nutation.
    const Quat q = quatOf(rotationFromDegrees({0, 0, -90}));
    const double expected = disk.mass_kg * g_m_s2 * arm_m / (disk.moments_kg_m2.y * spin_rad_s);
    world.add(std::move(disk), {{arm_m, 0, 0}, q, {0, 0, -expected * arm_m}, {spin_rad_s, expected, 0}});
    double turned = 0, heading = 0;
    stepUntil(seconds, 1e-3, world, [&](const RigidReport&) {
        // The pivot holds its point of the arm: the impulse that stops it, by the inverse mass of the body.
        BodyState& s = world.state.bodies[0];
        const Vec3 arm = matrixOf(s.q) * Vec3{0, -arm_m, 0};  // from the disk to the pivot
        const Vec3 wanted = -(1 / 1e-3) * 0.2 * (s.x_m + arm);
        Vec3 impulse;
        for (int n = 0; n < 50; ++n)
            for (int axis = 0; axis < 3; ++axis) {
                const Vec3 e{double(axis == 0), double(axis == 1), double(axis == 2)};
                const double speed = dot(s.v_m_s + cross(s.w_rad_s, arm) - wanted, e);
                const Impulse unit_impulse{e, cross(arm, e)};
                VelocityChange answer;
                world.applyInverseMass({&unit_impulse, 1}, {&answer, 1});
                const double j = -speed / dot(answer.v_m_s + cross(answer.w_rad_s, arm), e);
                const Impulse applied{j * e, j * cross(arm, e)};
                world.applyImpulses({&applied, 1});
            }
        const Vec3 x = world.state.bodies[0].x_m;
        const double now = std::atan2(-x.z, x.x);
        turned += std::remainder(now - heading, 2 * std::numbers::pi);
        heading = now;
    });
    return turned / world.state.t_s;
}

namespace {

constexpr GearShape gear{0.1, 0.03, 0.03, 16};

Body gearBody(double friction)
{
    Vec3 center;
    return withSurface(meshBody(gearMesh(gear), 2000, center), friction, 0);
}

double angleAboutY(Quat q) { return 2 * std::atan2(q.y, q.w); }

}  // namespace

double turnMeshedGears(double seconds)
{
    constexpr double spin_rad_s = 2, apart_m = 0.185;
    RigidWorld world;
    // The free gear lies on the floor around a fixed peg with 95 % of the radius of its hole.
    const double half_tooth = std::numbers::pi / gear.teeth;
    world.add(gearBody(0.1),
              {{apart_m, 0.5 * gear.thickness_m, 0}, quatOf(rotation({0, 0.5 * half_tooth, 0})), {}, {}});
    world.addPrescribed(cylinderBody(0.95 * gear.hole_radius_m, 0.1, 1),
                        {{apart_m, 0.05, 0}, {}, {apart_m, 0.05, 0}, {}, {}});
    world.addPrescribed(gearBody(0.1), {{0, 0.5 * gear.thickness_m, 0}, {}, {}, {}, {0, spin_rad_s, 0}});
    world.addWall({}, {0, 1, 0});
    double turned = 0, before = angleAboutY(world.state.bodies[0].q);
    stepUntil(seconds, dt_s, world, [&](const RigidReport&) {
        const double now = angleAboutY(world.state.bodies[0].q);
        turned += std::remainder(now - before, 2 * std::numbers::pi);
        before = now;
    });
    return turned / (spin_rad_s * world.state.t_s);
}

double shakeRingOnPeg(double seconds)
{
    RigidWorld world;
    world.add(gearBody(0.3), {{0, 0.5 * gear.thickness_m, 0}, {}, {}, {}});
    world.addPrescribed(cylinderBody(0.5 * gear.hole_radius_m, 0.4, 1), {{0, 0.2, 0}, {}, {0, 0.2, 0}, {}, {}});
    world.addWall({}, {0, 1, 0});
    double farthest = 0;
    while (world.state.t_s < seconds) {
        const double t = world.state.t_s, pull = 3 * g_m_s2 * world.bodies[0].mass_kg;
        const Force force{{pull * std::cos(7 * t), 0, pull * std::sin(5 * t)}, {}};
        world.step(dt_s, {&force, 1});
        farthest = std::max(farthest, sideways(world.state.bodies[0].x_m) / gear.hole_radius_m);
    }
    return farthest;
}

RigidWorld heapOfGears(int teeth, int toys)
{
    constexpr double toy_m = 0.3;
    RigidWorld world;
    Vec3 center;
    const Body gear_body = withSurface(meshBody(gearMesh({0.12, 0.04, 0.05, teeth}), 2000, center), 0.3, 0.1);
    for (int i = 0; i < 8; ++i) {
        const auto random = [&](uint64_t key) { return randomUnit(uint64_t(i), key); };
        const Vec3 turn_deg{60 * random(0), 360 * random(1), 60 * random(2)};
        world.add(gear_body, {{0.35 + 0.3 * (i % 2), (toys > 0 ? 0.7 : 0.2) + 0.3 * (i / 4), 0.35 + 0.3 * (i / 2 % 2)},
                              quatOf(rotationFromDegrees(turn_deg)),
                              {},
                              {}});
    }
    TriangleMesh toy = bunnyToyMesh();
    for (Vec3& v : toy.vertices) v = toy_m * v;
    const Body toy_body = withSurface(meshBody(toy, 740, center), 0.4, 0.1);
    for (int i = 0; i < toys; ++i)
        world.add(toy_body,
                  {{0.3 + 0.2 * i, 0.15, 0.4 + 0.1 * (i % 2)}, quatOf(rotationFromDegrees({0, 80. * i, 0})), {}, {}});
    world.addWall({}, {0, 1, 0});
    for (const int axis : {0, 2})
        for (const double side : {0.15, 0.85}) {
            Vec3 point, normal;
            point[axis] = side;
            normal[axis] = side < 0.5 ? 1 : -1;
            world.addWall(point, normal);
        }
    return world;
}

CaughtGear dropGearOnEars(double seconds)
{
    constexpr double height_m = 0.36;
    const GearShape ring{0.15, 0.045, 0.062, 16};  // over both ears, not over the head
    // The ears lean back by 22 degrees; this line runs between them from the head to their tips (bunny_toy.cpp).
    const Vec3 ears_base = height_m * Vec3{-0.205, 0.635, 0}, ears_tip = height_m * Vec3{-0.055, 1.0, 0};
    TriangleMesh toy = bunnyToyMesh();
    for (Vec3& v : toy.vertices) v = height_m * v;
    RigidWorld world;
    Vec3 center, ring_center;
    Body sitting = withSurface(meshBody(toy, 2700, center), 0.4, 0);
    Body gear_body = withSurface(meshBody(gearMesh(ring), 740, ring_center), 0.4, 0);
    world.add(std::move(sitting), {center, {}, {}, {}});
    world.add(std::move(gear_body), {ears_tip + Vec3{0.01, 0.04, 0}, quatOf(rotationFromDegrees({0, 0, -22})), {}, {}});
    world.addWall({}, {0, 1, 0});
    CaughtGear result;
    while (world.state.t_s < seconds) {
        // In the middle of the run it is pulled back and forth, with less than its weight.
        const double t = world.state.t_s, pull = world.bodies[1].mass_kg * g_m_s2;
        Force force[2];
        if (t > 0.3 * seconds && t < 0.6 * seconds)
            force[1].force_N = {0.6 * pull * std::cos(9 * t), 0, 0.6 * pull * std::sin(7 * t)};
        world.step(dt_s, force);
        const BodyState &on = world.state.bodies[0], &gear_state = world.state.bodies[1];
        const auto placeOf = [&](Vec3 p) { return on.x_m + matrixOf(on.q) * (p - center); };
        const Vec3 base = placeOf(ears_base), tip = placeOf(ears_tip), axis = matrixOf(gear_state.q) * Vec3{0, 1, 0};
        const double from = dot(base - gear_state.x_m, axis), to = dot(tip - gear_state.x_m, axis);
        const Vec3 through = base + from / (from - to) * (tip - base);
        const bool around = from * to < 0 && length(through - gear_state.x_m) < ring.hole_radius_m;
        result.left_the_ears = result.left_the_ears || (t > 0.2 * seconds && !around);
    }
    result.speed_m_s = world.fastest();
    return result;
}

Conservation collideElastically(double seconds)
{
    RigidParams params;
    params.gravity_m_s2 = {};
    RigidWorld world(params);
    Vec3 center;
    for (int i = 0; i < 12; ++i) {
        Body body = i % 3 == 0   ? sphereBody(0.1, 700)
                    : i % 3 == 1 ? boxBody({0.2, 0.15, 0.1}, 500)
                                 : meshBody(gemMesh(0.2), 900, center);
        const auto random = [&](uint64_t key) { return randomUnit(uint64_t(i), key) - 0.5; };
        const double angle = 2 * std::numbers::pi * i / 12;
        const Vec3 place{0.8 * std::cos(angle), 0.1 * random(1), 0.8 * std::sin(angle)};
        world.add(withSurface(std::move(body), 0, 1),
                  {place,
                   quatOf(rotationFromDegrees({360 * random(2), 360 * random(3), 0})),
                   -1.5 * place + Vec3{0.2 * random(4), 0, 0.2 * random(5)},
                   {4 * random(6), 4 * random(7), 4 * random(8)}});
    }
    const Vec3 p0 = world.momentum(), l0 = world.angularMomentum();
    const double e0 = world.kineticEnergy();
    double p_scale = 0, l_scale = 0;
    for (int i = 0; i < world.moving(); ++i) {
        const BodyState& s = world.state.bodies[size_t(i)];
        p_scale += world.bodies[size_t(i)].mass_kg * length(s.v_m_s);
        l_scale += world.bodies[size_t(i)].mass_kg * length(s.v_m_s) * length(s.x_m);
    }
    Conservation result;
    stepUntil(seconds, dt_s, world, [&](const RigidReport& step) {
        result.collisions += step.collisions;
        result.momentum_change = std::max(result.momentum_change, length(world.momentum() - p0) / p_scale);
        result.angular_change = std::max(result.angular_change, length(world.angularMomentum() - l0) / l_scale);
        result.energy_change = std::max(result.energy_change, std::abs(world.kineticEnergy() / e0 - 1));
    });
    return result;
}

}  // namespace flotsam
