#include "liquid/extract.h"

#include <gtest/gtest.h>

#include "geometry/triangle_mesh.h"
#include "liquid/measure.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

TriangleMesh meshOf(const SurfaceMesh& surface)
{
    TriangleMesh mesh;
    for (const auto& p : surface.positions) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles = surface.triangles;
    return mesh;
}

// Closed, manifold, oriented outwards, and around exactly the volume that the ledger reports.
void expectSoundSurface(Simulation& sim)
{
    const SurfaceMesh surface = extractSurface(sim.grid, sim.solids, 0, sim.state);
    const TriangleMesh mesh = meshOf(surface);
    const MeshDefects defects = findDefects(mesh);
    ASSERT_FALSE(mesh.triangles.empty());
    EXPECT_EQ(defects.boundary_edges, 0);
    EXPECT_EQ(defects.non_manifold_edges, 0);
    EXPECT_EQ(defects.misoriented_edges, 0);
    const double volume_m3 = liquidVolume(sim.grid, sim.solids, sim.state);
    EXPECT_NEAR(signedVolume(mesh) / volume_m3, 1, 1e-5);
    for (const auto& n : surface.normals) EXPECT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-3);
}

TEST(Surface, OfAFreeBallIsClosedAndEnclosesItsVolume)
{
    Scene scene = tank({20, 20, 20});
    scene.liquid.regions = {drop({0.48, 0.53, 0.5}, 0.3)};
    Simulation sim(scene);
    expectSoundSurface(sim);
    EXPECT_NEAR(liquidVolume(sim.grid, sim.solids, sim.state), 4.0 / 3 * M_PI * 0.027, 0.02 * 0.113);
}

TEST(Surface, NormalsOfABallPointOutwards)
{
    Scene scene = tank({20, 20, 20});
    scene.liquid.regions = {drop({0.48, 0.53, 0.5}, 0.3)};
    Simulation sim(scene);
    const SurfaceMesh surface = extractSurface(sim.grid, sim.solids, 0, sim.state);
    for (size_t v = 0; v < surface.positions.size(); ++v) {
        const auto &p = surface.positions[v], &n = surface.normals[v];
        const Vec3 out = normalized(Vec3{p[0], p[1], p[2]} - Vec3{0.48, 0.53, 0.5});
        EXPECT_GT(dot(out, {n[0], n[1], n[2]}), 0.95);
    }
}

TEST(Surface, OfAPoolIsClosedAlongTheWalls)
{
    Scene scene = tank({20, 12, 9});
    scene.liquid.regions = {{PoolShape{0.31, 0.05, 1, 1}, {}}};
    Simulation sim(scene);
    expectSoundSurface(sim);
    EXPECT_NEAR(liquidVolume(sim.grid, sim.solids, sim.state), 0.31 * 0.45, 1e-3 * 0.14);
}

TEST(Surface, OfAPoolAroundAndOverABallIsClosed)
{
    for (double depth_m : {0.3, 0.55}) {
        Scene scene = tank({20, 20, 20});
        scene.liquid.regions = {pool(depth_m)};
        scene.solids = {solidOf(SphereShape{{0.5, 0.3, 0.5}, 0.17})};
        Simulation sim(scene);
        expectSoundSurface(sim);
    }
}

TEST(Surface, OfAFullClosedBoxIsTheBox)
{
    Scene scene = closedTank({12, 12, 12});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    expectSoundSurface(sim);
    EXPECT_NEAR(liquidVolume(sim.grid, sim.solids, sim.state), 1, 1e-6);
}

TEST(Surface, OfASplashWithSolidsIsClosed)
{
    Scene scene = tank({40, 24, 16});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.4, 1})};
    scene.solids = {solidOf(BoxShape{{0.6, -0.1, 0.1}, {0.7, 0.12, 0.3}, {0, 20, 0}})};
    Simulation sim(scene);
    for (double t_s : {0.2, 0.4, 0.6}) {
        stepTo(t_s, sim);
        expectSoundSurface(sim);
    }
}

TEST(Surface, OfATwoDimensionalRunIsAClosedSlab)
{
    Scene scene = tank({40, 24, 1});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.4, 1})};
    Simulation sim(scene);
    stepTo(0.2, sim);
    expectSoundSurface(sim);
    EXPECT_NEAR(liquidVolume(sim.grid, sim.solids, sim.state), 0.3 * 0.4 * 0.025, 0.05 * 0.003);
}

}  // namespace
}  // namespace flotsam
