// Capsules: their mass, distance and contacts, in space and in the plane.
#include <gtest/gtest.h>

#include <numbers>

#include "geometry/mass_properties.h"
#include "geometry/triangulate.h"
#include "rigid/contact.h"
#include "rigid/section.h"
#include "rigid/world.h"

namespace flotsam {
namespace {

TEST(Capsule, ItsMassIsThatOfItsMesh)
{
    const Body body = capsuleBody(0.1, 0.3, 800);
    const MassProperties mesh = massPropertiesOf(capsuleMesh(0.1, 0.3));
    EXPECT_NEAR(body.mass_kg, 800 * mesh.volume_m3, 0.02 * body.mass_kg);
    EXPECT_NEAR(body.mass_kg, 800 * std::numbers::pi * (0.01 * 0.3 + 4. / 3 * 0.001), 1e-12);
    // The mesh is inscribed, so that its moments are a little smaller.
    EXPECT_NEAR(body.moments_kg_m2.y, 800 * std::min({mesh.moments.x, mesh.moments.y, mesh.moments.z}),
                0.04 * body.moments_kg_m2.y);
    EXPECT_NEAR(body.moments_kg_m2.x, 800 * std::max({mesh.moments.x, mesh.moments.y, mesh.moments.z}),
                0.04 * body.moments_kg_m2.x);
}

TEST(Capsule, ItsDistanceIsExact)
{
    const ColliderPtr c = capsuleCollider(0.1, 0.4);
    EXPECT_NEAR(c->distance({0.3, 0.1, 0}), 0.2, 1e-15);
    EXPECT_NEAR(c->distance({0, 0.5, 0}), 0.2, 1e-15);
    EXPECT_NEAR(c->distance({0.3, 0.6, 0}), 0.4, 1e-15);
    EXPECT_NEAR(c->distance({0.05, 0, 0}), -0.05, 1e-15);
}

TEST(Capsule, TwoThatCrossTouchInOnePointAndParallelOnesInTwo)
{
    const ColliderPtr c = capsuleCollider(0.1, 0.4);
    const auto contacts = [&](Vec3 at, Vec3 turn) {
        std::vector<ContactPoint> points;
        findContacts({*c, at, rotation(turn)}, {*c, {}, Mat3{}}, {0.01, 0.01}, points);
        return points;
    };
    const auto crossed = contacts({0.195, 0.05, 0.03}, {std::numbers::pi / 2, 0, 0});
    ASSERT_EQ(crossed.size(), 1u);
    EXPECT_NEAR(crossed[0].gap_m, -0.005, 1e-12);
    EXPECT_NEAR(crossed[0].normal.x, 1, 1e-12);
    double lowest = 1, highest = -1;
    for (const ContactPoint& p : contacts({0.2, 0, 0}, {})) {
        lowest = std::min(lowest, p.position_m.y);
        highest = std::max(highest, p.position_m.y);
    }
    EXPECT_NEAR(lowest, -0.2, 1e-12);
    EXPECT_NEAR(highest, 0.2, 1e-12);
}

TEST(Capsule, ItLiesOnTheFloorAndOnABox)
{
    for (const bool on_box : {false, true}) {
        RigidWorld world;
        world.add(capsuleBody(0.05, 0.3, 700), {{0, 0.06, 0}, quatOf(rotation({0, 0, std::numbers::pi / 2})), {}, {}});
        if (on_box)
            world.addPrescribed(boxBody({2, 0.2, 2}, 1), {{0, -0.1, 0}, {}, {}, {}, {}});
        else
            world.addWall({}, {0, 1, 0});
        for (int n = 0; n < 240; ++n) world.step(1.0 / 120);
        EXPECT_NEAR(world.state.bodies[0].x_m.y, 0.05, 1e-3) << on_box;
        EXPECT_LT(world.kineticEnergy(), 1e-8) << on_box;
    }
}

TEST(Capsule, InThePlaneItIsAStadium)
{
    const Section stadium{Section::Kind::stadium, {0.1, 0.3, 0}};
    const Body body = sectionBody(stadium, 0.5, 1000);
    EXPECT_NEAR(body.mass_kg, 500 * (0.2 * 0.4 + std::numbers::pi * 0.01), 1e-9);
    EXPECT_NEAR(body.collider->distance({0.3, 0.1, 7}), 0.2, 1e-15);
    // About z: the rectangle, and the two half disks about the centre.
    const double r = 0.1, h = 0.4, ends = std::numbers::pi * r * r, straight = 2 * r * h;
    const double about_z =
        straight * (4 * r * r + h * h) / 12 + ends * (r * r / 2 + h * h / 4 + h * 4 * r / (3 * std::numbers::pi));
    EXPECT_NEAR(body.moments_kg_m2.z, 500 * about_z, 1e-9);
}

}  // namespace
}  // namespace flotsam
