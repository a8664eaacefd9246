#include "geometry/gear.h"

#include <numbers>

#include "core/random.h"

namespace flotsam {
namespace {

// Corners of the outline of a tooth, as fractions of its pitch and of the radius.
struct ToothPoint {
    double along, radius;
};
constexpr ToothPoint tooth[] = {{0.02, 0.8}, {0.14, 1.0}, {0.32, 1.0}, {0.44, 0.8}};

}  // namespace

TriangleMesh gearMesh(const GearShape& gear)
{
    constexpr double root = 0.8;
    const double hole_m = gear.hole_radius_m > 0 ? gear.hole_radius_m : 0.5 * root * gear.radius_m;
    const int n = 4 * gear.teeth;
    TriangleMesh mesh;
    // Four rings of n points: outer below, outer above, inner above, inner below; each connected to the next.
    for (int ring = 0; ring < 4; ++ring)
        for (int i = 0; i < n; ++i) {
            const ToothPoint p = tooth[i % 4];
            const double angle = 2 * std::numbers::pi * (i / 4 + p.along) / gear.teeth;
            const double r = ring < 2 ? gear.radius_m * p.radius : hole_m;
            const double y = (ring == 1 || ring == 2 ? 0.5 : -0.5) * gear.thickness_m;
            mesh.vertices.push_back({r * std::cos(angle), y, -r * std::sin(angle)});
        }
    for (int ring = 0; ring < 4; ++ring)
        for (int i = 0; i < n; ++i) {
            const int j = (i + 1) % n, next = (ring + 1) % 4 * n, here = ring * n;
            mesh.triangles.push_back({here + i, here + j, next + j});
            mesh.triangles.push_back({here + i, next + j, next + i});
        }
    return mesh;
}

TriangleMesh gemMesh(double size_m)
{
    // Height and radius of ten rings, from the tip below to the table above, as fractions of the size.
    constexpr struct {
        double y, radius;
    } rings[] = {{-0.44, 0.06}, {-0.34, 0.16}, {-0.24, 0.26}, {-0.13, 0.37}, {-0.02, 0.47},
                 {0.03, 0.5},   {0.08, 0.47},  {0.15, 0.4},   {0.21, 0.33},  {0.25, 0.28}};
    constexpr int sides = 17, ring_count = 10;
    TriangleMesh mesh;
    for (int ring = 0; ring < ring_count; ++ring)
        for (int s = 0; s < sides; ++s) {
            const double angle = 2 * std::numbers::pi * (s + 0.5 * (ring % 2)) / sides;
            const double r = size_m * rings[ring].radius * (1 - 0.06 * randomUnit(uint64_t(ring), uint64_t(s)));
            mesh.vertices.push_back({1.1 * r * std::cos(angle),
                                     size_m * (rings[ring].y + 0.06 * std::cos(angle + 1) * rings[ring].radius),
                                     -0.9 * r * std::sin(angle)});
        }
    const int bottom = int(mesh.vertices.size()), top = bottom + 1, last = (ring_count - 1) * sides;
    mesh.vertices.push_back({0, -0.5 * size_m, 0});
    mesh.vertices.push_back({0, 0.26 * size_m, 0});
    for (int s = 0; s < sides; ++s) {
        const int t = (s + 1) % sides;
        mesh.triangles.push_back({bottom, t, s});
        mesh.triangles.push_back({last + s, last + t, top});
        for (int ring = 0; ring + 1 < ring_count; ++ring) {
            const int a = ring * sides + s, b = ring * sides + t, above = (ring + 1) * sides;
            if (ring % 2 == 0) {
                mesh.triangles.push_back({a, b, above + s});
                mesh.triangles.push_back({b, above + t, above + s});
            } else {
                mesh.triangles.push_back({a, b, above + t});
                mesh.triangles.push_back({a, above + t, above + s});
            }
        }
    }
    return mesh;
}

}  // namespace flotsam
