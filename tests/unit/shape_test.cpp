#include "geometry/shape.h"

#include <gtest/gtest.h>

#include <functional>
#include <numbers>
#include <random>

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/bunny_toy.h"
#include "geometry/mesh_distance.h"
#include "geometry/triangulate.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

const std::string bunny_file = FLOTSAM_SOURCE_DIR "/../shared/data/bunny/bunny_1839v.obj";

std::string asObj(const TriangleMesh& mesh)
{
    std::ostringstream text;
    text.precision(17);
    for (const Vec3 v : mesh.vertices) text << "v " << v.x << ' ' << v.y << ' ' << v.z << '\n';
    for (const auto& t : mesh.triangles) text << "f " << t[0] + 1 << ' ' << t[1] + 1 << ' ' << t[2] + 1 << '\n';
    return text.str();
}

std::shared_ptr<const Shape> meshShape(const TriangleMesh& mesh, double voxel_m, MeshShape spec = {})
{
    const TemporaryFolder folder;
    spec.file = folder.add("mesh.obj", asObj(mesh));
    return makeShape(spec, voxel_m);
}

void append(const TriangleMesh& part, TriangleMesh& mesh)
{
    const int first = int(mesh.vertices.size());
    mesh.vertices.insert(mesh.vertices.end(), part.vertices.begin(), part.vertices.end());
    for (const auto& t : part.triangles) mesh.triangles.push_back({first + t[0], first + t[1], first + t[2]});
}

TriangleMesh insideOut(TriangleMesh mesh)
{
    for (auto& t : mesh.triangles) std::swap(t[0], t[1]);
    return mesh;
}

// Points in the box, the same in every run.
std::vector<Vec3> randomPoints(Bounds box, int count)
{
    std::mt19937 random(7);
    const auto unit_interval = [&] { return double(random()) / 4294967296.0; };
    std::vector<Vec3> points;
    for (int n = 0; n < count; ++n) {
        const Vec3 f{unit_interval(), unit_interval(), unit_interval()}, size = box.size();
        points.push_back(box.lo + Vec3{f.x * size.x, f.y * size.y, f.z * size.z});
    }
    return points;
}

double largestDifference(const Shape& shape, const std::vector<Vec3>& points, const std::function<double(Vec3)>& exact)
{
    double largest = 0;
    for (const Vec3 p : points) largest = std::max(largest, std::abs(shape.signedDistance(p) - exact(p)));
    return largest;
}

// The triangulation lies on the surface and inside the bounds, touches them, is closed and oriented outwards.
void expectGoodTriangles(const Shape& shape, size_t count, double slack_m)
{
    const TriangleMesh mesh = shape.triangulated();
    EXPECT_EQ(mesh.triangles.size(), count);
    EXPECT_TRUE(findDefects(mesh).closed());
    EXPECT_GT(signedVolume(mesh), 0);
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(boundsOf(mesh).lo[axis], shape.bounds().lo[axis], slack_m);
        EXPECT_NEAR(boundsOf(mesh).hi[axis], shape.bounds().hi[axis], slack_m);
    }
}

void expectVerticesOnSurface(const Shape& shape)
{
    for (const Vec3 v : shape.triangulated().vertices) EXPECT_NEAR(shape.signedDistance(v), 0, 1e-12);
}

const Bounds around_origin{{-2, -2, -2}, {2, 2, 2}};

TEST(Shape, ASphereIsExact)
{
    const auto shape = makeShape(SphereShape{{1, 2, 3}, 0.5}, 0.1);
    EXPECT_DOUBLE_EQ(shape->signedDistance({1, 2, 3}), -0.5);
    EXPECT_DOUBLE_EQ(shape->signedDistance({1, 2, 5}), 1.5);
    expectGoodTriangles(*shape, 1984, 1e-12);
    expectVerticesOnSurface(*shape);
}

TEST(Shape, ABoxIsExactInsideAtFacesEdgesAndCorners)
{
    const auto shape = makeShape(BoxShape{{0, 0, 0}, {1, 2, 3}, {}}, 0.1);
    EXPECT_DOUBLE_EQ(shape->signedDistance({0.5, 1, 1.5}), -0.5);
    EXPECT_DOUBLE_EQ(shape->signedDistance({0.5, 1.75, 1.5}), -0.25);
    EXPECT_DOUBLE_EQ(shape->signedDistance({0.5, 2.5, 1.5}), 0.5);
    EXPECT_DOUBLE_EQ(shape->signedDistance({4, 6, 1.5}), 5);
    EXPECT_DOUBLE_EQ(shape->signedDistance({-1, -2, -2}), 3);
    expectGoodTriangles(*shape, 12, 1e-12);
    expectVerticesOnSurface(*shape);
}

TEST(Shape, ABoxTurnsAboutItsCentre)
{
    const auto shape = makeShape(BoxShape{{1, 1, 1}, {3, 2, 2}, {0, 0, 90}}, 0.1);  // now 1 wide and 2 high
    EXPECT_NEAR(shape->signedDistance({2, 2.4, 1.5}), -0.1, 1e-14);
    EXPECT_NEAR(shape->signedDistance({2.75, 1.5, 1.5}), 0.25, 1e-14);
    EXPECT_NEAR(shape->bounds().hi.y, 2.5, 1e-14);
    const auto skew = makeShape(BoxShape{{1, 1, 1}, {3, 2, 2}, {20, 30, 40}}, 0.1);
    expectGoodTriangles(*skew, 12, 1e-12);
    expectVerticesOnSurface(*skew);
}

TEST(Shape, ACylinderIsExactAtItsSideCapsAndRims)
{
    const auto shape = makeShape(CylinderShape{{0, 0, 0}, 1, 4, {}}, 0.1);
    EXPECT_DOUBLE_EQ(shape->signedDistance({0, 0, 0}), -1);
    EXPECT_DOUBLE_EQ(shape->signedDistance({0, 1.5, 0}), -0.5);
    EXPECT_DOUBLE_EQ(shape->signedDistance({0.6, 3, 0.8}), 1);
    EXPECT_DOUBLE_EQ(shape->signedDistance({4, 6, 0}), 5);
    const auto skew = makeShape(CylinderShape{{1, 2, 3}, 1, 4, {20, 30, 40}}, 0.1);
    expectGoodTriangles(*skew, 256, 0.002);  // a polygon of 64 sides stays 1 - cos(pi / 64) inside its circle
    expectVerticesOnSurface(*skew);
    const auto lying = makeShape(CylinderShape{{0, 0, 0}, 1, 4, {0, 0, 90}}, 0.1);
    EXPECT_NEAR(lying->signedDistance({2.5, 0, 0}), 0.5, 1e-14);
}

TEST(Shape, AFlatPoolIsADepth)
{
    const auto shape = makeShape(PoolShape{0.3, 0, 1, 2}, 0.1);
    EXPECT_DOUBLE_EQ(shape->signedDistance({5, 0.1, -7}), -0.2);
    EXPECT_TRUE(shape->triangulated().triangles.empty());
    EXPECT_EQ(shape->bounds().hi.y, 0.3);
    EXPECT_TRUE(std::isinf(shape->bounds().lo.y));
}

// The wave is as steep as standing waves of liquid can be, and the search along the curve is dense.
TEST(Shape, AWavyPoolIsTheDistanceToItsCurve)
{
    const double depth = 0.5, amplitude = 0.2, width = 1.5;
    const int mode = 3;
    const auto height = [&](double x) { return depth + amplitude * std::cos(mode * std::numbers::pi * x / width); };
    const auto exact = [&](Vec3 p) {
        double nearest = 1e9;
        for (int n = 0; n <= 20000; ++n) {
            const double x = p.x - 1 + n * 1e-4;
            nearest = std::min(nearest, std::hypot(x - p.x, height(x) - p.y));
        }
        return p.y < height(p.x) ? -nearest : nearest;
    };
    const auto shape = makeShape(PoolShape{depth, amplitude, mode, width}, 0.1);
    const auto points = randomPoints({{0, -0.5, 0}, {1.5, 1.5, 1}}, 500);
    EXPECT_LT(largestDifference(*shape, points, exact), 1e-6);  // error of the search; measured 5e-7
}

TEST(MeshShape, ASphereOfTrianglesIsASphere)
{
    const auto shape = meshShape(sphereMesh(1), 0.05);
    const auto sphere = [](Vec3 p) { return length(p) - 1; };
    const auto points = randomPoints(around_origin, 2000);
    std::vector<Vec3> near;
    for (const Vec3 p : points)
        if (std::abs(sphere(p)) < 0.3) near.push_back(p);
    EXPECT_LT(largestDifference(*shape, near, sphere), 0.008);  // the facets lie 0.005 inside; measured 0.006
    for (const Vec3 p : points) {
        const double d = shape->signedDistance(p);
        EXPECT_TRUE((d < 0) == (sphere(p) < 0) || std::abs(sphere(p)) < 0.01) << d;
    }
}

TEST(MeshShape, ABoxOfTrianglesIsExactNextToItsFaces)
{
    const auto mesh = meshShape(boxMesh({0.5, 0.4, 0.3}), 0.02);
    const auto box = makeShape(BoxShape{{-0.5, -0.4, -0.3}, {0.5, 0.4, 0.3}, {}}, 0.02);
    for (const Vec3 p : randomPoints({{-0.4, -0.3, 0.25}, {0.4, 0.3, 0.4}}, 500))
        EXPECT_NEAR(mesh->signedDistance(p), box->signedDistance(p), 1e-6);
}

TEST(MeshShape, OutsideOfItsGridTheDistanceGrowsOn)
{
    const auto shape = meshShape(boxMesh({0.5, 0.5, 0.5}), 0.02);
    EXPECT_NEAR(shape->signedDistance({10, 0, 0}), 9.5, 1e-5);
    EXPECT_NEAR(shape->signedDistance({0, -100, 0}), 99.5, 1e-4);
    EXPECT_GT(shape->signedDistance({1e6, 1e6, 1e6}), 1e6);
}

TEST(MeshShape, ScaleRotationAndPositionApplyInThatOrder)
{
    MeshShape spec;
    spec.scale = 2;
    spec.rotation_deg = {0, 0, 90};
    spec.position_m = {10, 0, 0};
    const auto shape = meshShape(placed(boxMesh({0.5, 0.1, 0.1}), {}, {0.5, 0, 0}), 0.02, spec);  // 0 <= x <= 1
    EXPECT_NEAR(shape->bounds().lo.y, 0, 1e-12);
    EXPECT_NEAR(shape->bounds().hi.y, 2, 1e-12);
    EXPECT_NEAR(shape->bounds().lo.x, 9.8, 1e-12);
    EXPECT_LT(shape->signedDistance({10, 1.9, 0}), 0);
    EXPECT_GT(shape->signedDistance({10, -0.1, 0}), 0);
}

TEST(MeshShape, AnInsideOutMeshIsTurned)
{
    const auto shape = meshShape(insideOut(boxMesh({0.5, 0.5, 0.5})), 0.05);
    EXPECT_LT(shape->signedDistance({0, 0, 0}), 0);
    EXPECT_GT(signedVolume(shape->triangulated()), 0);
    MeshShape mirrored;
    mirrored.scale = -1;
    EXPECT_GT(signedVolume(meshShape(boxMesh({0.5, 0.5, 0.5}), 0.05, mirrored)->triangulated()), 0);
}

TEST(MeshShape, ACavityIsOutsideAndOverlappingPartsAreInside)
{
    TriangleMesh hollow = boxMesh({1, 1, 1});
    append(insideOut(boxMesh({0.7, 0.7, 0.7})), hollow);
    const auto shell = meshShape(hollow, 0.05);
    EXPECT_NEAR(shell->signedDistance({0.6, 0, 0}), 0.1, 1e-6);
    EXPECT_NEAR(shell->signedDistance({0.8, 0, 0}), -0.1, 1e-6);
    EXPECT_GT(shell->signedDistance({0, 0, 0}), 0.6);

    TriangleMesh cross = boxMesh({1, 0.3, 0.3});
    append(boxMesh({0.3, 1, 0.3}), cross);
    const auto both = meshShape(cross, 0.05);
    EXPECT_LT(both->signedDistance({0, 0, 0}), 0);
    EXPECT_LT(both->signedDistance({0.9, 0, 0}), 0);
    EXPECT_GT(both->signedDistance({0.9, 0.9, 0}), 0);
}

// Rows of the grid pass through thousands of vertices and edges of these meshes: no ray may slip through.
TEST(MeshShape, SignsAreRightWhereRaysMeetEdgesAndVertices)
{
    for (const double voxel_m : {0.125, 0.0625, 0.03125}) {
        const DistanceGrid grid = distanceGridOf(boxMesh({1, 1, 1}), voxel_m);
        const DistanceGrid ball = distanceGridOf(sphereMesh(1), voxel_m);
        for (const auto* g : {&grid, &ball})
            forEachCell({{0, 0, 0}, g->points}, [&](int i, int j, int k) {
                const Vec3 p = g->origin_m + g->voxel_m * Vec3{double(i), double(j), double(k)};
                const double size = g == &grid ? std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) : length(p);
                if (std::abs(size - 1) > 0.006) {
                    const size_t at = size_t(i) + size_t(g->points.x) * size_t(j + g->points.y * k);
                    EXPECT_EQ(g->phi_m[at] < 0, size < 1) << i << ' ' << j << ' ' << k;
                }
            });
    }
}

// Stepping by the returned distance must not enter the mesh.
TEST(MeshShape, PastTheGridNoDistanceIsTooLargeAndNoneFarTooSmall)
{
    const DistanceGrid grid = distanceGridOf(sphereMesh(1), 0.0625);
    std::mt19937 random(1);
    std::uniform_real_distribution<double> anywhere(-3, 3);
    for (int n = 0; n < 10000; ++n) {
        const Vec3 p{anywhere(random), anywhere(random), anywhere(random)};
        if (std::max({std::abs(p.x), std::abs(p.y), std::abs(p.z)}) < 1.4) continue;
        const double there = length(p) - 1, sampled = sampleDistance(grid, p);
        EXPECT_LT(sampled, there + 0.006);  // the facets lie 0.005 inside
        EXPECT_GT(sampled, 0.75 * there);   // measured 0.798
    }
}

TEST(MeshShape, HolesAndMixedOrientationsAreErrorsThatNameTheFileAndTheEdges)
{
    const auto messageOf = [](const TriangleMesh& mesh) -> std::string {
        try {
            meshShape(mesh, 0.05);
        } catch (const InputError& e) {
            return e.what();
        }
        return {};
    };
    TriangleMesh open = boxMesh({1, 1, 1});
    open.triangles.pop_back();
    EXPECT_NE(messageOf(open).find("mesh.obj: the mesh is not closed: 3 open edges"), std::string::npos);
    TriangleMesh mixed = boxMesh({1, 1, 1});
    std::swap(mixed.triangles[0][0], mixed.triangles[0][1]);
    EXPECT_NE(messageOf(mixed).find("disagree about the outside at 3 edges"), std::string::npos);
    EXPECT_NE(messageOf(boxMesh({1, 1, 0})).find("no volume"), std::string::npos);
}

TEST(MeshShape, VerticesSplitAtCreasesAreNoHoles)
{
    TriangleMesh split;
    const TriangleMesh box = boxMesh({1, 1, 1});
    for (const auto& t : box.triangles) {
        const int first = int(split.vertices.size());
        for (const int v : t) split.vertices.push_back(box.vertices[size_t(v)]);
        split.triangles.push_back({first, first + 1, first + 2});
    }
    EXPECT_LT(meshShape(split, 0.1)->signedDistance({0, 0, 0}), 0);
}

TEST(MeshShape, NoVoxelIsTooSmallAndNoneTooLarge)
{
    const DistanceGrid fine = distanceGridOf(boxMesh({1, 1, 1}), 1e-9);
    EXPECT_LE(product(fine.points), 16'000'000);
    EXPECT_GT(product(fine.points), 15'000'000);
    EXPECT_LT(sampleDistance(fine, {0.99, 0, 0}), 0);
    const DistanceGrid needle = distanceGridOf(boxMesh({1000, 1, 1}), 1e-9);
    EXPECT_LE(product(needle.points), 16'000'000);
    EXPECT_LT(sampleDistance(needle, {999, 0, 0}), 0);
    const DistanceGrid coarse = distanceGridOf(boxMesh({1, 1, 1}), 100);
    EXPECT_NEAR(sampleDistance(coarse, {0.9, 0, 0}), -0.1, 1e-6);
}

TEST(MeshShape, OneTwoAndFiveThreadsGiveTheSameBits)
{
    std::vector<std::vector<float>> phi;
    for (const int threads : {1, 2, 5}) {
        backend::setThreads(threads);
        phi.push_back(distanceGridOf(sphereMesh(1), 0.03).phi_m);
    }
    backend::setThreads(0);
    EXPECT_EQ(phi[0], phi[1]);
    EXPECT_EQ(phi[0], phi[2]);
}

TEST(MeshShape, TheToyBunnyIsOneClosedPieceThatSitsOnTheFloor)
{
    const TriangleMesh toy = bunnyToyMesh();
    const MeshDefects defects = findDefects(toy);
    EXPECT_TRUE(defects.closed());
    EXPECT_EQ(defects.degenerate_triangles, 0);
    EXPECT_NEAR(double(toy.vertices.size()), 5000, 250);            // measured 5014
    EXPECT_EQ(2 * toy.vertices.size() - toy.triangles.size(), 4u);  // Euler characteristic of a sphere without handles
    EXPECT_NEAR(signedVolume(toy), 0.163, 0.002);                   // measured 0.1632
    const Bounds b = boundsOf(toy);
    EXPECT_EQ(b.lo.y, 0);
    EXPECT_NEAR(b.hi.y, 1, 0.01);
    EXPECT_NEAR(b.lo.z + b.hi.z, 0, 1e-3);
}

TEST(MeshShape, TheToyBunnyNeedsNoFile)
{
    const auto bunny = makeShape(MeshShape{built_in_bunny, 0.5, {1, 0, 0}, {}}, 0.02);
    EXPECT_NEAR(bunny->bounds().hi.y, 0.5, 0.005);
    EXPECT_LT(bunny->signedDistance({1, 0.15, 0}), -0.05);
    EXPECT_LT(bunny->signedDistance({0.935, 0.41, 0.0375}), 0);  // in an ear
}

TEST(MeshShape, TheBunnysGridHoldsItsVolume)
{
    if (!std::filesystem::exists(bunny_file)) GTEST_SKIP() << "needs " << bunny_file;
    const TriangleMesh bunny = loadMesh(bunny_file);
    ASSERT_TRUE(findDefects(bunny).closed());
    const Vec3 size = boundsOf(bunny).size();
    const DistanceGrid grid = distanceGridOf(bunny, size.x / 100);
    double volume = 0;
    for (const float phi : grid.phi_m)
        volume += std::pow(grid.voxel_m, 3) * std::clamp(0.5 - phi / grid.voxel_m, 0.0, 1.0);
    EXPECT_NEAR(volume / std::abs(signedVolume(bunny)), 1, 0.001);  // measured 0.0004
}

}  // namespace
}  // namespace flotsam
