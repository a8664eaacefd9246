// Components of the rigid-body solver: masses, distances, contacts, broad phase, and functions used by coupling.
#include <gtest/gtest.h>

#include <cstdlib>
#include <numbers>

#include "core/random.h"
#include "core/time_loop.h"
#include "geometry/gear.h"
#include "geometry/mass_properties.h"
#include "geometry/triangulate.h"
#include "rigid/broad_phase.h"
#include "rigid/rotate.h"
#include "rigid/world.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

Vec3 randomPoint(uint64_t i, double size)
{
    return size * Vec3{randomUnit(i, 0) - 0.5, randomUnit(i, 1) - 0.5, randomUnit(i, 2) - 0.5};
}

TEST(MassProperties, OfABoxAreExactWhereverItStands)
{
    const Vec3 half{0.1, 0.2, 0.3}, center{3, -2, 5};
    const MassProperties p = massPropertiesOf(placed(boxMesh(half), rotationFromDegrees({10, 20, 30}), center));
    EXPECT_NEAR(p.volume_m3, 0.048, 1e-12);
    EXPECT_LT(length(p.center_m - center), 1e-12);
    double sorted[] = {p.moments.x, p.moments.y, p.moments.z};
    std::sort(sorted, sorted + 3);
    EXPECT_NEAR(sorted[0], 0.048 * (0.04 + 0.16) / 12, 1e-12);
    EXPECT_NEAR(sorted[1], 0.048 * (0.04 + 0.36) / 12, 1e-12);
    EXPECT_NEAR(sorted[2], 0.048 * (0.16 + 0.36) / 12, 1e-12);
}

TEST(MassProperties, PrincipalAxesDiagonaliseTheInertia)
{
    const TriangleMesh gem = gemMesh(0.3);
    const MassProperties p = massPropertiesOf(gem);
    TriangleMesh turned = gem;
    for (Vec3& v : turned.vertices) v = transposed(p.mesh_from_principal) * (v - p.center_m);
    const MassProperties q = massPropertiesOf(turned);
    EXPECT_LT(length(q.center_m), 1e-15);
    EXPECT_NEAR(q.moments.x, p.moments.x, 1e-12 * p.moments.x);
    const Vec3 x = q.mesh_from_principal * Vec3{1, 0, 0};
    EXPECT_NEAR(std::abs(x.x), 1, 1e-9);
}

TEST(BuiltIns, GearAndGemAreClosedOutwardsAndOfTheSizeThatTheyPromise)
{
    const TriangleMesh gear = gearMesh({0.1, 0.03, 0.03, 16}), gem = gemMesh(0.2);
    EXPECT_EQ(gear.vertices.size(), 256u);
    EXPECT_EQ(gearMesh({0.1, 0.03, 0, 12}).triangles.size(), 384u);
    EXPECT_EQ(gem.triangles.size(), 340u);
    for (const TriangleMesh* mesh : {&gear, &gem}) {
        EXPECT_TRUE(findDefects(*mesh).closed());
        EXPECT_EQ(findDefects(*mesh).degenerate_triangles, 0);
        EXPECT_GT(signedVolume(*mesh), 0);
    }
    EXPECT_GT(meshCollider(gear)->distance({}), 0.02);  // the hole is open
}

TEST(Collider, DistancesOfFormulasGridsAndRaysAgree)
{
    const Vec3 half{0.1, 0.06, 0.04};
    const ColliderPtr box = boxCollider(half), rays = meshCollider(boxMesh(half), true),
                      grid = meshCollider(boxMesh(half));
    for (uint64_t i = 0; i < 300; ++i) {
        const Vec3 p = randomPoint(i, 0.26);
        const DistanceAndNormal exact = box->distanceAndNormal(p), slow = rays->distanceAndNormal(p);
        EXPECT_NEAR(slow.distance_m, exact.distance_m, 1e-9);
        EXPECT_LT(length(slow.normal - exact.normal), 1e-6);
        if (std::abs(exact.distance_m) < 0.015) {                    // within the grid, which extends 6 voxels beyond
            EXPECT_NEAR(grid->distance(p), exact.distance_m, 1e-3);  // a third of a voxel, at edges
        }
    }
}

TEST(Collider, TheDistanceToAnEllipsoidIsThatToItsNearestPoint)
{
    const Vec3 a{0.3, 0.2, 0.1};
    const ColliderPtr ellipsoid = ellipsoidCollider(a);
    for (uint64_t i = 0; i < 200; ++i) {
        const Vec3 d = normalized(randomPoint(i, 1));
        const Vec3 on{a.x * d.x, a.y * d.y, a.z * d.z};
        const Vec3 n = normalized(Vec3{on.x / (a.x * a.x), on.y / (a.y * a.y), on.z / (a.z * a.z)});
        const double off = 0.2 * randomUnit(i, 7) - 0.01;  // the smallest radius of curvature is 0.033
        const DistanceAndNormal found = ellipsoid->distanceAndNormal(on + off * n);
        EXPECT_NEAR(found.distance_m, off, 1e-9);
        EXPECT_LT(length(found.normal - n), 1e-6);
    }
}

TEST(Collider, ADistanceGridComesBackFromTheDiskAsItWas)
{
    const TemporaryFolder folder;
    setenv("FLOTSAM_CACHE", folder.path.c_str(), 1);
    const TriangleMesh gem = gemMesh(0.2);
    const DistanceGrid made = cachedDistanceGridOf(gem, 0.005);
    EXPECT_FALSE(std::filesystem::is_empty(folder.path));
    const DistanceGrid read = cachedDistanceGridOf(gem, 0.005);
    EXPECT_EQ(made.phi_m, read.phi_m);
    EXPECT_EQ(made.origin_m, read.origin_m);
    // A damaged file is computed again.
    for (const auto& entry : std::filesystem::directory_iterator(folder.path))
        std::filesystem::resize_file(entry.path(), 100);
    EXPECT_EQ(cachedDistanceGridOf(gem, 0.005).phi_m, made.phi_m);
    unsetenv("FLOTSAM_CACHE");
}

TEST(BroadPhase, FindsExactlyThePairsWhoseBoxesOverlap)
{
    std::vector<Bounds> boxes;
    for (uint64_t i = 0; i < 200; ++i) {
        const Vec3 c = randomPoint(i, 2);
        const double s = i % 17 == 0 ? 0.9 : 0.05 + 0.1 * randomUnit(i, 5);
        boxes.push_back({c - Vec3{s, s, s}, c + Vec3{s, s, s}});
    }
    constexpr int moving = 180;
    BroadPhase broad;
    broad.find(boxes, moving);
    std::vector<std::pair<int, int>> expected;
    for (int i = 0; i < moving; ++i)
        for (int j = i + 1; j < int(boxes.size()); ++j) {
            const Bounds &a = boxes[size_t(i)], &b = boxes[size_t(j)];
            bool apart = false;
            for (int k = 0; k < 3; ++k) apart = apart || a.lo[k] > b.hi[k] || b.lo[k] > a.hi[k];
            if (!apart) expected.emplace_back(i, j);
        }
    EXPECT_EQ(broad.pairs, expected);
}

// The smallest gap between two posed colliders.
double gapOf(const ColliderPtr& a, Vec3 xa, const Mat3& ra, const ColliderPtr& b, Vec3 xb, const Mat3& rb)
{
    std::vector<ContactPoint> points;
    findContacts({*a, xa, ra}, {*b, xb, rb}, {0, 1}, points);
    double least = 1e300;
    for (const ContactPoint& p : points) least = std::min(least, p.gap_m);
    return least;
}

TEST(Contact, GapsBetweenFormulasAreExact)
{
    const ColliderPtr ball = sphereCollider(0.1), box = boxCollider({0.1, 0.1, 0.1}), plane = halfSpaceCollider(),
                      rod = cylinderCollider(0.05, 0.4), egg = ellipsoidCollider({0.1, 0.2, 0.1});
    EXPECT_NEAR(gapOf(ball, {0, 0.3, 0}, {}, ball, {}, {}), 0.1, 1e-12);
    EXPECT_NEAR(gapOf(ball, {0, 0.3, 0}, {}, box, {}, {}), 0.1, 1e-12);
    EXPECT_NEAR(gapOf(box, {0, 0.21, 0}, {}, box, {}, {}), 0.01, 1e-12);
    EXPECT_NEAR(gapOf(box, {0.1, 0.19, 0}, rotationFromDegrees({0, 30, 0}), box, {}, {}), -0.01, 1e-12);
    EXPECT_NEAR(gapOf(box, {0, 0.2, 0}, rotationFromDegrees({0, 0, 45}), plane, {}, {}), 0.2 - 0.1 * std::sqrt(2.),
                1e-12);
    EXPECT_NEAR(gapOf(rod, {0, 0.06, 0}, rotationFromDegrees({90, 0, 0}), plane, {}, {}), 0.01, 1e-12);
    EXPECT_NEAR(gapOf(egg, {0, 0.21, 0}, {}, plane, {}, {}), 0.01, 1e-12);
    // Two crossing edges.
    const Mat3 on_edge = rotationFromDegrees({45, 0, 0}), across = rotationFromDegrees({0, 0, 45});
    EXPECT_NEAR(gapOf(box, {0, 0.2 * std::sqrt(2.) + 0.003, 0}, across, box, {}, on_edge), 0.003, 1e-9);
}

TEST(RigidWorld, CollisionAccelerationsAreWhatTheFloorGives)
{
    RigidWorld world;
    world.add(boxBody({0.2, 0.2, 0.2}, 500), {{0, 0.1, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    takeSteps(20, 1.0 / 60, world);
    const CollisionAcceleration& c = world.collisionAccelerations()[0];
    EXPECT_LT(length(c.A_c_m_s2 - Vec3{0, 9.81, 0}), 1e-6);
    EXPECT_LT(length(c.alpha_c_rad_s2), 1e-6);
}

// A stack of ten boxes, and then a step of another length: its solve starts from the correct forces.
TEST(RigidWorld, ContactForcesOfAStackStayWhenTheLengthOfASubstepChanges)
{
    for (const double factor : {0.1, 0.5, 1.0}) {
        RigidWorld world;
        for (int i = 0; i < 10; ++i) {
            Body box = boxBody({0.1, 0.1, 0.1}, 700);
            box.restitution = 0;
            world.add(std::move(box), {{0, (i + 0.5) * 0.1, 0}, {}, {}, {}});
        }
        const int floor = world.addWall({}, {0, 1, 0});
        takeSteps(240, 1.0 / 120, world);
        world.step(factor / 120);
        double force_N = 0;
        for (const RememberedContact& c : world.state.remembered)
            if (c.b == floor) force_N += c.normal_N;
        EXPECT_NEAR(force_N, 7 * 9.81, 0.01 * 7 * 9.81) << factor;
    }
}

TEST(RigidWorld, ForcesFromOutsideAndTheInverseMassAgree)
{
    RigidParams params;
    params.gravity_m_s2 = {};
    RigidWorld world(params);
    world.add(boxBody({0.2, 0.1, 0.3}, 500), {{}, quatOf(rotationFromDegrees({20, 30, 40})), {}, {}});
    const Force force{{1, 2, 3}, {0.01, 0.02, -0.03}};
    const double dt = 1e-4;
    const Impulse impulse{dt * force.force_N, dt * force.torque_N_m};
    VelocityChange change;
    world.applyInverseMass({&impulse, 1}, {&change, 1});
    world.step(dt, {&force, 1});
    EXPECT_LT(length(world.state.bodies[0].v_m_s - change.v_m_s), 1e-15);
    EXPECT_LT(length(world.state.bodies[0].w_rad_s - change.w_rad_s), 1e-9);
    EXPECT_LT(length(world.collisionAccelerations()[0].A_c_m_s2), 1e-9);
}

}  // namespace
}  // namespace flotsam
