// Rigid bodies of two-dimensional runs: extruded sections that never leave their plane.
#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "core/time_loop.h"
#include "rigid/section.h"
#include "rigid/world.h"

namespace flotsam {
namespace {

constexpr double depth_m = 0.02, z_m = 0.01, dt_s = 1.0 / 120;

Body sectionWith(Section::Kind kind, double half_x_m, double half_y_m, double friction, double restitution)
{
    Body body = sectionBody({kind, {half_x_m, half_y_m, 0}}, depth_m, 700);
    body.friction = friction;
    body.restitution = restitution;
    return body;
}
Body diskWith(double radius_m, double friction, double restitution)
{
    return sectionWith(Section::Kind::disk, radius_m, radius_m, friction, restitution);
}
Quat turnedBy(double angle_deg) { return quatOf(rotationFromDegrees({0, 0, angle_deg})); }

void expectInPlane(const RigidWorld& world)
{
    for (int i = 0; i < world.moving(); ++i) {
        const BodyState& s = world.state.bodies[size_t(i)];
        EXPECT_EQ(s.x_m.z, z_m);
        EXPECT_EQ(s.v_m_s.z, 0);
        EXPECT_EQ(s.q.x, 0);
        EXPECT_EQ(s.q.y, 0);
        EXPECT_EQ(s.w_rad_s.x, 0);
        EXPECT_EQ(s.w_rad_s.y, 0);
    }
}

TEST(RigidPlane, ASectionHasTheMassAndTheInertiaOfItsExtrusion)
{
    const Body disk = diskWith(0.1, 0, 0);
    const double mass = 700 * std::numbers::pi * 0.01 * depth_m;
    EXPECT_NEAR(disk.mass_kg, mass, 1e-12 * mass);
    EXPECT_NEAR(disk.moments_kg_m2.z, 0.5 * mass * 0.01, 1e-12);
    const Body box = sectionWith(Section::Kind::rectangle, 0.1, 0.2, 0, 0);
    EXPECT_NEAR(box.mass_kg, 700 * 0.08 * depth_m, 1e-12);
    EXPECT_NEAR(box.moments_kg_m2.z, box.mass_kg * (0.04 + 0.16) / 12, 1e-12);
    const Body ellipse = sectionWith(Section::Kind::ellipse, 0.1, 0.2, 0, 0);
    EXPECT_NEAR(ellipse.moments_kg_m2.z, ellipse.mass_kg * 0.05 / 4, 1e-12);
}

TEST(RigidPlane, TheDistanceIsTheSectionsForEveryZ)
{
    for (const Section::Kind kind : {Section::Kind::disk, Section::Kind::rectangle, Section::Kind::ellipse}) {
        const Body body = sectionWith(kind, 0.1, kind == Section::Kind::disk ? 0.1 : 0.06, 0, 0);
        for (uint64_t i = 0; i < 200; ++i) {
            const Vec3 p{0.4 * randomUnit(1, i, 0) - 0.2, 0.4 * randomUnit(1, i, 1) - 0.2, randomUnit(1, i, 2) - 0.5};
            const DistanceAndNormal there = body.collider->distanceAndNormal(p),
                                    here = body.collider->distanceAndNormal({p.x, p.y, 0});
            EXPECT_EQ(there.distance_m, here.distance_m);
            EXPECT_NEAR(here.normal.z, 0, 1e-10);
            // The nearest point is on the outline.
            const Vec3 q = Vec3{p.x, p.y, 0} - here.distance_m * here.normal;
            EXPECT_NEAR(body.collider->distance(q), 0, 1e-12);
        }
    }
}

TEST(RigidPlane, ADiskRollsDownASlopeWithTwoThirdsOfGravity)
{
    const double angle = 20 * std::numbers::pi / 180, radius_m = 0.1;
    const Vec3 normal{std::sin(angle), std::cos(angle), 0}, down{std::cos(angle), -std::sin(angle), 0};
    RigidWorld world;
    world.add(diskWith(radius_m, 0.6, 0), {radius_m * normal + Vec3{0, 0, z_m}, {}, {}, {}});
    world.addWall({}, normal);
    takeSteps(120, dt_s, world);
    const double exact = 2. / 3 * 9.81 * std::sin(angle);
    EXPECT_NEAR(dot(world.state.bodies[0].v_m_s, down), exact, 1e-3 * exact);  // 5e-6
    expectInPlane(world);
}

TEST(RigidPlane, AStackOfTenStands)
{
    constexpr double side_m = 0.1;
    RigidWorld world;
    for (int i = 0; i < 10; ++i)
        world.add(sectionWith(Section::Kind::rectangle, 0.5 * side_m, 0.5 * side_m, 0.5, 0.1),
                  {{0.002 * (i % 2), (i + 0.5) * side_m, z_m}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    const std::vector<BodyState> start = world.state.bodies;
    takeSteps(360, dt_s, world);
    for (int i = 0; i < 10; ++i)
        EXPECT_LT(length(world.state.bodies[size_t(i)].x_m - start[size_t(i)].x_m), 1e-3 * side_m) << i;
    EXPECT_LT(world.deepestOverlap(), 1e-2 * side_m);
    EXPECT_LT(world.fastest(), 1e-3);
    expectInPlane(world);
}

// Corner on corner the distance has no unique normal: the upper one slid off and sank into the lower one.
TEST(RigidPlane, BoxesOfTheSameWidthStayOnEachOther)
{
    RigidWorld world;
    for (int i = 0; i < 3; ++i)
        world.add(sectionWith(Section::Kind::rectangle, 0.12, 0.06, 0.5, 0.1),
                  {{0.51, 0.06 + 0.12 * i, z_m}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    const std::vector<BodyState> start = world.state.bodies;
    takeSteps(360, dt_s, world);
    for (size_t i = 0; i < 3; ++i)
        EXPECT_LT(length(world.state.bodies[i].x_m - start[i].x_m), 1e-5) << i;  // 2e-7; 0.08 before
    expectInPlane(world);
}

TEST(RigidPlane, TwoDisksOfTheSameMassExchangeTheirVelocities)
{
    RigidWorld world({{0, 0, 0}, 1.0 / 120, 10});
    world.add(diskWith(0.1, 0, 1), {{0, 0, z_m}, {}, {1, 0, 0}, {}});
    world.add(diskWith(0.1, 0, 1), {{0.5, 0, z_m}, {}, {}, {}});
    takeSteps(120, dt_s, world);
    EXPECT_NEAR(world.state.bodies[0].v_m_s.x, 0, 1e-12);
    EXPECT_NEAR(world.state.bodies[1].v_m_s.x, 1, 1e-12);
}

// Disks, rectangles and ellipses that collide.
TEST(RigidPlane, CollisionsKeepMomentumAndEnergy)
{
    RigidWorld world({{0, 0, 0}, 1.0 / 120, 10});
    for (uint64_t i = 0; i < 12; ++i) {
        const auto r = [&](uint64_t key) { return randomUnit(7, i, key); };
        const Vec3 place{0.4 * (double(i % 4) - 1.5), 0.4 * (double(i / 4) - 1), z_m};
        const auto kind = std::array{Section::Kind::disk, Section::Kind::rectangle, Section::Kind::ellipse}[i % 3];
        const double half = 0.05 + 0.05 * r(0);
        world.add(sectionWith(kind, half, kind == Section::Kind::disk ? half : 0.05 + 0.05 * r(1), 0, 1),
                  {place, turnedBy(90 * r(2)), -2 * Vec3{place.x, place.y, 0}, {0, 0, 6 * r(3) - 3}});
    }
    const Vec3 p = world.momentum(), l = world.angularMomentum();
    const double energy = world.kineticEnergy();
    int collisions = 0;
    for (int n = 0; n < 180; ++n) {
        collisions += world.step(dt_s).collisions;
        ASSERT_LT(length(world.momentum() - p), 1e-10);
        ASSERT_LT(length(world.angularMomentum() - l), 1e-10);
        ASSERT_NEAR(world.kineticEnergy(), energy, 1e-6 * energy);
    }
    EXPECT_GT(collisions, 10);
    expectInPlane(world);
}

// Into a trough, with pushes from all sides; forces out of the plane have no effect.
TEST(RigidPlane, AHeapOfSectionsSettlesInItsPlane)
{
    RigidWorld world;
    for (uint64_t i = 0; i < 20; ++i) {
        const auto r = [&](uint64_t key) { return randomUnit(3, i, key); };
        const auto kind = std::array{Section::Kind::disk, Section::Kind::rectangle, Section::Kind::ellipse}[i % 3];
        const double half = 0.03 + 0.05 * r(0);
        world.add(sectionWith(kind, half, kind == Section::Kind::disk ? half : 0.03 + 0.05 * r(1), 0.5, 0.3),
                  {{0.14 + 0.24 * double(i % 4), 0.15 + 0.24 * double(i / 4), z_m}, turnedBy(90 * r(2)), {}, {}});
    }
    world.addWall({}, {0, 1, 0});
    world.addWall({}, normalized(Vec3{1, 0.3, 0}));
    world.addWall({1, 0, 0}, {-1, 0, 0});
    const std::vector<Force> outside(20, {{0, 0, 5}, {1, 1, 0}});
    const double start_J = world.potentialEnergy();
    while (world.state.t_s < 4) world.step(dt_s, outside);
    expectInPlane(world);
    EXPECT_LT(world.deepestOverlap(), 1e-3);
    // Round bodies roll back and forth for a while: 2e-4.
    EXPECT_LT(world.kineticEnergy(), 1e-3 * (start_J - world.potentialEnergy()));
}

}  // namespace
}  // namespace flotsam
