#include "liquid/extract.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "geometry/tetrahedra.h"
#include "geometry/triangle_mesh.h"
#include "liquid/measure.h"
#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

constexpr int cuts[] = {6, 24, 48, 192};

TriangleMesh meshOf(const SurfaceMesh& surface)
{
    TriangleMesh mesh;
    for (const auto& p : surface.positions) mesh.vertices.push_back({p[0], p[1], p[2]});
    mesh.triangles = surface.triangles;
    return mesh;
}

// Vertices whose triangles do not form a single fan: the surface touches itself there.
int countSplitVertices(const TriangleMesh& mesh)
{
    std::vector<std::map<int, int>> next(mesh.vertices.size());  // around each vertex
    for (const auto& t : mesh.triangles)
        for (size_t n = 0; n < 3; ++n) next[size_t(t[n])][t[(n + 1) % 3]] = t[(n + 2) % 3];
    int split = 0;
    for (const auto& around : next) {
        if (around.empty()) continue;
        size_t length = 0;
        int v = around.begin()->first;
        do {
            const auto found = around.find(v);
            if (found == around.end()) break;
            v = found->second;
            ++length;
        } while (v != around.begin()->first && length <= around.size());
        split += length != around.size();
    }
    return split;
}

// Vertices minus edges plus triangles: 2 for each closed component without handles.
int eulerCharacteristic(const TriangleMesh& mesh) { return int(mesh.vertices.size()) - int(mesh.triangles.size()) / 2; }

void expectClosed(const SurfaceMesh& surface)
{
    const TriangleMesh mesh = meshOf(surface);
    const MeshDefects defects = findDefects(mesh);
    ASSERT_FALSE(mesh.triangles.empty());
    EXPECT_EQ(defects.boundary_edges, 0);
    EXPECT_EQ(defects.non_manifold_edges, 0);
    EXPECT_EQ(defects.misoriented_edges, 0);
    EXPECT_EQ(defects.degenerate_triangles, 0);
    EXPECT_EQ(countSplitVertices(mesh), 0);
    std::set<int> used;
    for (const auto& t : mesh.triangles) used.insert(t.begin(), t.end());
    EXPECT_EQ(used.size(), mesh.vertices.size());
    for (const auto& n : surface.normals) EXPECT_NEAR(n[0] * n[0] + n[1] * n[1] + n[2] * n[2], 1, 1e-3);
}

// Closed, manifold and oriented outwards for each split; encloses exactly the volume in the ledger for 6 tetrahedra,
// and nearly that for the others.
void expectSoundSurface(Simulation& sim, double tolerance, double tolerance_of_six = 1e-5)
{
    const double volume_m3 = liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state);
    for (int tetrahedra : cuts) {
        SCOPED_TRACE(tetrahedra);
        const SurfaceMesh surface = extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra}, sim.liquid.state);
        expectClosed(surface);
        EXPECT_NEAR(signedVolume(meshOf(surface)) / volume_m3, 1, tetrahedra == 6 ? tolerance_of_six : tolerance);
    }
}

double randomWave(Vec3 p, int seed)
{
    double sum = 0;
    for (int n = 0; n < 6; ++n) {
        const double a = 12.9898 * (seed * 7 + n), f = 5 + 3 * n;
        sum += std::sin(f * (std::sin(a) * p.x + std::sin(a + 2) * p.y + std::sin(a + 4) * p.z) + a);
    }
    return sum / 6;
}

Simulation simulationOf(Int3 cells)
{
    Scene scene = closedTank(cells);
    scene.liquid.regions = {liquidEverywhere()};
    return Simulation(scene);
}

TEST(CubeCut, FillsTheCubeWithRightHandedTetrahedra)
{
    for (int tetrahedra : cuts) {
        const CubeCut& cut = cubeCut(tetrahedra);
        ASSERT_EQ(int(cut.tetrahedra.size()), tetrahedra);
        double six_volumes = 0;
        for (const auto& t : cut.tetrahedra) {
            const auto from = [&](size_t n) {
                const Int3 d = cut.at(t.point[n]) - cut.at(t.point[0]);
                return Vec3{double(d.x), double(d.y), double(d.z)};
            };
            const double part = dot(from(1), cross(from(2), from(3)));
            EXPECT_GT(part, 0);
            six_volumes += part;
        }
        EXPECT_EQ(six_volumes, 6 * cut.steps * cut.steps * cut.steps);
    }
}

TEST(Surface, OfAFreeBallIsClosedAndEnclosesItsVolume)
{
    Scene scene = tank({20, 20, 20});
    scene.liquid.regions = {drop({0.48, 0.53, 0.5}, 0.3)};
    Simulation sim(scene);
    expectSoundSurface(sim, 0.01);
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state), 4.0 / 3 * M_PI * 0.027,
                0.02 * 0.113);
    for (int tetrahedra : cuts)
        EXPECT_EQ(eulerCharacteristic(
                      meshOf(extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra}, sim.liquid.state))),
                  2);
}

// The largest angle [rad] between a normal and the radius.
double worstNormal(int cells, int tetrahedra)
{
    Scene scene = tank({cells, cells, cells});
    const Vec3 center{0.48, 0.53, 0.5};
    scene.liquid.regions = {drop(center, 0.3)};
    Simulation sim(scene);
    const SurfaceMesh surface = extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra}, sim.liquid.state);
    double worst = 0;
    for (size_t v = 0; v < surface.positions.size(); ++v) {
        const auto &p = surface.positions[v], &n = surface.normals[v];
        const Vec3 out = normalized(Vec3{p[0], p[1], p[2]} - center);
        worst = std::max(worst, length(cross(out, {n[0], n[1], n[2]})));
    }
    return worst;
}

TEST(Surface, NormalsOfABallConvergeToItsRadii)
{
    for (int tetrahedra : cuts) {
        const double coarse = worstNormal(16, tetrahedra), fine = worstNormal(32, tetrahedra);
        EXPECT_LT(coarse, 0.015);       // 0.010
        EXPECT_LT(fine, 0.3 * coarse);  // 0.26: second order
    }
}

TEST(Surface, OfAPoolIsClosedAlongTheWalls)
{
    Scene scene = tank({20, 12, 9});
    scene.liquid.regions = {{PoolShape{0.31, 0.05, 1, 1}, {}}};
    Simulation sim(scene);
    expectSoundSurface(sim, 1e-3);
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state), 0.31 * 0.45, 1e-3 * 0.14);
}

TEST(Surface, OfAPoolAroundAndOverABallIsClosed)
{
    for (double depth_m : {0.3, 0.55}) {
        Scene scene = tank({20, 20, 20});
        scene.liquid.regions = {pool(depth_m)};
        scene.solids = {solidOf(SphereShape{{0.5, 0.3, 0.5}, 0.17})};
        Simulation sim(scene);
        expectSoundSurface(sim, 0.01);
    }
}

TEST(Surface, OfABallThatTouchesWallsIsClosed)
{
    for (const Vec3 center_m : {Vec3{0.3, 0.3, 0.3}, Vec3{0.1, 0.5, 0.9}, Vec3{1, 0, 0.5}, Vec3{0.71, 0.71, 0.28}}) {
        Scene scene = tank({20, 20, 20});
        scene.liquid.regions = {drop(center_m, 0.3)};
        Simulation sim(scene);
        expectSoundSurface(sim, 0.02);
    }
}

TEST(Surface, OfAFullClosedBoxIsTheBox)
{
    Simulation sim = simulationOf({12, 12, 12});
    expectSoundSurface(sim, 1e-5);
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state), 1, 1e-6);
}

TEST(Surface, OfASplashWithSolidsIsClosed)
{
    Scene scene = tank({40, 24, 16});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.4, 1})};
    scene.solids = {solidOf(BoxShape{{0.6, -0.1, 0.1}, {0.7, 0.12, 0.3}, {0, 20, 0}})};
    Simulation sim(scene);
    for (double t_s : {0.2, 0.4, 0.6}) {
        advanceTo(t_s, sim);
        expectSoundSurface(sim, 0.02);
    }
}

TEST(Surface, OfATwoDimensionalRunIsAClosedSlab)
{
    Scene scene = tank({40, 24, 1});
    scene.liquid.regions = {liquidBox({-1, -1, -1}, {0.3, 0.4, 1})};
    Simulation sim(scene);
    advanceTo(0.2, sim);
    expectSoundSurface(sim, 0.01);
    EXPECT_NEAR(liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state), 0.3 * 0.4 * 0.025, 0.05 * 0.003);
}

TEST(Surface, OfRandomWavesIsClosed)
{
    Simulation sim = simulationOf({19, 17, 9});
    for (int seed = 0; seed < 5; ++seed) {
        setPhi(sim, [&](Vec3 p) { return 0.2 * randomWave(p, seed); });
        expectSoundSurface(sim, 0.05);
    }
}

// A stress test of the tables: every cube has a different mixture of signs, a third of the nodes are exactly zero.
TEST(Surface, OfNoiseWithExactZerosIsClosed)
{
    Simulation sim = simulationOf({18, 9, 10});
    const double h = sim.liquid.grid.h;
    for (int seed = 1; seed < 4; ++seed) {
        setPhi(sim, [&](Vec3 p) {
            const double n = std::sin(seed * 12.9898 * p.x / h + 78.233 * p.y / h + 37.719 * p.z / h) * 43758.5453;
            return h * (std::floor(3 * (n - std::floor(n))) - 1);
        });
        expectSoundSurface(sim, 1, 2e-3);  // vertices stay off nodes: 7e-4
    }
}

TEST(Surface, OnCellCentresIsFlatAndClosed)
{
    Simulation sim = simulationOf({12, 12, 12});
    setPhi(sim, [&](Vec3 p) { return p.y - 5.5 * sim.liquid.grid.h; });
    expectSoundSurface(sim, 1e-3, 1e-3);  // a thousandth of a cell, of a depth of 5.5
    for (int tetrahedra : cuts) {
        float top = 0;
        for (const auto& p :
             extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra}, sim.liquid.state).positions)
            top = std::max(top, p[1]);
        EXPECT_NEAR(top / sim.liquid.grid.h, 5.5, 1.1e-3);
    }
}

TEST(Surface, IsTheSameForOneTwoAndFiveThreads)
{
    Simulation sim = simulationOf({40, 20, 20});
    setPhi(sim, [&](Vec3 p) { return 0.2 * randomWave(p, 3); });
    for (int tetrahedra : cuts) {
        std::vector<SurfaceMesh> found;
        for (int threads : {1, 2, 5}) {
            backend::setThreads(threads);
            found.push_back(extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra}, sim.liquid.state));
        }
        backend::setThreads(0);
        for (size_t n : {1, 2}) {
            EXPECT_EQ(found[n].positions, found[0].positions);
            EXPECT_EQ(found[n].normals, found[0].normals);
            EXPECT_EQ(found[n].velocities, found[0].velocities);
            EXPECT_EQ(found[n].triangles, found[0].triangles);
        }
    }
}

TEST(SurfaceCorrection, OfNoParticlesChangesNothing)
{
    Simulation sim = simulationOf({20, 20, 20});
    setPhi(sim, [&](Vec3 p) { return 0.2 * randomWave(p, 3); });
    const SurfaceCorrection none(sim.liquid.grid, {});
    const SurfaceMesh plain = extractSurface(sim.liquid.grid, sim.liquid.solids, {24}, sim.liquid.state),
                      corrected = extractSurface(sim.liquid.grid, sim.liquid.solids, {24, 0, &none}, sim.liquid.state);
    EXPECT_EQ(plain.positions, corrected.positions);
    EXPECT_EQ(plain.triangles, corrected.triangles);
}

TEST(SurfaceCorrection, KeepsTheValueOfSmallerMagnitude)
{
    const Simulation sim = simulationOf({10, 10, 10});
    const float h = float(sim.liquid.grid.h);
    const SurfaceCorrection air(sim.liquid.grid, {{5.2f, 5, 5, 0.4f}}), liquid(sim.liquid.grid, {{5.2f, 5, 5, -0.4f}});
    const Float3 at_cubes{4.5f, 4.5f, 4.5f}, at_cells{5, 5, 5};
    EXPECT_NEAR(air.corrected(at_cubes, at_cells, -0.5f * h), 0.2f * h, 1e-6f);
    EXPECT_EQ(air.corrected(at_cubes, at_cells, -0.1f * h), -0.1f * h);
    EXPECT_EQ(air.corrected(at_cubes, at_cells, 0.3f * h), 0.3f * h);
    EXPECT_NEAR(liquid.corrected(at_cubes, at_cells, 0.5f * h), -0.2f * h, 1e-6f);
    // The next cube is in another bin, but a point on the face between the two belongs to both.
    EXPECT_EQ(air.corrected({3.5f, 4.5f, 4.5f}, {4, 5, 5}, -0.9f * h), -0.9f * h);
    EXPECT_GT(air.corrected({4, 4.5f, 4.5f}, {4.5f, 5, 5}, -0.9f * h), -0.5f * h);
}

TEST(SurfaceCorrection, KeepsTheSurfaceClosedAndShowsALostDrop)
{
    Scene scene = tank({40, 20, 20});
    scene.liquid.regions = {pool(0.1)};
    Simulation sim(scene);
    std::vector<Particle> particles;
    for (int n = 0; n < 3000; ++n) {
        const auto part = [&](double a) { return float(a * n - std::floor(a * n)); };
        particles.push_back({40 * part(0.754878), 20 * part(0.569840), 20 * part(0.437014),
                             (n % 3 ? 0.45f : -0.45f) * (0.3f + part(0.61803))});
    }
    const SurfaceCorrection many(sim.liquid.grid, particles);
    const SurfaceCorrection one(sim.liquid.grid, {{31.3f, 14.2f, 8.1f, -0.5f}});  // far from the pool, between bricks
    for (int tetrahedra : {24, 48, 192}) {
        SCOPED_TRACE(tetrahedra);
        expectClosed(extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra, 0, &many}, sim.liquid.state));
        const SurfaceMesh with_drop =
            extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra, 0, &one}, sim.liquid.state);
        expectClosed(with_drop);
        EXPECT_EQ(eulerCharacteristic(meshOf(with_drop)), 4);
    }
    const SurfaceMesh plain = extractSurface(sim.liquid.grid, sim.liquid.solids, {6}, sim.liquid.state),
                      corrected = extractSurface(sim.liquid.grid, sim.liquid.solids, {6, 0, &many}, sim.liquid.state);
    EXPECT_EQ(plain.positions, corrected.positions);
}

}  // namespace
}  // namespace flotsam
