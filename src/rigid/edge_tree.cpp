#include "rigid/edge_tree.h"

#include <algorithm>

namespace flotsam {
namespace {

int addNode(std::vector<SharpEdge>& edges, int first, int count, std::vector<EdgeNode>& nodes)
{
    Bounds b, middles;
    for (int i = first; i < first + count; ++i) {
        const EdgeExtent e = extentOf(edges[size_t(i)]);
        for (const Vec3 p : {e.from_m, e.to_m, e.top_m}) b.add(p);
        middles.add(edges[size_t(i)].middle_m);
    }
    EdgeNode node{{b.center(), 0, first, count, -1}, {}};
    for (int i = first; i < first + count; ++i) {
        const EdgeExtent e = extentOf(edges[size_t(i)]);
        for (const Vec3 p : {e.from_m, e.to_m, e.top_m})
            node.radius_m = std::max(node.radius_m, length(p - node.center_m));
        const Vec3 half = halfBoxOf(edges[size_t(i)], edges[size_t(i)].along);
        const Vec3 d = edges[size_t(i)].middle_m - node.center_m;
        node.half_m = max(node.half_m, Vec3{std::abs(d.x), std::abs(d.y), std::abs(d.z)} + half);
    }
    const int here = int(nodes.size());
    nodes.push_back(node);
    if (count <= leaf_edges) return here;
    const Vec3 s = middles.size();
    const int axis = s.x >= s.y && s.x >= s.z ? 0 : s.y >= s.z ? 1 : 2;
    const auto begin = edges.begin() + first;
    std::stable_sort(begin, begin + count,
                     [axis](const SharpEdge& l, const SharpEdge& r) { return l.middle_m[axis] < r.middle_m[axis]; });
    addNode(edges, first, count / 2, nodes);
    const int right = addNode(edges, first + count / 2, count - count / 2, nodes);
    nodes[size_t(here)].right = right;
    return here;
}

}  // namespace

EdgeExtent extentOf(const SharpEdge& edge)
{
    return {pointOn(edge, -edge.half_m).point_m, pointOn(edge, edge.half_m).point_m, edge.middle_m};
}

EdgeTree makeEdgeTree(std::vector<SharpEdge> edges)
{
    EdgeTree tree;
    tree.edges = std::move(edges);
    if (!tree.edges.empty()) addNode(tree.edges, 0, int(tree.edges.size()), tree.nodes);
    return tree;
}

}  // namespace flotsam
