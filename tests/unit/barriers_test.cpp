// Solids and bodies as obstacles of the surface: distances and open fractions equal those of a query to each of them.
#include <gtest/gtest.h>

#include "cache/ply.h"
#include "coupling/body_raster.h"
#include "geometry/triangulate.h"
#include "rigid/from_scene.h"
#include "tests/unit/temporary_folder.h"

using namespace flotsam;

namespace {

// A gate that rises out of the tank, a fixed ball, and two rotated bodies; open above.
Scene crowdedTank()
{
    Scene scene;
    scene.domain.cells = {40, 32, 24};
    SolidSpec gate, ball;
    gate.name = "gate";
    gate.shape = BoxShape{{0.3, -0.2, -0.1}, {0.36, 0.6, 0.7}, {}};
    gate.velocity_m_s = {0, 3, 0};
    ball.name = "ball";
    ball.shape = SphereShape{{0.6, 0.1, 0.3}, 0.12};
    scene.solids = {gate, ball};
    BodySpec box, gear;
    box.name = "box";
    box.shape = BlockShape{{0.3, 0.05, 0.2}};
    box.position_m = {0.55, 0.75, 0.3};
    box.rotation_deg = {20, 30, 40};
    gear.name = "gear";
    gear.shape = GearShape{.radius_m = 0.14, .thickness_m = 0.045, .hole_radius_m = 0.07};
    gear.position_m = {0.75, 0.4, 0.3};
    gear.rotation_deg = {-50, 10, 70};
    box.density_kg_m3 = gear.density_kg_m3 = 500;
    scene.bodies = {box, gear};
    return scene;
}

struct Crowd {
    Scene scene = crowdedTank();
    Grid grid{scene.domain, scene.time, scene.surface};
    RigidWorld world = makeWorld(scene);
    double t_s = 0;
    Solids solids{grid, scene.solids};
    Solids barriers{grid, solids, bodies(), Solids::Others::barriers};

    std::vector<std::unique_ptr<Obstacle>> bodies() const
    {
        std::vector<std::unique_ptr<Obstacle>> list;
        for (int i = 0; i < world.moving(); ++i) list.push_back(std::make_unique<BodyObstacle>(world, i));
        return list;
    }
    void move()
    {
        t_s += 0.05;
        for (int i = 0; i < world.moving(); ++i) world.state.bodies[size_t(i)].x_m.y -= 0.04;
        solids.moveTo(t_s);
        barriers.moveTo(t_s);
    }
    double nearest(Vec3 p_m) const
    {
        double d = 1e30;
        for (const SolidSpec& solid : scene.solids)
            d = std::min(d, makeShape(solid.shape, grid.h)->signedDistance(p_m - t_s * solid.velocity_m_s));
        for (const auto& body : bodies()) d = std::min(d, body->signedDistance(p_m));
        return d;
    }
};

}  // namespace

// The mean over eight corners differs from the distance at the centre: by 0.3 cells at an edge.
TEST(Barriers, TheirDistanceIsThatOfTheNearestSolidOrBody)
{
    Crowd crowd;
    for (int n = 0; n < 5; ++n) crowd.move();
    const double h = crowd.grid.h;
    int near = 0;
    forEachCell({{0, 0, 0}, crowd.grid.cells}, [&](int i, int j, int k) {
        const double d = crowd.nearest(h * Vec3{i + 0.5, j + 0.5, k + 0.5});
        if (std::abs(d) > 2 * h) return;
        ++near;
        ASSERT_TRUE(crowd.barriers.touches({i, j, k}));
        EXPECT_NEAR(double(crowd.barriers.distance(i, j, k)), d, 0.6 * h) << i << " " << j << " " << k;
    });
    EXPECT_GT(near, 2000);
}

TEST(Barriers, WhatMovedThereIsWhatStartsThere)
{
    Crowd crowd;
    for (int n = 0; n < 7; ++n) {
        crowd.move();
        Solids solids(crowd.grid, crowd.scene.solids);
        solids.moveTo(crowd.t_s);
        const Solids fresh(crowd.grid, solids, crowd.bodies(), Solids::Others::barriers);
        ASSERT_EQ(crowd.barriers.bricks().list, fresh.bricks().list);
        for (const IndexBox& box : fresh.bricks().strips)
            forEachCell(box, [&](int i, int j, int k) {
                ASSERT_EQ(crowd.barriers.distance(i, j, k), fresh.distance(i, j, k)) << i << " " << j << " " << k;
            });
        forEachCell({{0, 32, 0}, {40, 33, 24}}, [&](int i, int j, int k) {
            ASSERT_EQ(crowd.barriers.openFraction(1, i, j, k), fresh.openFraction(1, i, j, k)) << i << " " << k;
        });
    }
}

TEST(Barriers, TheGateIsInTheOpenSideOnlyWhileItPassesThere)
{
    Crowd crowd;
    EXPECT_EQ(crowd.barriers.openFraction(1, 13, 32, 12), 1);
    while (crowd.t_s < 0.2) crowd.move();  // from y = 0.4 to 1.2 m in a tank of 0.8 m
    EXPECT_EQ(crowd.barriers.openFraction(1, 13, 32, 12), 0);
    while (crowd.t_s < 0.5) crowd.move();
    EXPECT_EQ(crowd.barriers.openFraction(1, 13, 32, 12), 1);
}

TEST(Barriers, ARowsPointsNearABodyAreInItsSpan)
{
    Crowd crowd;
    const double h = crowd.grid.h, reach_m = 2 * h;
    int left_out = 0;
    for (const auto& body : crowd.bodies())
        forEachCell({{0, 0, 0}, {1, 32, 24}}, [&](int, int j, int k) {
            const auto at = [&](int i) { return h * Vec3{i + 0.5, j + 0.5, k + 0.5}; };
            const Obstacle::Span span = body->spanNear(at(0), h, 40, reach_m);
            for (int i = 0; i < 40; ++i) {
                if (i >= span.first && i < span.end) continue;
                ++left_out;
                ASSERT_GT(body->signedDistance(at(i)), reach_m) << i << " " << j << " " << k;
            }
        });
    EXPECT_GT(left_out, 30000);
}

// Cell centres just inside a mesh whose gridded distance is that of a point just outside: their faces were blocked as if
// by a thin wall, and a drop stayed there for ever.
TEST(Barriers, AThickMeshClosesNoCell)
{
    const TemporaryFolder folder;
    writeMeshPly(folder.path / "ball.ply", sphereMesh(0.15));
    Scene scene;
    scene.domain.cells = {32, 32, 32};
    const Grid grid(scene.domain, scene.time, scene.surface);
    for (int n = 0; n < 20; ++n) {
        SolidSpec ball;
        ball.shape = MeshShape{(folder.path / "ball.ply").string(), 1, {0.5 + 0.0017 * n, 0.5 + 0.0011 * n, 0.5}, {}};
        const Solids solids(grid, {ball});
        forEachCell({{1, 1, 1}, grid.cells - Int3{1, 1, 1}}, [&](int i, int j, int k) {
            int blocked = 0;
            for (int axis = 0; axis < 3; ++axis)
                for (const Int3& face : {Int3{i, j, k}, Int3{i, j, k} + unit(axis)}) blocked += solids.isBlocked(axis, face);
            // A segment along the surface may cut off a cap 0.03 cells high.
            EXPECT_LE(blocked, 2) << n << ": " << i << " " << j << " " << k;
        });
    }
}
