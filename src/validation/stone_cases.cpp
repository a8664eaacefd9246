#include "validation/stone_cases.h"

#include <numbers>

#include "core/time_loop.h"
#include "geometry/triangulate.h"

namespace flotsam {
namespace {

constexpr double bar_m = 0.4, side_m = 0.1, density_kg_m3 = 700, approach_m_s = 1;

TriangleMesh angleMesh(bool mirrored)
{
    const double l = 0.5 * bar_m, h = 0.5 * side_m, leg = l - side_m;
    if (mirrored) return meshOf({{-l, -leg, l}, {-0.3, -h, h}, {"#.", "##"}, side_m});
    return meshOf({{-l, leg, l}, {-0.3, -h, h}, {".#", "##"}, side_m});
}

TriangleMesh frameMesh()
{
    const double l = 0.5 * bar_m, h = 0.5 * side_m;
    return meshOf({{-l, side_m - l, l - side_m, l}, {-0.25, -0.15, -h, h}, {"###", "#.#", "###"}, side_m});
}

struct Bar {
    Body body;
    Vec3 edge_m;  // from the centre of mass to the middle of the edge that strikes
};
Bar makeBar(BarShape shape, bool mirrored)
{
    const Vec3 half{0.5 * bar_m, 0.5 * side_m, 0.5 * side_m};
    Vec3 center;
    Body body = shape == BarShape::box     ? boxBody(2 * half, density_kg_m3)
                : shape == BarShape::mesh  ? meshBody(boxMesh(half), density_kg_m3, center)
                : shape == BarShape::angle ? meshBody(angleMesh(mirrored), density_kg_m3, center)
                                           : meshBody(frameMesh(), density_kg_m3, center);
    body.friction = 0;
    body.restitution = 1;
    return {std::move(body), Vec3{0, half.y, -half.z} - center};
}

struct PlacedBars {
    Bar upper_bar, lower_bar;
    BodyState upper, lower;
};
// The edges cross at the origin, or would if there were no gap.
PlacedBars placeBars(const CrossedBars& bars)
{
    const double side = bars.mirrored ? -1 : 1;
    const Bar upper = makeBar(bars.upper, bars.mirrored), lower = makeBar(bars.lower, bars.mirrored);
    const Mat3 edge_up = rotationFromDegrees({45, 0, 0}), edge_down = rotationFromDegrees({225, 0, 0}),
               across = rotationFromDegrees({0, side * bars.angle_deg, 0}), turn = across * edge_down;
    const Vec3 below = Vec3{-side * bars.lower_arm_m, 0, 0} - edge_up * lower.edge_m,
               above = across * Vec3{-side * bars.upper_arm_m, 0, 0} - turn * upper.edge_m;
    return {upper,
            lower,
            {above + Vec3{0, bars.gap_m, 0}, quatOf(turn), {0, -approach_m_s, 0}, {}},
            {below, quatOf(edge_up), {}, {}}};
}

BodyState turned(const Mat3& turn, const BodyState& s)
{
    return {turn * s.x_m, quatOf(turn * matrixOf(s.q)), turn * s.v_m_s, turn * s.w_rad_s};
}

// The spin right after the strike, from the angular momentum at the end. A mirror changes the sign of the other
// components of a spin.
VelocityChange motionOf(const Body& body, const BodyState& start, const BodyState& end, const CrossedBars& bars)
{
    const Mat3 back = transposed(bars.turn);
    const Vec3 v = back * end.v_m_s, w = back * spinAt(body, start.q, end);
    return bars.mirrored ? VelocityChange{{-v.x, v.y, v.z}, {w.x, -w.y, -w.z}} : VelocityChange{v, w};
}

}  // namespace

Vec3 spinAt(const Body& body, Quat q, const BodyState& later)
{
    const SymMat3 inertia = rotated(matrixOf(later.q) * body.body_from_principal, body.moments_kg_m2);
    return inverseMassOf(body, q).inertia_1_kg_m2 * (inertia * later.w_rad_s);
}

StruckBars strikeEdges(const CrossedBars& bars)
{
    RigidParams params;
    params.gravity_m_s2 = {};
    params.max_dt_s = bars.step_s;
    RigidWorld world(params);
    const PlacedBars placed = placeBars(bars);
    const BodyState upper = turned(bars.turn, placed.upper), lower = turned(bars.turn, placed.lower);
    world.add(placed.upper_bar.body, upper);
    world.add(placed.lower_bar.body, lower);
    stepUntil(bars.gap_m / approach_m_s + 0.01, bars.step_s, world);
    return {motionOf(placed.upper_bar.body, upper, world.state.bodies[0], bars),
            motionOf(placed.lower_bar.body, lower, world.state.bodies[1], bars)};
}

StruckBars expectedStrike(CrossedBars bars)
{
    bars.mirrored = false;
    const PlacedBars placed = placeBars(bars);
    const Vec3 up{0, 1, 0}, upper_arm = cross(-placed.upper.x_m, up), lower_arm = cross(-placed.lower.x_m, up);
    const InverseMass upper = inverseMassOf(placed.upper_bar.body, placed.upper.q),
                      lower = inverseMassOf(placed.lower_bar.body, placed.lower.q);
    const double k = upper.mass_1_kg + lower.mass_1_kg + dot(upper_arm, upper.inertia_1_kg_m2 * upper_arm) +
                     dot(lower_arm, lower.inertia_1_kg_m2 * lower_arm);
    const double j = 2 * approach_m_s / k;
    return {{(upper.mass_1_kg * j - approach_m_s) * up, j * (upper.inertia_1_kg_m2 * upper_arm)},
            {-lower.mass_1_kg * j * up, -j * (lower.inertia_1_kg_m2 * lower_arm)}};
}

namespace {

// A prism with four corners in the xy plane, counter-clockwise.
TriangleMesh prismMesh(const Vec3 (&corner)[4], double depth_m)
{
    TriangleMesh mesh;
    for (const double z : {0.5 * depth_m, -0.5 * depth_m})
        for (const Vec3 c : corner) mesh.vertices.push_back({c.x, c.y, z});
    mesh.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 6, 5}, {4, 7, 6}};
    for (int i = 0; i < 4; ++i) {
        const int j = (i + 1) % 4;
        mesh.triangles.push_back({i, i + 4, j + 4});
        mesh.triangles.push_back({i, j + 4, j});
    }
    return mesh;
}

TriangleMesh stoneOfArch(const ArchShape& shape, int i)
{
    const auto at = [&](double r, int joint) {
        const double angle = std::numbers::pi * joint / shape.stones;
        return Vec3{r * std::cos(angle), joint == 0 || joint == shape.stones ? 0 : r * std::sin(angle), 0};
    };
    const double in = shape.radius_m - 0.5 * shape.thickness_m, out = shape.radius_m + 0.5 * shape.thickness_m;
    return prismMesh({at(in, i), at(out, i), at(out, i + 1), at(in, i + 1)}, shape.depth_m);
}

}  // namespace

RigidWorld archOfStones(const ArchShape& shape)
{
    RigidWorld world;
    for (int i = 0; i < shape.stones; ++i) {
        Vec3 center;
        Body stone = meshBody(stoneOfArch(shape, i), 2400, center);
        stone.friction = shape.friction;
        stone.restitution = 0;
        world.add(std::move(stone), {center, {}, {}, {}});
    }
    world.addWall({}, {0, 1, 0});
    return world;
}

StandingArch standArch(const ArchShape& shape, double seconds, int iterations)
{
    RigidWorld world = archOfStones(shape);
    world.params.iterations = iterations;
    const std::vector<BodyState> start = world.state.bodies;
    stepUntil(seconds, 1.0 / 120, world);
    StandingArch arch;
    for (int i = 0; i < shape.stones; ++i)
        arch.drift_m = std::max(arch.drift_m, length(world.state.bodies[size_t(i)].x_m - start[size_t(i)].x_m));
    const size_t key = size_t(shape.stones / 2);
    arch.keystone_sinks_m = start[key].x_m.y - world.state.bodies[key].x_m.y;
    arch.speed_m_s = world.fastest();
    return arch;
}

}  // namespace flotsam
