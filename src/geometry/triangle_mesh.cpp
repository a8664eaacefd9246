#include "geometry/triangle_mesh.h"

#include <cstdint>
#include <unordered_map>

namespace flotsam {
namespace {

struct EdgeUse {
    uint64_t key = 0;  // the two vertices, the lower first
    bool forward = false;
};

std::vector<EdgeUse> sortedEdges(const TriangleMesh& mesh)
{
    std::vector<EdgeUse> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& t : mesh.triangles)
        for (int corner = 0; corner < 3; ++corner) {
            const auto a = uint32_t(t[size_t(corner)]), b = uint32_t(t[size_t((corner + 1) % 3)]);
            if (a != b) edges.push_back({uint64_t(std::min(a, b)) << 32 | std::max(a, b), a < b});
        }
    std::sort(edges.begin(), edges.end(), [](EdgeUse a, EdgeUse b) { return a.key < b.key; });
    return edges;
}

struct PointHash {
    size_t operator()(Vec3 p) const
    {
        const std::hash<double> hash;
        return (hash(p.x) * 0x9E3779B97F4A7C15u ^ hash(p.y)) * 0x9E3779B97F4A7C15u ^ hash(p.z);
    }
};

}  // namespace

MeshDefects findDefects(const TriangleMesh& mesh)
{
    MeshDefects defects;
    const std::vector<EdgeUse> edges = sortedEdges(mesh);
    for (size_t first = 0, end = 0; first < edges.size(); first = end) {
        int forward = 0;
        for (end = first; end < edges.size() && edges[end].key == edges[first].key; ++end)
            forward += edges[end].forward;
        const int uses = int(end - first);
        if (uses == 1) ++defects.boundary_edges;
        if (uses > 2) ++defects.non_manifold_edges;
        if (uses > 1 && 2 * forward != uses) ++defects.misoriented_edges;
    }
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[size_t(t[0])], b = mesh.vertices[size_t(t[1])], c = mesh.vertices[size_t(t[2])];
        if (cross(b - a, c - a) == Vec3{}) ++defects.degenerate_triangles;
    }
    return defects;
}

double signedVolume(const TriangleMesh& mesh)
{
    if (mesh.vertices.empty()) return 0;
    const Vec3 origin = boundsOf(mesh).center();  // with a distant origin the terms would cancel
    double six_volumes = 0;
    for (const auto& t : mesh.triangles)
        six_volumes += dot(mesh.vertices[size_t(t[0])] - origin,
                           cross(mesh.vertices[size_t(t[1])] - origin, mesh.vertices[size_t(t[2])] - origin));
    return six_volumes / 6;
}

Bounds boundsOf(const TriangleMesh& mesh)
{
    Bounds bounds;
    for (const auto& t : mesh.triangles)
        for (const int v : t) bounds.add(mesh.vertices[size_t(v)]);
    return bounds;
}

TriangleMesh welded(const TriangleMesh& mesh)
{
    TriangleMesh result;
    std::unordered_map<Vec3, int, PointHash> known;
    std::vector<int> new_index;
    new_index.reserve(mesh.vertices.size());
    for (const Vec3 v : mesh.vertices) {
        const Vec3 key = v + Vec3{};  // -0 and 0 are the same coordinate
        const auto [it, is_new] = known.try_emplace(key, int(result.vertices.size()));
        if (is_new) result.vertices.push_back(key);
        new_index.push_back(it->second);
    }
    result.triangles = mesh.triangles;
    for (auto& t : result.triangles)
        for (int& v : t) v = new_index[size_t(v)];
    return result;
}

}  // namespace flotsam
