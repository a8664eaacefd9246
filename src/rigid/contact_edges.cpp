// Sharp edges of one body across those of the other. Points along an edge find such a contact late, and with the normal
// of a face beside the other edge.
#include "rigid/contact.h"

namespace flotsam {
namespace {

constexpr double parallel = 0.02;         // sine of the angle between edges below which faces and corners touch instead
constexpr double open_cone = 0.1;         // by how much a normal may leave the arc between the normals of the two faces
constexpr double like_face = 0.98;        // cosine of 11 degrees: a face touches, and points along the edges are right
constexpr double deepest_of_inner = 0.1;  // deeper edges are left to the points
constexpr double end_of_edge = 1e-6;      // the vertices are points already
constexpr double rim_beside_rad = 0.35;   // points of a rim within this angle of a contact are explained by it

// Everything in the frame of b.
struct CrossedEdges {
    EdgePoint of_a, of_b;
    SharpEdge edge_a, edge_b;
    Vec3 normal;  // out of a
    double gap_m = 0;
    bool face_of_a = false, face_of_b = false;  // the normal is nearly that of a face
};

SharpEdge placed(const SharpEdge& e, const Mat3& turn, Vec3 shift)
{
    return {shift + turn * e.middle_m, turn * e.along, e.half_m, turn * e.left, turn * e.right, e.radius_m};
}

// The shortest connection of the two curves: exact in one step for straight edges, by Newton's method on tangents
// for arcs. False if it is not inside of both.
bool connect(const SharpEdge& e, const SharpEdge& f, EdgePoint& p, EdgePoint& q)
{
    const bool curved = e.radius_m > 0 || f.radius_m > 0;
    double s = 0, t = 0;
    for (int i = 0; i < (curved ? 12 : 1); ++i) {
        p = pointOn(e, s);
        q = pointOn(f, t);
        const Vec3 d = q.point_m - p.point_m;
        const double uv = dot(p.along, q.along), det = 1 - uv * uv;
        if (det < parallel * parallel) return false;
        const double du = dot(d, p.along), dv = dot(d, q.along), ds = (du - uv * dv) / det, dt = (uv * du - dv) / det;
        s += ds;
        t += dt;
        const double margin = curved && i < 4 ? 3 : 1 - end_of_edge;
        if (std::abs(s) > margin * e.half_m || std::abs(t) > margin * f.half_m) return false;
        if (std::abs(ds) + std::abs(dt) < 1e-12 * (e.half_m + f.half_m)) break;
    }
    p = pointOn(e, s);
    q = pointOn(f, t);
    return true;
}

bool isLikeFace(const EdgePoint& e, Vec3 n) { return std::max(dot(n, e.left), dot(n, e.right)) > like_face; }

// Whether one side of the plane across both edges has no face of a in front of it, and the other none of b: moving into
// a face away from the edge leads behind the plane. With n = +-u x v this needs the components of the face normals
// along the other edge only. slack: for arcs, whose directions change between here and the contact. side: the sign of
// n.
template <class Edge>
bool support(const Edge& p, const Edge& q, double slack, double& side)
{
    const double most = open_cone + slack;
    const double al = dot(q.along, p.left), ar = dot(q.along, p.right);
    if (std::min(al, ar) > most || std::max(al, ar) < -most) return false;
    const double bl = dot(p.along, q.left), br = dot(p.along, q.right);
    if (std::min(bl, br) > most || std::max(bl, br) < -most) return false;
    const double uv = dot(p.along, q.along), open = open_cone * std::sqrt(1 - std::min(1.0, uv * uv)) + slack;
    side = ar - al + br - bl < 0 ? 1 : -1;
    return -side * al < open && side * ar < open && -side * bl < open && side * br < open;
}

bool crosses(const SharpEdge& e, const SharpEdge& f, double reach_m, CrossedEdges& c)
{
    double side = 0;
    const double bent = (e.radius_m > 0 ? e.half_m / e.radius_m : 0) + (f.radius_m > 0 ? f.half_m / f.radius_m : 0);
    EdgePoint p, q;
    if (!support(e, f, bent, side) || !connect(e, f, p, q)) return false;
    if (bent > 0 && !support(p, q, 0, side)) return false;
    const Vec3 n = normalized(side * cross(p.along, q.along));
    const double gap_m = dot(n, q.point_m - p.point_m);
    if (gap_m > reach_m) return false;
    c = {p, q, e, f, n, gap_m, isLikeFace(p, n), isLikeFace(q, -n)};
    return true;
}

// Of the distance of a body near sharp edges.
double errorOf(const Collider& c) { return c.kind == ColliderKind::grid ? 0.7 * c.grid.voxel_m : 1e-3 * c.inner_m; }

// A body in the frame of another one.
struct Relative {
    const Collider &collider, &other;
    Mat3 other_from_own;
    Vec3 shift_m;
    double limit_m;  // edges farther away from the other body do not matter

    Relative(const PosedCollider& own, const PosedCollider& o, double reach_m)
        : collider(own.collider),
          other(o.collider),
          other_from_own(transposed(o.world_from_body) * own.world_from_body),
          shift_m(transposed(o.world_from_body) * (own.x_m - o.x_m)),
          limit_m(reach_m + errorOf(o.collider))
    {
    }
    Vec3 inOther(Vec3 p) const { return shift_m + other_from_own * p; }
};

// Whether a piece of an edge is near the other body. A distance changes by at most the length of the path, so that one
// value excludes a ball around its point.
bool isNear(const Relative& r, Vec3 middle, Vec3 along, double half_m, double limit_m)
{
    const double free_m = r.other.distance(middle) - limit_m;
    if (free_m <= 0) return true;
    if (free_m >= half_m) return false;
    const double rest_m = 0.5 * (half_m - free_m), to_m = free_m + rest_m;
    if (free_m < 0.02 * half_m) return true;
    return isNear(r, middle - to_m * along, along, rest_m, limit_m) ||
           isNear(r, middle + to_m * along, along, rest_m, limit_m);
}

// An edge in the frame of b, and half the size of the box around it.
struct NearEdge {
    SharpEdge edge;
    Vec3 half_m;
};

double bulgeOf(const SharpEdge& e) { return e.radius_m > 0 ? e.half_m * e.half_m / e.radius_m : 0; }

Vec3 halfBoxOf(const SharpEdge& e)
{
    const double bulge_m = bulgeOf(e);
    return {e.half_m * std::abs(e.along.x) + bulge_m, e.half_m * std::abs(e.along.y) + bulge_m,
            e.half_m * std::abs(e.along.z) + bulge_m};
}

// Calls leaf(i) for the edges of a tree whose nodes are not far.
template <class Far, class Leaf>
void descend(const EdgeTree& tree, const Far& isFar, const Leaf& leaf)
{
    int stack[deepest_tree], depth = 0;
    stack[depth++] = 0;
    while (depth > 0) {
        const int at = stack[--depth];
        const SphereNode& node = tree.nodes[size_t(at)];
        if (isFar(node)) continue;
        if (node.right >= 0) {
            stack[depth++] = node.right;
            stack[depth++] = at + 1;
            continue;
        }
        for (int i = node.first; i < node.first + node.count; ++i) leaf(tree.edges[size_t(i)]);
    }
}

// The edges of a that are near b.
void collectNear(const Relative& r, std::vector<NearEdge>& near)
{
    descend(
        r.collider.edges,
        [&](const SphereNode& n) { return isFartherThan(r.limit_m + n.radius_m, r.other, r.inOther(n.center_m)); },
        [&](const SharpEdge& in_a) {
            const Vec3 middle = r.inOther(in_a.middle_m), along = r.other_from_own * in_a.along;
            if (!isNear(r, middle, along, in_a.half_m, r.limit_m + bulgeOf(in_a))) return;
            const SharpEdge e = placed(in_a, r.other_from_own, r.shift_m);
            near.push_back({e, halfBoxOf(e)});
        });
}

bool areApart(Vec3 d, Vec3 half, double far_m)
{
    return std::abs(d.x) > half.x + far_m || std::abs(d.y) > half.y + far_m || std::abs(d.z) > half.z + far_m;
}

class EdgeSearch {
public:
    EdgeSearch(const PosedCollider& a, const PosedCollider& b, double r_m)
        : pa(a),
          pb(b),
          reach_m(r_m),
          of_a(a, b, r_m),
          of_b(b, a, r_m),
          deepest_m(deepest_of_inner * std::min(a.collider.inner_m, b.collider.inner_m))
    {
    }

    void find()
    {
        std::vector<NearEdge> near;
        collectNear(of_a, near);
        if (near.empty()) return;
        Bounds all;
        for (const NearEdge& e : near) {
            all.add(e.edge.middle_m - e.half_m);
            all.add(e.edge.middle_m + e.half_m);
        }
        const double far_m = std::max(reach_m, deepest_m);
        const Vec3 center = all.center(), half = 0.5 * all.size();
        descend(
            pb.collider.edges,
            [&](const SphereNode& n) { return areApart(n.center_m - center, half, far_m + n.radius_m); },
            [&](const SharpEdge& f) {
                const Vec3 half_f = halfBoxOf(f);
                if (areApart(f.middle_m - center, half + half_f, far_m)) return;
                for (const NearEdge& e : near)
                    if (!areApart(f.middle_m - e.edge.middle_m, e.half_m + half_f, far_m)) tryPair(e.edge, f);
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
    const double deepest_m;
};

}  // namespace

void addEdgeContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points)
{
    if (a.collider.edges.nodes.empty() || b.collider.edges.nodes.empty()) return;
    // The reach has twice the displacement of the step, for corners of a body that tips. Edges need the displacement.
    const double edge_reach_m = std::min(reach.reach_m, 0.5 * (reach.reach_m + reach.near_m));
    EdgeSearch search(a, b, edge_reach_m);
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
