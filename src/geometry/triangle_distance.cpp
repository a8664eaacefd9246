#include "geometry/triangle_distance.h"

#include <optional>

namespace flotsam {

// Ericson, Real-Time Collision Detection, 5.1.5: by the Voronoi region that p lies in.
Vec3 nearestPointOn(Vec3 a, Vec3 b, Vec3 c, Vec3 p)
{
    const Vec3 ab = b - a, ac = c - a, ap = p - a, bp = p - b, cp = p - c;
    const double d1 = dot(ab, ap), d2 = dot(ac, ap);
    if (d1 <= 0 && d2 <= 0) return a;
    const double d3 = dot(ab, bp), d4 = dot(ac, bp);
    if (d3 >= 0 && d4 <= d3) return b;
    const double vc = d1 * d4 - d3 * d2;
    if (vc <= 0 && d1 >= 0 && d3 <= 0) return a + (d1 / (d1 - d3)) * ab;
    const double d5 = dot(ab, cp), d6 = dot(ac, cp);
    if (d6 >= 0 && d5 <= d6) return c;
    const double vb = d5 * d2 - d1 * d6;
    if (vb <= 0 && d2 >= 0 && d6 <= 0) return a + (d2 / (d2 - d6)) * ac;
    const double va = d3 * d6 - d5 * d4;
    if (va <= 0 && d4 - d3 >= 0 && d5 - d6 >= 0) return b + ((d4 - d3) / (d4 - d3 + d5 - d6)) * (c - b);
    const double sum = va + vb + vc;
    return a + (vb / sum) * ab + (vc / sum) * ac;
}

Vec3 nearestPointOn(const TriangleMesh& mesh, Vec3 p)
{
    Vec3 best;
    double least = 1e300;
    for (const auto& t : mesh.triangles) {
        const Vec3 q =
            nearestPointOn(mesh.vertices[size_t(t[0])], mesh.vertices[size_t(t[1])], mesh.vertices[size_t(t[2])], p);
        const double d = dot(q - p, q - p);
        if (d < least) least = d, best = q;
    }
    return best;
}

namespace {

// Parity of the crossings, or nothing if the ray passes too near an edge to be sure.
std::optional<bool> oddCrossings(const TriangleMesh& mesh, Vec3 p, Vec3 ray)
{
    constexpr double unsure = 1e-9;
    bool odd = false;
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[size_t(t[0])] - p, b = mesh.vertices[size_t(t[1])] - p,
                   c = mesh.vertices[size_t(t[2])] - p;
        const double u = dot(ray, cross(b, c)), v = dot(ray, cross(c, a)), w = dot(ray, cross(a, b)), sum = u + v + w;
        const double small = unsure * (std::abs(u) + std::abs(v) + std::abs(w));
        if (std::max({u, v, w}) < -small || std::min({u, v, w}) > small) {  // the line crosses the triangle
            const double along = dot(a, cross(b - a, c - a)) / sum;
            odd = odd != (along > 0);
        } else if (!(std::min({u, v, w}) < -small && std::max({u, v, w}) > small)) {
            return {};
        }
    }
    return odd;
}

}  // namespace

bool insideByParity(const TriangleMesh& mesh, Vec3 p)
{
    const Vec3 rays[] = {{0.5773, 0.5771, 0.5776},
                         {-0.3127, 0.9113, 0.2681},
                         {0.8011, -0.3719, 0.4691},
                         {-0.6133, -0.2917, 0.734},
                         {0.1931, 0.3719, -0.908}};
    for (const Vec3 ray : rays)
        if (const auto odd = oddCrossings(mesh, p, ray)) return *odd;
    return false;
}

}  // namespace flotsam
