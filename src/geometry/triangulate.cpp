#include "geometry/triangulate.h"

#include <numbers>

namespace flotsam {
namespace {

// A surface of revolution about y: a pole below, rings from below upwards, a pole above.
struct Ring {
    double radius_m = 0, y_m = 0;
};

TriangleMesh revolved(double bottom_y_m, const std::vector<Ring>& rings, double top_y_m, int segments)
{
    TriangleMesh mesh;
    for (const Ring& ring : rings)
        for (int s = 0; s < segments; ++s) {
            const double angle = 2 * std::numbers::pi * s / segments;
            mesh.vertices.push_back({ring.radius_m * std::cos(angle), ring.y_m, -ring.radius_m * std::sin(angle)});
        }
    const int last = int(rings.size()) - 1, bottom = int(mesh.vertices.size()), top = bottom + 1;
    mesh.vertices.push_back({0, bottom_y_m, 0});
    mesh.vertices.push_back({0, top_y_m, 0});
    for (int s = 0; s < segments; ++s) {
        const int t = (s + 1) % segments;
        mesh.triangles.push_back({bottom, t, s});
        for (int lower = 0; lower < last * segments; lower += segments) {
            const int a = lower + s, b = lower + t;
            mesh.triangles.push_back({a, b, b + segments});
            mesh.triangles.push_back({a, b + segments, a + segments});
        }
        mesh.triangles.push_back({last * segments + s, last * segments + t, top});
    }
    return mesh;
}

}  // namespace

TriangleMesh sphereMesh(double radius_m)
{
    constexpr int bands = 32, segments = 32;
    std::vector<Ring> rings;
    for (int n = 1; n < bands; ++n) {
        const double latitude = std::numbers::pi * (double(n) / bands - 0.5);
        rings.push_back({radius_m * std::cos(latitude), radius_m * std::sin(latitude)});
    }
    return revolved(-radius_m, rings, radius_m, segments);
}

TriangleMesh capsuleMesh(double radius_m, double height_m)
{
    constexpr int bands = 16, segments = 32;  // an even number: each half has its own equator
    const double half_m = 0.5 * height_m;
    std::vector<Ring> rings;
    for (int n = 1; n < bands; ++n) {
        const double latitude = std::numbers::pi * (double(n) / bands - 0.5);
        const Ring ring{radius_m * std::cos(latitude), radius_m * std::sin(latitude)};
        if (2 * n <= bands) rings.push_back({ring.radius_m, ring.y_m - half_m});
        if (2 * n >= bands) rings.push_back({ring.radius_m, ring.y_m + half_m});
    }
    return revolved(-radius_m - half_m, rings, radius_m + half_m, segments);
}

TriangleMesh cylinderMesh(double radius_m, double height_m)
{
    const double half_m = 0.5 * height_m;
    return revolved(-half_m, {{radius_m, -half_m}, {radius_m, half_m}}, half_m, 64);
}

TriangleMesh boxMesh(Vec3 half_m)
{
    TriangleMesh mesh;
    for (int corner = 0; corner < 8; ++corner)  // bit a of the corner index: the high side of axis a
        mesh.vertices.push_back(
            {corner & 1 ? half_m.x : -half_m.x, corner & 2 ? half_m.y : -half_m.y, corner & 4 ? half_m.z : -half_m.z});
    mesh.triangles = {{0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}, {0, 1, 5}, {0, 5, 4},
                      {2, 6, 7}, {2, 7, 3}, {0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}};
    return mesh;
}

TriangleMesh placed(TriangleMesh mesh, const Mat3& world_from_mesh, Vec3 position_m)
{
    for (Vec3& v : mesh.vertices) v = world_from_mesh * v + position_m;
    return mesh;
}

}  // namespace flotsam
