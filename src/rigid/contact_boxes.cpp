// Two boxes: the axis of least overlap, then either the clipped faces or the two crossing edges.
#include "rigid/contact.h"

namespace flotsam {
namespace {

Vec3 axisOf(const Mat3& m, int i)
{
    return i == 0   ? Vec3{m.row0.x, m.row1.x, m.row2.x}
           : i == 1 ? Vec3{m.row0.y, m.row1.y, m.row2.y}
                    : Vec3{m.row0.z, m.row1.z, m.row2.z};
}

struct Box {
    Vec3 center, half, axis[3];

    explicit Box(const PosedCollider& p) : center(p.x_m), half(p.collider.size_m)
    {
        for (int i = 0; i < 3; ++i) axis[i] = axisOf(p.world_from_body, i);
    }
};

struct Separation {
    double gap = -1e300;
    Vec3 normal;  // from b to a
    int i = -1, j = -1;
};

// The cosines between the axes of two boxes: all that the extents of one along an axis of the other, or along a cross
// product of axes, depend on.
struct Cosines {
    double of[3][3], size[3][3];    // by axis of a and of b; absolute values
    Vec3 of_offset_a, of_offset_b;  // the way from b to a along the axes of each

    Cosines(const Box& a, const Box& b)
    {
        const Vec3 d = a.center - b.center;
        for (int i = 0; i < 3; ++i) {
            for (int j = 0; j < 3; ++j) size[i][j] = std::abs(of[i][j] = dot(a.axis[i], b.axis[j]));
            of_offset_a[i] = dot(d, a.axis[i]);
            of_offset_b[i] = dot(d, b.axis[i]);
        }
    }
};

// Along the axes of one box. along: the way from b to a.
template <class F>
Separation faceSeparation(const Box& faces, Vec3 along, const F& radiusOfOther)
{
    Separation best;
    for (int i = 0; i < 3; ++i) {
        const double gap = std::abs(along[i]) - faces.half[i] - radiusOfOther(i);
        if (gap > best.gap) best = {gap, (along[i] > 0 ? 1.0 : -1.0) * faces.axis[i], i, -1};
    }
    return best;
}

// Along the cross products of edges, where it exceeds least_m.
Separation edgeSeparation(const Box& a, const Box& b, const Cosines& c, double least_m)
{
    Separation best;
    best.gap = least_m;
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j) {
            const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
            const double along = c.of[i1][j] * c.of_offset_a[i2] - c.of[i2][j] * c.of_offset_a[i1];
            const double gap_times_sine = std::abs(along) - a.half[i1] * c.size[i2][j] - a.half[i2] * c.size[i1][j] -
                                          b.half[j1] * c.size[i][j2] - b.half[j2] * c.size[i][j1];
            if (gap_times_sine <= std::min(best.gap, 0.0)) continue;  // the sine is at most 1
            const double sine = std::sqrt(c.of[i1][j] * c.of[i1][j] + c.of[i2][j] * c.of[i2][j]);
            if (sine < 1e-3) continue;  // parallel edges: the face axes are more accurate
            const double gap = gap_times_sine / sine;
            if (gap > best.gap) best = {gap, ((along > 0 ? 1 : -1) / sine) * cross(a.axis[i], b.axis[j]), i, j};
        }
    return best;
}

struct Polygon {
    static constexpr int most = 16;
    Vec3 p[most];
    bool corner[most];  // a corner of the box, not made by clipping
    int n = 0;

    void add(Vec3 point, bool is_corner)
    {
        p[n] = point;
        corner[n++] = is_corner;
    }
};

// Clips a polygon to dot(p, n) <= limit.
void clip(Vec3 n, double limit, Polygon& polygon)
{
    double beyond[Polygon::most], farthest = -1e300;
    for (int i = 0; i < polygon.n; ++i) {
        beyond[i] = dot(polygon.p[i], n) - limit;
        farthest = std::max(farthest, beyond[i]);
    }
    if (farthest <= 0) return;
    Polygon out;
    for (int i = 0; i < polygon.n; ++i) {
        const int next = i + 1 < polygon.n ? i + 1 : 0;
        const Vec3 p = polygon.p[i], q = polygon.p[next];
        const double dp = beyond[i], dq = beyond[next];
        if (dp <= 0) out.add(p, polygon.corner[i]);
        if ((dp < 0 && dq > 0) || (dp > 0 && dq < 0)) out.add(p + (dp / (dp - dq)) * (q - p), false);
        if (out.n >= Polygon::most - 1) break;
    }
    polygon = out;
}

// The face of the other box most opposed to the normal.
Polygon incidentFace(const Box& box, Vec3 normal)
{
    int axis = 0;
    double most = -1;
    for (int i = 0; i < 3; ++i)
        if (const double d = std::abs(dot(box.axis[i], normal)); d > most + 1e-9) most = d, axis = i;
    const double sign = dot(box.axis[axis], normal) > 0 ? -1 : 1;
    const int u = (axis + 1) % 3, v = (axis + 2) % 3;
    const Vec3 c = box.center + sign * box.half[axis] * box.axis[axis], du = box.half[u] * box.axis[u],
               dv = box.half[v] * box.axis[v];
    Polygon face;
    face.add(c + du + dv, true);
    face.add(c - du + dv, true);
    face.add(c - du - dv, true);
    face.add(c + du - dv, true);
    return face;
}

// outwards: the normal of the face of the reference box, towards the other. edges_touch: only corners still above the
// face, which may reach it within the step when the box tips over the edge. The point where one edge enters the prism
// over the face is the crossing of the edges, with a wrong normal.
void addFaceContacts(const Box& reference, const Box& other, int axis, Vec3 outwards, Vec3 normal_to_a,
                     bool edges_touch, const ContactReach& reach, std::vector<ContactPoint>& points)
{
    Polygon polygon = incidentFace(other, outwards);
    for (const int side : {(axis + 1) % 3, (axis + 2) % 3}) {
        const Vec3 n = reference.axis[side];
        clip(n, dot(reference.center, n) + reference.half[side], polygon);
        clip(-n, -dot(reference.center, n) + reference.half[side], polygon);
    }
    const double plane = dot(reference.center, outwards) + reference.half[axis];
    const auto face = dot(outwards, normal_to_a) > 0 ? ContactPoint::Face::of_b : ContactPoint::Face::of_a;
    for (int i = 0; i < polygon.n; ++i) {
        const double gap = dot(polygon.p[i], outwards) - plane;
        if (edges_touch && (gap <= 0 || !polygon.corner[i])) continue;
        if (gap <= reach.reach_m) points.push_back({polygon.p[i] - 0.5 * gap * outwards, normal_to_a, gap, face});
    }
}

// The midpoint of the shortest segment between two edges.
void addEdgeContact(const Box& a, const Box& b, const Separation& s, std::vector<ContactPoint>& points)
{
    const auto edgeMiddle = [](const Box& box, int along, Vec3 towards) {
        Vec3 p = box.center;
        for (int k = 0; k < 3; ++k)
            if (k != along) p += (dot(box.axis[k], towards) > 0 ? box.half[k] : -box.half[k]) * box.axis[k];
        return p;
    };
    const Vec3 p = edgeMiddle(a, s.i, -s.normal), q = edgeMiddle(b, s.j, s.normal);
    const Vec3 u = a.axis[s.i], v = b.axis[s.j], d = q - p;
    const double uv = dot(u, v), det = 1 - uv * uv;
    const double along_u = (dot(d, u) - uv * dot(d, v)) / det, along_v = (uv * dot(d, u) - dot(d, v)) / det;
    points.push_back({0.5 * (p + along_u * u + q + along_v * v), s.normal, s.gap});
}

}  // namespace

void findBoxContacts(const PosedCollider& pa, const PosedCollider& pb, const ContactReach& reach,
                     std::vector<ContactPoint>& points)
{
    const Box a(pa), b(pb);
    const Cosines c(a, b);
    const Separation of_a = faceSeparation(a, c.of_offset_a, [&](int i) {
        return b.half.x * c.size[i][0] + b.half.y * c.size[i][1] + b.half.z * c.size[i][2];
    });
    if (of_a.gap > reach.reach_m) return;
    const Separation of_b = faceSeparation(b, c.of_offset_b, [&](int j) {
        return a.half.x * c.size[0][j] + a.half.y * c.size[1][j] + a.half.z * c.size[2][j];
    });
    if (of_b.gap > reach.reach_m) return;
    // An edge with less separation than the faces does not touch.
    const Separation of_edges = edgeSeparation(a, b, c, std::max(of_a.gap, of_b.gap));
    if (of_edges.gap > reach.reach_m) return;
    // Faces give several points, so an edge must be clearly better than a face, and the faces of b better than those of
    // a.
    const double clearly = 1e-3 * std::min({a.half.x, a.half.y, a.half.z, b.half.x, b.half.y, b.half.z});
    const bool b_is_reference = of_b.gap > of_a.gap + clearly;
    const Separation& face = b_is_reference ? of_b : of_a;
    constexpr double nearly_the_face = 0.98;  // cosine of 11 degrees
    const bool edges_touch = of_edges.gap > face.gap + clearly + 0.05 * std::abs(face.gap) &&
                             dot(of_edges.normal, face.normal) < nearly_the_face;
    if (b_is_reference)
        addFaceContacts(b, a, face.i, face.normal, face.normal, edges_touch, reach, points);
    else
        addFaceContacts(a, b, face.i, -face.normal, face.normal, edges_touch, reach, points);
    if (edges_touch) addEdgeContact(a, b, of_edges, points);
    thinOut(reach.near_m, points);
}

}  // namespace flotsam
