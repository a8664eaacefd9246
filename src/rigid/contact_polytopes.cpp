// Two convex polytopes: the axis of least overlap among face normals and products of edges, then either the clipped
// faces or the two crossing edges. As for boxes (contact_boxes.cpp), which have fewer axes.
#include "rigid/contact.h"

namespace flotsam {
namespace {

constexpr size_t most_vertices = 2 * most_polytope_faces, most_corners = 2 * most_polytope_faces;

// A polytope in the frame of the other one.
struct Placed {
    const Polytope& shape;
    Vec3 vertex[most_vertices];
    Vec3 normal[most_polytope_faces];
    double offset[most_polytope_faces];
    Vec3 center;

    Placed(const Polytope& p, const Mat3& turn, Vec3 shift) : shape(p), center(shift)
    {
        for (size_t i = 0; i < p.vertices.size(); ++i) vertex[i] = shift + turn * p.vertices[i];
        for (size_t i = 0; i < p.faces.size(); ++i) {
            normal[i] = turn * p.faces[i].normal;
            offset[i] = p.faces[i].offset_m + dot(normal[i], shift);
        }
    }
    double lowest(Vec3 n) const
    {
        double least = dot(vertex[0], n);
        for (size_t i = 1; i < shape.vertices.size(); ++i) least = std::min(least, dot(vertex[i], n));
        return least;
    }
    Vec3 corner(const Polytope::Face& f, int i) const
    {
        return vertex[shape.corners[size_t(f.first + (i < f.count ? i : 0))]];
    }
    Vec3 along(const Polytope::Edge& e) const { return vertex[e.to] - vertex[e.from]; }
};

struct Separation {
    double gap = -1e300;
    Vec3 normal;  // out of the first polytope, towards the second
    int i = -1, j = -1;
};

Separation faceSeparation(const Placed& faces, const Placed& other, double reach_m)
{
    Separation best;
    for (size_t i = 0; i < faces.shape.faces.size(); ++i) {
        const double gap = other.lowest(faces.normal[i]) - faces.offset[i];
        if (gap > best.gap) best = {gap, faces.normal[i], int(i), -1};
        if (gap > reach_m) break;
    }
    return best;
}

// Two edges can be nearest to each other only if the arcs of their outward normals on the unit sphere, those of b
// negated, cross (Gregorius 2013). Then the planes through both edges support both bodies, and the gap needs no search
// for vertices. With coinciding ends of arcs the axis is a face normal.
Separation edgeSeparation(const Placed& a, const Placed& b)
{
    Separation best;
    for (size_t i = 0; i < a.shape.edges.size(); ++i) {
        const Polytope::Edge& e = a.shape.edges[i];
        const Vec3 u = a.along(e), left = a.normal[e.left], right = a.normal[e.right], p = a.vertex[e.from];
        for (size_t j = 0; j < b.shape.edges.size(); ++j) {
            const Polytope::Edge& f = b.shape.edges[j];
            const double bl = dot(b.normal[f.left], u), br = dot(b.normal[f.right], u);
            if (bl * br >= 0) continue;
            const Vec3 v = b.along(f);
            const double al = dot(left, v), ar = dot(right, v);
            if (al * ar >= 0 || bl * ar >= 0) continue;
            Vec3 n = cross(u, v);
            const double l = length(n);
            if (l < 1e-3 * length(u) * length(v)) continue;  // nearly parallel: the face normals are more accurate
            n = (dot(n, left + right) > 0 ? 1 : -1) / l * n;
            const double gap = dot(n, b.vertex[f.from] - p);
            if (gap > best.gap) best = {gap, n, int(i), int(j)};
        }
    }
    return best;
}

struct Polygon {
    Vec3 p[2 * most_corners];
    bool corner[2 * most_corners];  // a corner of the face, not made by clipping
    int n = 0;

    void add(Vec3 point, bool is_corner)
    {
        p[n] = point;
        corner[n++] = is_corner;
    }
};

// Clips a polygon to dot(p - on, n) <= 0.
void clip(Vec3 n, Vec3 on, Polygon& polygon)
{
    Polygon out;
    for (int i = 0; i < polygon.n; ++i) {
        const Vec3 p = polygon.p[i], q = polygon.p[i + 1 < polygon.n ? i + 1 : 0];
        const double dp = dot(p - on, n), dq = dot(q - on, n);
        if (dp <= 0) out.add(p, polygon.corner[i]);
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) out.add(p + (dp / (dp - dq)) * (q - p), false);
    }
    polygon = out;
}

// The face most opposed to the normal.
Polygon incidentFace(const Placed& placed, Vec3 normal)
{
    size_t most_opposed = 0;
    double least = 2;
    for (size_t i = 0; i < placed.shape.faces.size(); ++i)
        if (const double d = dot(placed.normal[i], normal); d < least - 1e-9) least = d, most_opposed = i;
    const Polytope::Face& face = placed.shape.faces[most_opposed];
    Polygon polygon;
    for (int i = 0; i < face.count; ++i) polygon.add(placed.corner(face, i), true);
    return polygon;
}

// sign: +1 if the reference is a, whose outward normal is opposed to that of a contact. edges_touch: only corners still
// above the face, which may reach it within the step when the body tips over the edge. The point where one edge enters
// the prism over the face is the crossing of the edges, with a wrong normal.
void addFaceContacts(const Placed& reference, const Placed& other, const Separation& s, double sign, bool edges_touch,
                     const ContactReach& reach, std::vector<ContactPoint>& points)
{
    const Polytope::Face& face = reference.shape.faces[size_t(s.i)];
    Polygon polygon = incidentFace(other, s.normal);
    for (int i = 0; i < face.count && polygon.n > 0; ++i) {
        const Vec3 p = reference.corner(face, i);
        clip(cross(reference.corner(face, i + 1) - p, s.normal), p, polygon);
    }
    const auto of = sign > 0 ? ContactPoint::Face::of_a : ContactPoint::Face::of_b;
    for (int i = 0; i < polygon.n; ++i) {
        const double gap = dot(polygon.p[i], s.normal) - reference.offset[s.i];
        if (edges_touch && (gap <= 0 || !polygon.corner[i])) continue;
        if (gap <= reach.reach_m) points.push_back({polygon.p[i] - 0.5 * gap * s.normal, -sign * s.normal, gap, of});
    }
}

// The midpoint of the shortest segment between two edges.
void addEdgeContact(const Placed& a, const Placed& b, const Separation& s, std::vector<ContactPoint>& points)
{
    const Polytope::Edge &e = a.shape.edges[size_t(s.i)], &f = b.shape.edges[size_t(s.j)];
    const Vec3 p = a.vertex[e.from], q = b.vertex[f.from], u = a.along(e), v = b.along(f), d = q - p;
    const double uu = dot(u, u), uv = dot(u, v), vv = dot(v, v), det = uu * vv - uv * uv;
    const double along_u = (dot(d, u) * vv - uv * dot(d, v)) / det, along_v = (uv * dot(d, u) - uu * dot(d, v)) / det;
    points.push_back({0.5 * (p + along_u * u + q + along_v * v), -s.normal, s.gap});
}

}  // namespace

void findPolytopeContacts(const PosedCollider& pa, const PosedCollider& pb, const ContactReach& reach,
                          std::vector<ContactPoint>& points)
{
    const Mat3 b_from_world = transposed(pb.world_from_body);
    const Placed a(pa.collider.polytope, b_from_world * pa.world_from_body, b_from_world * (pa.x_m - pb.x_m));
    const Placed b(pb.collider.polytope, {}, {});
    const Separation of_a = faceSeparation(a, b, reach.reach_m);
    if (of_a.gap > reach.reach_m) return;
    const Separation of_b = faceSeparation(b, a, reach.reach_m);
    if (of_b.gap > reach.reach_m) return;
    const Separation of_edges = edgeSeparation(a, b);
    if (of_edges.gap > reach.reach_m) return;
    // The same preferences as for two boxes.
    const double clearly = 1e-3 * std::min(pa.collider.inner_m, pb.collider.inner_m);
    const bool b_is_reference = of_b.gap > of_a.gap + clearly;
    const Separation& face = b_is_reference ? of_b : of_a;
    constexpr double nearly_the_face = 0.98;  // cosine of 11 degrees
    const double alike = (b_is_reference ? -1 : 1) * dot(of_edges.normal, face.normal);
    const bool edges_touch = of_edges.gap > face.gap + clearly + 0.05 * std::abs(face.gap) && alike < nearly_the_face;
    if (b_is_reference)
        addFaceContacts(b, a, face, -1, edges_touch, reach, points);
    else
        addFaceContacts(a, b, face, +1, edges_touch, reach, points);
    if (edges_touch) addEdgeContact(a, b, of_edges, points);
    for (ContactPoint& p : points) {
        p.position_m = pb.x_m + pb.world_from_body * p.position_m;
        p.normal = pb.world_from_body * p.normal;
    }
    thinOut(reach.near_m, points);
}

}  // namespace flotsam
