// Sharp edges of one body across those of the other. Points along an edge find such a contact late, and with the normal
// of a face beside the other edge.
#include <bit>

#include "rigid/contact.h"
#include "rigid/edge_crossing.h"
#include "rigid/edge_tree.h"

namespace flotsam {
namespace {

constexpr double deepest_of_inner = 0.1;  // deeper edges are left to the points
constexpr double rim_beside_rad = 0.35;   // points of a rim within this angle of a contact are explained by it

// Of the distance of a body near sharp edges.
double errorOf(const Collider& c) { return c.kind == ColliderKind::grid ? 0.7 * c.grid.voxel_m : 1e-3 * c.inner_m; }

// A body in the frame of another one.
struct Relative {
    Mat3 other_from_own;
    Vec3 shift_m;

    Relative(const PosedCollider& own, const PosedCollider& other)
        : other_from_own(transposed(other.world_from_body) * own.world_from_body),
          shift_m(transposed(other.world_from_body) * (own.x_m - other.x_m))
    {
    }
    Vec3 inOther(Vec3 p) const { return shift_m + other_from_own * p; }
    SharpEdge inOther(const SharpEdge& e) const
    {
        const Mat3& m = other_from_own;
        return {inOther(e.middle_m), m * e.along, e.half_m, m * e.left, m * e.right, e.radius_m};
    }
};

bool areApart(Vec3 d, Vec3 half, double far_m)
{
    return std::abs(d.x) > half.x + far_m || std::abs(d.y) > half.y + far_m || std::abs(d.z) > half.z + far_m;
}

bool areApart(Vec3 d, double far_m) { return dot(d, d) > far_m * far_m; }

// The boxes around the edges of a leaf of a, in the frame of b, by component: all at once in vector registers.
struct LeafBoxes {
    const SharpEdge* edges = nullptr;
    double middle_m[3][leaf_edges], half_m[3][leaf_edges];
    Vec3 center_m, all_half_m;  // of the box around all

    LeafBoxes(const Relative& r, const SharpEdge* first, int count) : edges(first)
    {
        Bounds all;
        for (int i = 0; i < leaf_edges; ++i) {
            const SharpEdge& e = edges[std::min(i, count - 1)];  // the boxes beyond the last overlap nothing
            const Vec3 middle = r.inOther(e.middle_m), half = halfBoxOf(e, r.other_from_own * e.along);
            for (int axis = 0; axis < 3; ++axis)
                middle_m[axis][i] = middle[axis], half_m[axis][i] = i < count ? half[axis] : -1e300;
            all.add(middle - half);
            all.add(middle + half);
        }
        center_m = all.center();
        all_half_m = 0.5 * all.size();
    }

    // Which boxes overlap another one, as bits.
    int overlapping(Vec3 middle, Vec3 half) const
    {
        double apart_m[leaf_edges];
#pragma omp simd
        for (int i = 0; i < leaf_edges; ++i) {
            const double x = std::abs(middle_m[0][i] - middle.x) - half_m[0][i] - half.x;
            const double y = std::abs(middle_m[1][i] - middle.y) - half_m[1][i] - half.y;
            const double z = std::abs(middle_m[2][i] - middle.z) - half_m[2][i] - half.z;
            const double xy = x > y ? x : y;
            apart_m[i] = xy > z ? xy : z;
        }
        int bits = 0;
        for (int i = 0; i < leaf_edges; ++i) bits |= int(apart_m[i] <= 0) << i;
        return bits;
    }
};

// Calls visit(node) for the leaves of a tree whose nodes are not far.
template <class Far, class Visit>
void descend(const EdgeTree& tree, const Far& isFar, const Visit& visit)
{
    int stack[deepest_tree], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int at = stack[--depth];
        const EdgeNode& node = tree.nodes[size_t(at)];
        if (isFar(node)) continue;
        if (node.right >= 0) {
            stack[depth++] = node.right;
            stack[depth++] = at + 1;
            continue;
        }
        visit(node);
    }
}

class EdgeSearch {
public:
    EdgeSearch(const PosedCollider& a, const PosedCollider& b, double r_m)
        : pa(a),
          pb(b),
          reach_m(r_m),
          of_a(a, b),
          of_b(b, a),
          deepest_m(deepest_of_inner * std::min(a.collider.inner_m, b.collider.inner_m)),
          far_m(std::max(reach_m, deepest_m))
    {
    }

    void find()
    {
        std::vector<LeafBoxes> near;
        near.reserve(16);
        Bounds all;
        collectNear(near, all);
        if (near.empty()) return;
        const Vec3 center = all.center(), half = 0.5 * all.size();
        const EdgeNode& root = pa.collider.edges.nodes.front();
        const Vec3 root_center = of_a.inOther(root.center_m);
        std::vector<const LeafBoxes*> here;
        here.reserve(near.size());
        descend(
            pb.collider.edges,
            [&](const EdgeNode& n) {
                return areApart(n.center_m - center, half + n.half_m, far_m) ||
                       areApart(n.center_m - root_center, n.radius_m + root.radius_m + far_m);
            },
            [&](const EdgeNode& n) {
                here.clear();
                for (const LeafBoxes& leaf : near)
                    if (!areApart(n.center_m - leaf.center_m, leaf.all_half_m + n.half_m, far_m)) here.push_back(&leaf);
                for (int i = n.first; i < n.first + n.count; ++i) tryEdge(here, pb.collider.edges.edges[size_t(i)]);
            });
    }

    // Whether the contact of a point along one of the edges is that of the edges, found beside it.
    bool explains(const CrossedEdges& c, const ContactPoint& contact) const
    {
        if (contact.face == ContactPoint::Face::neither || c.face_of_a || c.face_of_b) return false;
        const bool point_of_a = contact.face == ContactPoint::Face::of_b;
        const Vec3 touching = contact.position_m + (point_of_a ? 0.5 : -0.5) * contact.gap_m * contact.normal;
        const Vec3 p = transposed(pb.world_from_body) * (touching - pb.x_m);
        const double size_m = pa.collider.reach_m + pb.collider.reach_m;
        const SharpEdge& own = point_of_a ? c.edge_a : c.edge_b;
        if (!liesOn(own, point_of_a ? c.of_a : c.of_b, p, 1e-7 * size_m)) return false;
        const double wedge_m = distanceToWedge(point_of_a ? c.of_b : c.of_a, p);
        return std::abs(contact.gap_m - wedge_m) <
               errorOf(point_of_a ? pb.collider : pa.collider) + 0.1 * std::abs(wedge_m);
    }

    std::vector<CrossedEdges> found;

private:
    // For a rim: on its circle, not far from the contact.
    static bool liesOn(const SharpEdge& edge, const EdgePoint& contact, Vec3 p, double tolerance_m)
    {
        const Vec3 d = p - contact.point_m;
        const double along_m = dot(d, contact.along);
        if (edge.radius_m == 0) {
            const double from_middle_m = std::abs(dot(p - edge.middle_m, edge.along));
            return length(d - along_m * contact.along) < tolerance_m && from_middle_m < edge.half_m - tolerance_m;
        }
        const double angle = std::asin(std::clamp(along_m / edge.radius_m, -1.0, 1.0));
        if (std::abs(angle) > rim_beside_rad) return false;
        const Vec3 at_middle = edge.middle_m - edge.radius_m * edge.right, from_axis = p - at_middle;
        return std::abs(dot(from_axis, edge.left)) < tolerance_m &&
               std::abs(length(from_axis) - edge.radius_m) < tolerance_m;
    }

    // The leaves of a with edges that may be near those of b.
    void collectNear(std::vector<LeafBoxes>& near, Bounds& all) const
    {
        const EdgeNode& root = pb.collider.edges.nodes.front();
        const double limit_m = reach_m + errorOf(pb.collider);
        descend(
            pa.collider.edges,
            [&](const EdgeNode& n) {
                const Vec3 center = of_a.inOther(n.center_m);
                return areApart(center - root.center_m, n.radius_m + root.radius_m + far_m) ||
                       (n.right < 0 && isFartherThan(limit_m + n.radius_m, pb.collider, center));
            },
            [&](const EdgeNode& n) {
                near.emplace_back(of_a, &pa.collider.edges.edges[size_t(n.first)], n.count);
                all.add(near.back().center_m - near.back().all_half_m);
                all.add(near.back().center_m + near.back().all_half_m);
            });
    }

    void tryEdge(const std::vector<const LeafBoxes*>& leaves, const SharpEdge& f)
    {
        const Vec3 half = halfBoxOf(f, f.along) + Vec3{far_m, far_m, far_m};
        SharpEdge in_a;
        bool is_set = false;
        for (const LeafBoxes* leaf : leaves)
            for (int bits = leaf->overlapping(f.middle_m, half); bits; bits &= bits - 1) {
                if (!is_set) in_a = of_b.inOther(f);
                is_set = true;
                const SharpEdge& e = leaf->edges[std::countr_zero(unsigned(bits))];
                if (mayCross(e, in_a)) tryPair(of_a.inOther(e), f);
            }
    }

    void tryPair(const SharpEdge& e, const SharpEdge& f)
    {
        CrossedEdges c;
        if (crosses(e, f, reach_m, c) && (c.gap_m >= 0 || overlap(c))) found.push_back(c);
    }

    // Edges overlap if each is inside of the other body, behind the faces of the other edge and nothing else.
    bool overlap(const CrossedEdges& c) const
    {
        if (c.gap_m < -deepest_m) return false;
        const Vec3 p = c.of_a.point_m, q = c.of_b.point_m;
        const double in_b = pb.collider.distance(p) - distanceToWedge(c.of_b, p);
        const double in_a = pa.collider.distance(of_b.inOther(q)) - distanceToWedge(c.of_a, q);
        return std::abs(in_b) < errorOf(pb.collider) - 0.1 * c.gap_m &&
               std::abs(in_a) < errorOf(pa.collider) - 0.1 * c.gap_m;
    }

    const PosedCollider &pa, &pb;
    const double reach_m;
    const Relative of_a, of_b;
    const double deepest_m, far_m;
};

}  // namespace

void addEdgeContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points)
{
    if (a.collider.edges.nodes.empty() || b.collider.edges.nodes.empty()) return;
    // The reach has twice the displacement of the step, for corners of a body that tips. Edges need the displacement.
    EdgeSearch search(a, b, std::min(reach.reach_m, 0.5 * (reach.reach_m + reach.near_m)));
    search.find();
    for (const CrossedEdges& c : search.found)
        std::erase_if(points, [&](const ContactPoint& p) { return search.explains(c, p); });
    for (const CrossedEdges& c : search.found) {
        using Face = ContactPoint::Face;
        const Face face = c.face_of_b ? Face::of_b : c.face_of_a ? Face::of_a : Face::neither;
        const Vec3 middle = 0.5 * (c.of_a.point_m + c.of_b.point_m);
        points.push_back({b.x_m + b.world_from_body * middle, -(b.world_from_body * c.normal), c.gap_m, face});
    }
}

}  // namespace flotsam
