#include "rigid/point_tree.h"

#include <algorithm>
#include <cstdint>
#include <map>

namespace flotsam {
namespace {

constexpr int leaf_points = 6;

int addNode(std::vector<Vec3>& p, int first, int count, std::vector<PointTree::Node>& nodes)
{
    Bounds b;
    for (int i = first; i < first + count; ++i) b.add(p[size_t(i)]);
    PointTree::Node node{b.center(), 0, first, count, -1};
    for (int i = first; i < first + count; ++i)
        node.radius_m = std::max(node.radius_m, length(p[size_t(i)] - node.center_m));
    const int here = int(nodes.size());
    nodes.push_back(node);
    if (count <= leaf_points) return here;
    const Vec3 s = b.size();
    const int axis = s.x >= s.y && s.x >= s.z ? 0 : s.y >= s.z ? 1 : 2;
    const auto begin = p.begin() + first;
    std::stable_sort(begin, begin + count, [axis](Vec3 l, Vec3 r) { return l[axis] < r[axis]; });
    addNode(p, first, count / 2, nodes);
    const int right = addNode(p, first + count / 2, count - count / 2, nodes);
    nodes[size_t(here)].right = right;
    return here;
}

}  // namespace

PointTree makePointTree(std::vector<Vec3> points_m)
{
    PointTree tree;
    tree.points_m = std::move(points_m);
    if (!tree.points_m.empty()) addNode(tree.points_m, 0, int(tree.points_m.size()), tree.nodes);
    return tree;
}

std::vector<Vec3> surfacePoints(const TriangleMesh& mesh, double spacing_m)
{
    constexpr double flat = 0.985;  // cosine of 10 degrees: a flatter fold touches with its faces
    std::vector<Vec3> points = mesh.vertices;
    std::map<std::pair<int, int>, size_t> first_side;
    const auto normalOf = [&](size_t t) {
        const auto& v = mesh.triangles[t];
        return normalized(cross(mesh.vertices[size_t(v[1])] - mesh.vertices[size_t(v[0])],
                                mesh.vertices[size_t(v[2])] - mesh.vertices[size_t(v[0])]));
    };
    for (size_t t = 0; t < mesh.triangles.size(); ++t)
        for (int corner = 0; corner < 3; ++corner) {
            const int a = mesh.triangles[t][size_t(corner)], b = mesh.triangles[t][size_t((corner + 1) % 3)];
            const auto [it, is_new] = first_side.try_emplace(std::minmax(a, b), t);
            if (is_new) continue;
            const Vec3 p = mesh.vertices[size_t(a)], q = mesh.vertices[size_t(b)];
            const Vec3 n = normalOf(t), m = normalOf(it->second);
            const bool outwards = dot(cross(m, n), p - q) > 0;  // the adjacent triangle has the edge from b to a
            if (dot(n, m) > flat || !outwards) continue;
            const int parts = int(std::ceil(length(q - p) / spacing_m));
            for (int k = 1; k < parts; ++k) points.push_back(p + (double(k) / parts) * (q - p));
        }
    return points;
}

std::vector<Vec3> pointsAlongCapsule(double height_m)
{
    constexpr int spans = 16;
    std::vector<Vec3> points;
    for (int n = 0; n <= spans; ++n) points.push_back({0, height_m * (double(n) / spans - 0.5), 0});
    return points;
}

}  // namespace flotsam
