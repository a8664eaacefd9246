#include "geometry/segment_hits.h"

namespace flotsam {

namespace {

// Limit on the total number of bins: a fine mesh in a large box would need too much memory.
constexpr double most_bins = 4e6;

}  // namespace

SegmentHits::SegmentHits(TriangleMesh mesh_, double wish_m) : mesh(std::move(mesh_)), bin_m(wish_m)
{
    const Bounds b = boundsOf(mesh);
    const Vec3 size = b.size();
    bin_m = std::max(bin_m, std::cbrt((size.x + bin_m) * (size.y + bin_m) * (size.z + bin_m) / most_bins));
    origin_m = b.lo;
    for (int a = 0; a < 3; ++a) bins[a] = int(size[a] / bin_m) + 1;
    const auto forBins = [&](int triangle, const auto& f) {
        Bounds t;
        for (int corner : mesh.triangles[size_t(triangle)]) t.add(mesh.vertices[size_t(corner)]);
        const IndexBox box = binsOf(t.lo, t.hi);
        for (int k = box.lo.z; k < box.hi.z; ++k)
            for (int j = box.lo.y; j < box.hi.y; ++j)
                for (int i = box.lo.x; i < box.hi.x; ++i) f(size_t(i + bins.x * (j + bins.y * k)));
    };
    start.assign(size_t(product(bins)) + 1, 0);
    for (int t = 0; t < int(mesh.triangles.size()); ++t) forBins(t, [&](size_t bin) { ++start[bin + 1]; });
    for (size_t n = 1; n < start.size(); ++n) start[n] += start[n - 1];
    list.resize(size_t(start.back()));
    std::vector<int> next = start;
    for (int t = 0; t < int(mesh.triangles.size()); ++t) forBins(t, [&](size_t bin) { list[size_t(next[bin]++)] = t; });
}

IndexBox SegmentHits::binsOf(Vec3 lo_m, Vec3 hi_m) const
{
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
        const double last = bins[a] - 1, lo = std::floor((lo_m[a] - origin_m[a]) / bin_m),
                     hi = std::floor((hi_m[a] - origin_m[a]) / bin_m);
        if (hi < 0 || lo > last) return {};
        box.lo[a] = int(std::max(lo, 0.0));
        box.hi[a] = int(std::min(hi, last)) + 1;
    }
    return box;
}

// The signs of the volumes spanned by the segment and the triangle edges. A segment that meets an edge or a vertex
// exactly counts as a hit: neither of two triangles that share it may let it pass.
bool SegmentHits::hitsTriangle(int triangle, Vec3 p, Vec3 q) const
{
    const auto& t = mesh.triangles[size_t(triangle)];
    const Vec3 a = mesh.vertices[size_t(t[0])], b = mesh.vertices[size_t(t[1])], c = mesh.vertices[size_t(t[2])];
    const Vec3 n = cross(b - a, c - a);
    const double from = dot(n, p - a), to = dot(n, q - a);
    if ((from > 0) == (to > 0) && from != 0 && to != 0) return false;
    const Vec3 segment = q - p;
    const double u = dot(cross(a - p, b - p), segment), v = dot(cross(b - p, c - p), segment),
                 w = dot(cross(c - p, a - p), segment);
    return (u >= 0 && v >= 0 && w >= 0) || (u <= 0 && v <= 0 && w <= 0);
}

template <class F>
bool SegmentHits::anyNear(Vec3 p_m, Vec3 q_m, const F& f) const
{
    const IndexBox box = binsOf(min(p_m, q_m), max(p_m, q_m));
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j)
            for (int i = box.lo.x; i < box.hi.x; ++i) {
                const size_t bin = size_t(i + bins.x * (j + bins.y * k));
                for (int n = start[bin]; n < start[bin + 1]; ++n)
                    if (f(list[size_t(n)])) return true;
            }
    return false;
}

bool SegmentHits::hits(Vec3 p_m, Vec3 q_m) const
{
    return anyNear(p_m, q_m, [&](int triangle) { return hitsTriangle(triangle, p_m, q_m); });
}

bool SegmentHits::passThrough(Vec3 p_m, Vec3 q_m) const
{
    bool enters = false, leaves = false;
    return anyNear(p_m, q_m, [&](int triangle) {
        if (!hitsTriangle(triangle, p_m, q_m)) return false;
        const auto& t = mesh.triangles[size_t(triangle)];
        const Vec3 a = mesh.vertices[size_t(t[0])];
        const double along =
            dot(cross(mesh.vertices[size_t(t[1])] - a, mesh.vertices[size_t(t[2])] - a), q_m - p_m);
        enters |= along <= 0;
        leaves |= along >= 0;
        return enters && leaves;
    });
}

}  // namespace flotsam
