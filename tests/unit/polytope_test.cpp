// Convex meshes with flat faces: how they are recognised, and their contacts.
#include <gtest/gtest.h>

#include "core/random.h"
#include "geometry/gear.h"
#include "geometry/polytope.h"
#include "geometry/triangulate.h"
#include "rigid/contact.h"

namespace flotsam {
namespace {

Vec3 randomVector(uint64_t i, uint64_t key, double size)
{
    return size * Vec3{randomUnit(i, key) - 0.5, randomUnit(i, key + 1) - 0.5, randomUnit(i, key + 2) - 0.5};
}

// A box with each face cut into n x n squares, so that vertices lie within faces and edges.
TriangleMesh subdividedBox(Vec3 half_m, int n)
{
    TriangleMesh mesh;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0})
            for (int i = 0; i < n; ++i)
                for (int j = 0; j < n; ++j) {
                    int corner[4];
                    for (int k = 0; k < 4; ++k) {
                        Vec3 v;
                        v[axis] = side * half_m[axis];
                        v[(axis + 1) % 3] = (2.0 * (i + (k == 1 || k == 2)) / n - 1) * half_m[(axis + 1) % 3];
                        v[(axis + 2) % 3] = (2.0 * (j + (k >= 2)) / n - 1) * half_m[(axis + 2) % 3];
                        corner[k] = int(mesh.vertices.size());
                        mesh.vertices.push_back(v);
                    }
                    if (side < 0) std::swap(corner[1], corner[3]);
                    mesh.triangles.push_back({corner[0], corner[1], corner[2]});
                    mesh.triangles.push_back({corner[0], corner[2], corner[3]});
                }
    return welded(mesh);
}

TEST(Polytope, ABoxHasSixFacesTwelveEdgesAndEightVertices)
{
    const Vec3 half{0.1, 0.2, 0.3};
    for (const TriangleMesh& mesh : {boxMesh(half), subdividedBox(half, 5)}) {
        const Polytope box = polytopeOf(mesh);
        EXPECT_EQ(box.faces.size(), 6u);
        EXPECT_EQ(box.edges.size(), 12u);
        EXPECT_EQ(box.vertices.size(), 8u);
        for (const Polytope::Face& f : box.faces) {
            EXPECT_EQ(f.count, 4);
            EXPECT_NEAR(f.offset_m, dot(half, {std::abs(f.normal.x), std::abs(f.normal.y), std::abs(f.normal.z)}),
                        1e-15);
        }
        for (const Polytope::Edge& e : box.edges) {
            const Vec3 along = box.vertices[size_t(e.to)] - box.vertices[size_t(e.from)];
            const Vec3 left = box.faces[size_t(e.left)].normal, right = box.faces[size_t(e.right)].normal;
            EXPECT_NEAR(dot(cross(left, right), along), length(along), 1e-15);
        }
    }
}

TEST(Polytope, OnlyConvexMeshesWithFewFacesAreRecognised)
{
    EXPECT_TRUE(polytopeOf(gearMesh({0.1, 0.03, 0.03, 16})).empty());
    EXPECT_TRUE(polytopeOf(sphereMesh(0.1)).empty());
    TriangleMesh dented = subdividedBox({0.1, 0.1, 0.1}, 2);
    for (Vec3& v : dented.vertices)
        if (v == Vec3{0, 0.1, 0}) v.y = 0.09;
    EXPECT_TRUE(polytopeOf(dented).empty());
    TriangleMesh tetrahedron{{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}},
                             {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}};
    EXPECT_EQ(polytopeOf(tetrahedron).edges.size(), 6u);
}

TEST(Polytope, CoordinatesWithSixDigitsAreFlatEnough)
{
    TriangleMesh mesh = placed(subdividedBox({0.5, 0.3, 0.2}, 3), rotationFromDegrees({20, 30, 40}), {});
    for (Vec3& v : mesh.vertices)
        for (int a = 0; a < 3; ++a) v[a] = std::round(1e6 * v[a]) / 1e6;
    EXPECT_EQ(polytopeOf(mesh).faces.size(), 6u);
}

struct Found {
    std::vector<ContactPoint> points;
    double least_gap_m = 1e300;
};
Found contactsOf(const ColliderPtr& a, const ColliderPtr& b, Vec3 shift_m, const Mat3& turn)
{
    Found found;
    findContacts({*a, shift_m, turn}, {*b, {}, rotationFromDegrees({5, 6, 7})}, {1e-3, 0.02}, found.points);
    for (const ContactPoint& p : found.points) found.least_gap_m = std::min(found.least_gap_m, p.gap_m);
    return found;
}

// Every point of one list is in the other.
void expectSamePoints(const Found& l, const Found& r, uint64_t seed)
{
    ASSERT_EQ(l.points.size(), r.points.size()) << seed;
    for (const ContactPoint& p : l.points) {
        bool found = false;
        for (const ContactPoint& q : r.points)
            found = found || (length(p.position_m - q.position_m) < 1e-12 && length(p.normal - q.normal) < 1e-12 &&
                              std::abs(p.gap_m - q.gap_m) < 1e-12);
        EXPECT_TRUE(found) << seed;
    }
}

TEST(Contact, MeshBoxesInAnyPoseHaveTheContactsOfBoxShapes)
{
    const Vec3 half_a{0.1, 0.06, 0.04}, half_b{0.07, 0.07, 0.1};
    const ColliderPtr a = boxCollider(half_a), mesh_a = meshCollider(boxMesh(half_a)), b = boxCollider(half_b),
                      mesh_b = meshCollider(subdividedBox(half_b, 3));
    int touching = 0, by_edges = 0;
    for (uint64_t i = 0; i < 4000; ++i) {
        const Vec3 shift = randomVector(i, 0, 0.3);
        const Mat3 turn = rotationFromDegrees(randomVector(i, 3, 720));
        const Found boxes = contactsOf(a, b, shift, turn), meshes = contactsOf(mesh_a, mesh_b, shift, turn);
        expectSamePoints(boxes, meshes, i);
        expectSamePoints(boxes, contactsOf(a, mesh_b, shift, turn), i);
        expectSamePoints(boxes, contactsOf(mesh_a, b, shift, turn), i);
        touching += !boxes.points.empty();
        by_edges += boxes.points.size() == 1;
    }
    EXPECT_GT(touching, 1000);
    EXPECT_GT(by_edges, 100);
}

// The axis of least overlap is the direction in which the smallest shift separates two convex bodies.
TEST(Contact, TheGapOfTwoWedgesIsTheShiftThatBringsThemIntoTouch)
{
    const TriangleMesh wedge{{{0, 0, -.05}, {.1, 0, -.05}, {0, .06, -.05}, {0, 0, .05}, {.1, 0, .05}, {0, .06, .05}},
                             {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}}};
    const ColliderPtr c = meshCollider(placed(wedge, {}, {-0.1 / 3, -0.02, 0}));
    ASSERT_EQ(c->polytope.faces.size(), 5u);
    int overlapping = 0;
    for (uint64_t i = 0; i < 1000; ++i) {
        const Vec3 shift = randomVector(i, 0, 0.1);
        const Mat3 turn = rotationFromDegrees(randomVector(i, 3, 720));
        const Found found = contactsOf(c, c, shift, turn);
        if (found.least_gap_m > -1e-3) continue;
        ++overlapping;
        const auto deepest = *std::min_element(found.points.begin(), found.points.end(),
                                               [](const auto& l, const auto& r) { return l.gap_m < r.gap_m; });
        const Found apart = contactsOf(c, c, shift - (deepest.gap_m + 1e-9) * deepest.normal, turn);
        EXPECT_NEAR(apart.least_gap_m, 0, 1e-8) << i;
        // No shift of nine tenths of it, in any direction, is enough.
        for (uint64_t k = 0; k < 20; ++k) {
            const Vec3 d = normalized(randomVector(i, 10 + 3 * k, 1));
            EXPECT_LT(contactsOf(c, c, shift - 0.9 * deepest.gap_m * d, turn).least_gap_m, 0) << i;
        }
    }
    EXPECT_GT(overlapping, 300);
}

}  // namespace
}  // namespace flotsam
