#include "geometry/mesh_crossings.h"

#include <algorithm>

namespace flotsam {
namespace {

using Corners = std::array<Vec3, 3>;

// Whether the segment pq passes through the interior of a triangle; touching does not count.
bool pierces(Vec3 p, Vec3 q, const Corners& t)
{
    const Vec3 n = cross(t[1] - t[0], t[2] - t[0]);
    const double dp = dot(p - t[0], n), dq = dot(q - t[0], n), small = 1e-12 * dot(n, n);
    if (dp * dq >= 0 || std::min(std::abs(dp), std::abs(dq)) * std::sqrt(dot(n, n)) < small) return false;
    const Vec3 x = p + (dp / (dp - dq)) * (q - p);
    const double a = dot(cross(t[1] - t[0], x - t[0]), n), b = dot(cross(t[2] - t[1], x - t[1]), n),
                 c = dot(cross(t[0] - t[2], x - t[2]), n);
    const double inside = 1e-9 * dot(n, n);
    return a > inside && b > inside && c > inside;
}

bool cross3(const Corners& s, const Corners& t)
{
    for (int i = 0; i < 3; ++i)
        if (pierces(s[size_t(i)], s[size_t((i + 1) % 3)], t) || pierces(t[size_t(i)], t[size_t((i + 1) % 3)], s))
            return true;
    return false;
}

}  // namespace

Crossings findCrossings(const TriangleMesh& mesh)
{
    const size_t n = mesh.triangles.size();
    const auto cornersOf = [&](size_t i) {
        const auto& t = mesh.triangles[i];
        return Corners{mesh.vertices[size_t(t[0])], mesh.vertices[size_t(t[1])], mesh.vertices[size_t(t[2])]};
    };
    std::vector<Bounds> boxes(n);
    std::vector<size_t> order(n);
    for (size_t i = 0; i < n; ++i) {
        for (const Vec3 v : cornersOf(i)) boxes[i].add(v);
        order[i] = i;
    }
    // Sweep along x: a triangle can only intersect those that begin before it ends.
    std::sort(order.begin(), order.end(), [&](size_t l, size_t r) { return boxes[l].lo.x < boxes[r].lo.x; });
    Crossings found;
    for (size_t a = 0; a < n; ++a)
        for (size_t b = a + 1; b < n && boxes[order[b]].lo.x <= boxes[order[a]].hi.x; ++b) {
            const size_t i = order[a], j = order[b];
            const Bounds &p = boxes[i], &q = boxes[j];
            if (p.lo.y > q.hi.y || q.lo.y > p.hi.y || p.lo.z > q.hi.z || q.lo.z > p.hi.z) continue;
            const auto &s = mesh.triangles[i], &t = mesh.triangles[j];
            const bool neighbours =
                std::any_of(s.begin(), s.end(), [&](int v) { return std::find(t.begin(), t.end(), v) != t.end(); });
            if (neighbours || !cross3(cornersOf(i), cornersOf(j))) continue;
            if (found.pairs++ == 0) found.first_m = p.center();
        }
    return found;
}

}  // namespace flotsam
