// Edges across edges of bodies that are not convex, and of boxes and cylinders against them.
#include <gtest/gtest.h>

#include "core/time_loop.h"
#include "geometry/sharp_edges.h"
#include "geometry/triangulate.h"
#include "validation/stone_cases.h"

namespace flotsam {
namespace {

double differenceOf(const VelocityChange& l, const VelocityChange& r)
{
    return std::max(length(l.v_m_s - r.v_m_s), length(l.w_rad_s - r.w_rad_s));
}
double differenceOf(const StruckBars& l, const StruckBars& r)
{
    return std::max(differenceOf(l.upper, r.upper), differenceOf(l.lower, r.lower));
}

// The largest error over time steps and gaps.
double strikeError(CrossedBars bars)
{
    double error = 0;
    for (const double step_s : {1.0 / 120, 1.0 / 1000})
        for (const double gap_m : {0.03, 0.0317, 0.0361}) {
            bars.gap_m = gap_m;
            bars.step_s = step_s;
            bars.turn = rotationFromDegrees({12, 20, bars.angle_deg});
            error = std::max(error, differenceOf(strikeEdges(bars), expectedStrike(bars)));
        }
    return error;
}

TEST(RigidEdges, CrossedEdgesOfBodiesThatAreNotConvexCollideLikeThoseOfBoxShapes)
{
    for (const auto& [upper, lower] : {std::pair{BarShape::angle, BarShape::angle},
                                       {BarShape::frame, BarShape::angle},
                                       {BarShape::frame, BarShape::frame}})
        for (const double angle_deg : {90.0, 50.0, -50.0})
            for (const double arm_m : {0.0, 0.061})
                EXPECT_LT(strikeError({upper, lower, angle_deg, arm_m, -0.7 * arm_m}),
                          1e-6)  // 3e-14; with points alone up to 5
                    << int(upper) << ' ' << int(lower) << ' ' << angle_deg << ' ' << arm_m;
}

TEST(RigidEdges, AnEdgeOfABodyThatIsNotConvexStrikesOneOfABox)
{
    for (const BarShape box : {BarShape::box, BarShape::mesh})
        for (const double angle_deg : {90.0, 50.0}) {
            EXPECT_LT(strikeError({BarShape::angle, box, angle_deg, 0.061, -0.043}), 1e-6) << angle_deg;
            EXPECT_LT(strikeError({box, BarShape::angle, angle_deg, 0.061, -0.043}), 1e-6) << angle_deg;
        }
}

TEST(RigidEdges, TheMirrorImageOfAStrikeIsItsMirrorImage)
{
    for (const double arm_m : {0.0, 0.061}) {
        CrossedBars bars{BarShape::angle, BarShape::angle, 65, arm_m, 0.4 * arm_m};
        const StruckBars found = strikeEdges(bars);
        bars.mirrored = true;
        EXPECT_LT(differenceOf(found, strikeEdges(bars)), 1e-9);
    }
}

// A tilted cylinder falls with the lowest point of its rim on the edge of an L.
double rimError(double tilt_deg, double arm_m, double step_s)
{
    const double radius_m = 0.08, height_m = 0.2, h = 0.05;
    Vec3 center;
    Body cylinder = cylinderBody(radius_m, height_m, 700);
    Body angle = meshBody(meshOf({{-0.2, 0.1, 0.2}, {-0.3, -h, h}, {".#", "##"}, 2 * h}), 700, center);
    for (Body* body : {&cylinder, &angle}) body->friction = 0, body->restitution = 1;
    const Mat3 tilt = rotationFromDegrees({0, 0, tilt_deg}), edge_up = rotationFromDegrees({45, 0, 0});
    const Vec3 rim = tilt * Vec3{-radius_m, -0.5 * height_m, 0}, edge = edge_up * (Vec3{arm_m, h, -h} - center);
    RigidParams params;
    params.gravity_m_s2 = {};
    params.max_dt_s = step_s;
    RigidWorld world(params);
    world.add(cylinder, {Vec3{0, 0.03, 0} - rim, quatOf(tilt), {0, -1, 0}, {}});
    world.add(angle, {-edge, quatOf(edge_up), {}, {}});
    const InverseMass upper = inverseMassOf(cylinder, quatOf(tilt)), lower = inverseMassOf(angle, quatOf(edge_up));
    const Vec3 up{0, 1, 0}, ra = cross(rim, up), rb = cross(edge, up);
    const double j = 2 / (upper.mass_1_kg + lower.mass_1_kg + dot(ra, upper.inertia_1_kg_m2 * ra) +
                          dot(rb, lower.inertia_1_kg_m2 * rb));
    stepUntil(0.04, step_s, world);
    const BodyState &a = world.state.bodies[0], &b = world.state.bodies[1];
    return differenceOf(
        StruckBars{{a.v_m_s, spinAt(cylinder, quatOf(tilt), a)}, {b.v_m_s, spinAt(angle, quatOf(edge_up), b)}},
        StruckBars{{(j * upper.mass_1_kg - 1) * up, j * (upper.inertia_1_kg_m2 * ra)},
                   {-j * lower.mass_1_kg * up, -j * (lower.inertia_1_kg_m2 * rb)}});
}

TEST(RigidEdges, TheRimOfACylinderStrikesAnEdge)
{
    for (const double tilt_deg : {45.0, 33.0})
        for (const double arm_m : {0.0, 0.0437})
            for (const double step_s : {1.0 / 120, 1.0 / 1000})
                EXPECT_LT(rimError(tilt_deg, arm_m, step_s), 1e-3) << tilt_deg << ' ' << arm_m << ' ' << step_s;
}

// A square of bars, too thin for points along the edges to be found in each other.
constexpr double thin_m = 0.012;
Body thinFrame()
{
    const double out = 0.2, in = out - thin_m;
    Vec3 center;
    Body frame =
        meshBody(meshOf({{-out, -in, in, out}, {-out, -in, in, out}, {"###", "#.#", "###"}, thin_m}), 700, center);
    frame.friction = 0.5;
    frame.restitution = 0;
    return frame;
}

struct Fallen {
    double lowest_m = 1e300, height_m = 0, speed_m_s = 0;
};
// From rest, for 1 s.
Fallen fall(RigidWorld& world)
{
    Fallen fallen;
    for (int i = 0; i < 120; ++i) {
        takeSteps(1, 1.0 / 120, world);
        fallen.lowest_m = std::min(fallen.lowest_m, world.state.bodies[0].x_m.y);
    }
    fallen.height_m = world.state.bodies[0].x_m.y;
    fallen.speed_m_s = world.fastest();
    return fallen;
}

TEST(RigidEdges, ThinFramesThatCrossDoNotSinkIntoEachOther)
{
    for (const double turn_deg : {45.0, 30.0, 13.0}) {
        RigidWorld world;
        world.add(thinFrame(), {{0.003, 0.04, 0.002}, quatOf(rotationFromDegrees({90, turn_deg, 0})), {}, {}});
        world.addPrescribed(thinFrame(), {{}, quatOf(rotationFromDegrees({90, 0, 0})), {}, {}, {}});
        const Fallen fallen = fall(world);
        EXPECT_GT(fallen.lowest_m, 0.99 * thin_m) << turn_deg;
        EXPECT_NEAR(fallen.height_m, thin_m, 0.01 * thin_m) << turn_deg;
        EXPECT_LT(fallen.speed_m_s, 1e-3) << turn_deg;
    }
}

TEST(RigidEdges, AThinFrameRestsOnTheEdgesOfTwoBars)
{
    const double h = 0.05;
    for (const double turn_deg : {0.0, 10.0}) {
        RigidWorld world;
        world.add(thinFrame(), {{0.003, 0.03, 0.002}, quatOf(rotationFromDegrees({90, turn_deg, 0})), {}, {}});
        for (const double z_m : {-0.1, 0.1}) {
            Vec3 center;
            const Body angle = meshBody(meshOf({{-0.25, 0.15, 0.25}, {-0.3, -h, h}, {".#", "##"}, 2 * h}), 700, center);
            const Mat3 edge_up = rotationFromDegrees({45, 0, 0});
            const Vec3 edge = edge_up * (Vec3{0, h, -h} - center);
            world.addPrescribed(angle, {Vec3{0, 0, z_m} - edge, quatOf(edge_up), {}, {}, {}});
        }
        const Fallen fallen = fall(world);
        EXPECT_GT(fallen.lowest_m, 0.49 * thin_m) << turn_deg;
        EXPECT_NEAR(fallen.height_m, 0.5 * thin_m, 0.01 * thin_m) << turn_deg;
        EXPECT_LT(fallen.speed_m_s, 1e-3) << turn_deg;
    }
}

TEST(RigidEdges, PiecesOfAnEdgeFormOne)
{
    // An L has 18 edges, of which one is concave.
    const std::vector<SharpEdge> edges = sharpEdgesOf(meshOf({{0, 1, 2}, {0, 1, 2}, {"##", "#."}, 1}));
    ASSERT_EQ(edges.size(), 17u);
    double longest = 0, sum = 0;
    for (const SharpEdge& e : edges) longest = std::max(longest, 2 * e.half_m), sum += 2 * e.half_m;
    EXPECT_DOUBLE_EQ(longest, 2);
    EXPECT_DOUBLE_EQ(sum, 21);
}

}  // namespace
}  // namespace flotsam
