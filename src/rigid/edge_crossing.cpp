#include "rigid/edge_crossing.h"

#include <algorithm>
#include <cmath>

namespace flotsam {
namespace {

constexpr double parallel = 0.02;     // sine of the angle between edges below which faces and corners touch instead
constexpr double open_cone = 0.1;     // by how much a normal may leave the arc between the normals of the two faces
constexpr double like_face = 0.98;    // cosine of 11 degrees: a face touches, and points along the edges are right
constexpr double end_of_edge = 1e-6;  // the vertices are points already

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

// The angle by which the direction of an arc changes from its middle to its ends.
double bentBy(const SharpEdge& e) { return e.radius_m > 0 ? e.half_m / e.radius_m : 0; }

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

}  // namespace

bool mayCross(const SharpEdge& e, const SharpEdge& f)
{
    double side = 0;
    return support(e, f, bentBy(e) + bentBy(f), side);
}

bool crosses(const SharpEdge& e, const SharpEdge& f, double reach_m, CrossedEdges& c)
{
    double side = 0;
    const double bent = bentBy(e) + bentBy(f);
    EdgePoint p, q;
    if (!support(e, f, bent, side) || !connect(e, f, p, q)) return false;
    if (bent > 0 && !support(p, q, 0, side)) return false;
    const Vec3 n = normalized(side * cross(p.along, q.along));
    const double gap_m = dot(n, q.point_m - p.point_m);
    if (gap_m > reach_m) return false;
    c = {p, q, e, f, n, gap_m, isLikeFace(p, n), isLikeFace(q, -n)};
    return true;
}

}  // namespace flotsam
