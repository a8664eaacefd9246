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

EdgePoint atMiddle(const SharpEdge& e) { return {e.middle_m, e.along, e.left, e.right}; }

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
bool support(const EdgePoint& p, const EdgePoint& q, double slack, double& side)
{
    const double uv = dot(p.along, q.along), open = open_cone * std::sqrt(1 - std::min(1.0, uv * uv)) + slack;
    const double al = dot(q.along, p.left), ar = dot(q.along, p.right), bl = dot(p.along, q.left),
                 br = dot(p.along, q.right);
    side = ar - al + br - bl < 0 ? 1 : -1;
    return -side * al < open && side * ar < open && -side * bl < open && side * br < open;
}

bool crosses(const SharpEdge& e, const SharpEdge& f, double reach_m, CrossedEdges& c)
{
    double side = 0;
    EdgePoint p = atMiddle(e), q = atMiddle(f);
    const double bent = (e.radius_m > 0 ? e.half_m / e.radius_m : 0) + (f.radius_m > 0 ? f.half_m / f.radius_m : 0);
    if (!support(p, q, bent, side) || !connect(e, f, p, q)) return false;
    if (bent > 0 && !support(p, q, 0, side)) return false;
    const Vec3 n = normalized(side * cross(p.along, q.along));
    const double gap_m = dot(n, q.point_m - p.point_m);
    if (gap_m > reach_m) return false;
    c = {p, q, e, f, n, gap_m, isLikeFace(p, n), isLikeFace(q, -n)};
    return true;
}

class EdgeSearch {
public:
    EdgeSearch(const PosedCollider& a, const PosedCollider& b, const ContactReach& r)
        : pa(a),
          pb(b),
          reach(r),
          b_from_a(transposed(b.world_from_body) * a.world_from_body),
          shift(transposed(b.world_from_body) * (a.x_m - b.x_m)),
          deepest_m(deepest_of_inner * std::min(a.collider.inner_m, b.collider.inner_m))
    {
    }

    void find()
    {
        const EdgeTree& tree = pa.collider.edges;
        int stack[deepest_tree], depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const int at = stack[--depth];
            const SphereNode& node = tree.nodes[size_t(at)];
            if (isFartherThan(reach.reach_m + node.radius_m, pb.collider, shift + b_from_a * node.center_m)) continue;
            if (node.right >= 0) {
                stack[depth++] = node.right;
                stack[depth++] = at + 1;
                continue;
            }
            for (int i = node.first; i < node.first + node.count; ++i) tryEdge(tree.edges[size_t(i)]);
        }
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
        return std::abs(contact.gap_m - wedge_m) < errorOf(point_of_a ? pb : pa) + 0.1 * std::abs(wedge_m);
    }

    std::vector<CrossedEdges> found;

private:
    // Of the distance of a body near sharp edges.
    static double errorOf(const PosedCollider& p)
    {
        return p.collider.kind == ColliderKind::grid ? 0.7 * p.collider.grid.voxel_m : 1e-3 * p.collider.inner_m;
    }

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

    void tryEdge(const SharpEdge& in_a)
    {
        if (isFartherThan(reach.reach_m + in_a.half_m, pb.collider, shift + b_from_a * in_a.middle_m)) return;
        const SharpEdge e = placed(in_a, b_from_a, shift);
        const EdgeTree& tree = pb.collider.edges;
        const double far = std::max(reach.reach_m, deepest_m);
        int stack[deepest_tree], depth = 0;
        stack[depth++] = 0;
        while (depth > 0) {
            const int at = stack[--depth];
            const SphereNode& node = tree.nodes[size_t(at)];
            const Vec3 d = node.center_m - e.middle_m;
            const double s = std::clamp(dot(d, e.along), -e.half_m, e.half_m);
            const double bulge = e.radius_m > 0 ? e.half_m * e.half_m / e.radius_m : 0;
            const double limit = far + node.radius_m + bulge;
            const Vec3 apart = d - s * e.along;
            if (dot(apart, apart) > limit * limit) continue;
            if (node.right >= 0) {
                stack[depth++] = node.right;
                stack[depth++] = at + 1;
                continue;
            }
            for (int i = node.first; i < node.first + node.count; ++i) tryPair(e, tree.edges[size_t(i)]);
        }
    }

    void tryPair(const SharpEdge& e, const SharpEdge& f)
    {
        CrossedEdges c;
        if (crosses(e, f, reach.reach_m, c) && (c.gap_m >= 0 || overlap(c))) found.push_back(c);
    }

    // Edges overlap if each is inside of the other body, behind the faces of the other edge and nothing else.
    bool overlap(const CrossedEdges& c) const
    {
        if (c.gap_m < -deepest_m) return false;
        const Vec3 p = c.of_a.point_m, q = c.of_b.point_m;
        const double in_b = pb.collider.distance(p) - distanceToWedge(c.of_b, p);
        const double in_a = pa.collider.distance(transposed(b_from_a) * (q - shift)) - distanceToWedge(c.of_a, q);
        return std::abs(in_b) < errorOf(pb) - 0.1 * c.gap_m && std::abs(in_a) < errorOf(pa) - 0.1 * c.gap_m;
    }

    const PosedCollider &pa, &pb;
    const ContactReach& reach;
    const Mat3 b_from_a;
    const Vec3 shift;
    const double deepest_m;
};

}  // namespace

void addEdgeContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                     std::vector<ContactPoint>& points)
{
    if (a.collider.edges.nodes.empty() || b.collider.edges.nodes.empty()) return;
    EdgeSearch search(a, b, reach);
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
