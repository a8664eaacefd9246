#include "validation/stone_cases.h"

#include <numbers>

#include "core/time_loop.h"
#include "geometry/triangulate.h"

namespace flotsam {
namespace {

constexpr double bar_m = 0.4, side_m = 0.1, density_kg_m3 = 700, approach_m_s = 1;

// The body frame of a mesh bar is that of the mesh.
Body barBody(bool as_mesh)
{
    Vec3 center;
    Body bar = as_mesh ? meshBody(boxMesh({0.5 * bar_m, 0.5 * side_m, 0.5 * side_m}), density_kg_m3, center)
                       : boxBody({bar_m, side_m, side_m}, density_kg_m3);
    bar.friction = 0;
    bar.restitution = 1;
    return bar;
}

struct PlacedBars {
    BodyState upper, lower;
};
// The edges cross at the origin, or would if there were no gap.
PlacedBars placeBars(const CrossedBars& bars)
{
    const double half_diagonal_m = side_m / std::numbers::sqrt2;
    const Mat3 on_edge = rotationFromDegrees({45, 0, 0}), across = rotationFromDegrees({0, bars.angle_deg, 0});
    const Vec3 below{-bars.lower_arm_m, -half_diagonal_m, 0}, above{-bars.upper_arm_m, half_diagonal_m, 0};
    return {{across * above + Vec3{0, bars.gap_m, 0}, quatOf(across * on_edge), {0, -approach_m_s, 0}, {}},
            {below, quatOf(on_edge), {}, {}}};
}

BodyState turned(const Mat3& turn, const BodyState& s)
{
    return {turn * s.x_m, quatOf(turn * matrixOf(s.q)), turn * s.v_m_s, turn * s.w_rad_s};
}

}  // namespace

StruckBars strikeEdges(const CrossedBars& bars)
{
    RigidParams params;
    params.gravity_m_s2 = {};
    params.max_dt_s = bars.step_s;
    RigidWorld world(params);
    const PlacedBars placed = placeBars(bars);
    world.add(barBody(bars.meshes), turned(bars.turn, placed.upper));
    world.add(barBody(bars.meshes), turned(bars.turn, placed.lower));
    stepUntil(bars.gap_m / approach_m_s + 0.01, bars.step_s, world);
    const Mat3 back = transposed(bars.turn);
    const BodyState &upper = world.state.bodies[0], &lower = world.state.bodies[1];
    return {{back * upper.v_m_s, back * upper.w_rad_s}, {back * lower.v_m_s, back * lower.w_rad_s}};
}

StruckBars expectedStrike(const CrossedBars& bars)
{
    const PlacedBars placed = placeBars(bars);
    const Body bar = barBody(false);
    const Vec3 up{0, 1, 0}, upper_arm = cross({-placed.upper.x_m.x, 0, -placed.upper.x_m.z}, up),
                            lower_arm = cross(-placed.lower.x_m, up);
    const InverseMass upper = inverseMassOf(bar, placed.upper.q), lower = inverseMassOf(bar, placed.lower.q);
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
