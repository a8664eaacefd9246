#include "geometry/sharp_edges.h"

#include <algorithm>
#include <compare>
#include <map>
#include <numbers>

namespace flotsam {
namespace {

constexpr double flat = 0.94;  // cosine of 20 degrees: a flatter fold touches nearly like its faces
constexpr double same = 1e-5;  // of directions that continue each other; coordinates in files often have six digits
constexpr int arcs_of_rim = 32;

Vec3 normalOf(const TriangleMesh& mesh, int triangle)
{
    const auto& v = mesh.triangles[size_t(triangle)];
    const Vec3 p = mesh.vertices[size_t(v[0])];
    return normalized(cross(mesh.vertices[size_t(v[1])] - p, mesh.vertices[size_t(v[2])] - p));
}

struct Piece {
    int from = 0, to = 0;  // vertices
    Vec3 along, left, right;
};

bool continues(const Piece& l, const Piece& r)
{
    return length(l.along - r.along) < same && length(l.left - r.left) < same && length(l.right - r.right) < same;
}

// The sharp edges as they are in the mesh, in the order of their vertices.
std::vector<Piece> piecesOf(const TriangleMesh& mesh)
{
    struct Side {
        int low, high, is_reversed, triangle;  // the triangle has the edge from high to low if it is reversed
        auto operator<=>(const Side&) const = default;
    };
    std::vector<Side> sides;
    sides.reserve(3 * mesh.triangles.size());
    for (size_t t = 0; t < mesh.triangles.size(); ++t)
        for (size_t i = 0; i < 3; ++i) {
            const int from = mesh.triangles[t][i], to = mesh.triangles[t][(i + 1) % 3];
            sides.push_back({std::min(from, to), std::max(from, to), from > to, int(t)});
        }
    std::sort(sides.begin(), sides.end());
    std::vector<Piece> pieces;
    for (size_t i = 0; i + 1 < sides.size(); ++i) {
        const Side &l = sides[i], &r = sides[i + 1];
        if (l.low != r.low || l.high != r.high || l.is_reversed == r.is_reversed) continue;
        const Vec3 p = mesh.vertices[size_t(l.low)], q = mesh.vertices[size_t(l.high)];
        const Piece piece{l.low, l.high, normalized(q - p), normalOf(mesh, l.triangle), normalOf(mesh, r.triangle)};
        const bool convex = dot(cross(piece.left, piece.right), piece.along) > 0;
        const bool degenerate = piece.along == Vec3{} || piece.left == Vec3{} || piece.right == Vec3{};
        if (convex && !degenerate && dot(piece.left, piece.right) < flat) pieces.push_back(piece);
    }
    return pieces;
}

Piece reversed(const Piece& p) { return {p.to, p.from, -p.along, p.right, p.left}; }

// Follows a piece to the last one that continues it, and marks those it passes.
int endOf(Piece piece, const std::vector<Piece>& pieces, const std::multimap<int, size_t>& at_vertex,
          std::vector<char>& used)
{
    for (bool found = true; found;) {
        found = false;
        const auto [begin, end] = at_vertex.equal_range(piece.to);
        for (auto it = begin; it != end && !found; ++it) {
            if (used[it->second]) continue;
            const Piece& other = pieces[it->second];
            const Piece next = other.from == piece.to ? other : reversed(other);
            if (!continues(piece, next)) continue;
            used[it->second] = 1;
            piece.to = next.to;
            found = true;
        }
    }
    return piece.to;
}

}  // namespace

EdgePoint pointOn(const SharpEdge& e, double s_m)
{
    if (e.radius_m == 0) return {e.middle_m + s_m * e.along, e.along, e.left, e.right};
    const double angle = s_m / e.radius_m, c = std::cos(angle), s = std::sin(angle);
    return {e.middle_m + e.radius_m * (s * e.along + (c - 1) * e.right), c * e.along - s * e.right, e.left,
            c * e.right + s * e.along};
}

double distanceToWedge(const EdgePoint& e, Vec3 p_m)
{
    const Vec3 d = p_m - e.point_m, across = d - dot(d, e.along) * e.along;
    const double l = dot(d, e.left), r = dot(d, e.right), from_edge = length(across);
    const double to_left = dot(d, e.intoLeft()) >= 0 ? std::abs(l) : from_edge;
    const double to_right = dot(d, e.intoRight()) >= 0 ? std::abs(r) : from_edge;
    return (l < 0 && r < 0 ? -1 : 1) * std::min(to_left, to_right);
}

std::vector<SharpEdge> sharpEdgesOf(const TriangleMesh& mesh)
{
    const std::vector<Piece> pieces = piecesOf(mesh);
    std::multimap<int, size_t> at_vertex;
    for (size_t i = 0; i < pieces.size(); ++i) {
        at_vertex.emplace(pieces[i].from, i);
        at_vertex.emplace(pieces[i].to, i);
    }
    std::vector<char> used(pieces.size(), 0);
    std::vector<SharpEdge> edges;
    for (size_t i = 0; i < pieces.size(); ++i) {
        if (used[i]) continue;
        used[i] = 1;
        const Vec3 to = mesh.vertices[size_t(endOf(pieces[i], pieces, at_vertex, used))];
        const Vec3 from = mesh.vertices[size_t(endOf(reversed(pieces[i]), pieces, at_vertex, used))];
        edges.push_back(
            {0.5 * (from + to), normalized(to - from), 0.5 * length(to - from), pieces[i].left, pieces[i].right, 0});
    }
    return edges;
}

std::vector<SharpEdge> rimsOfCylinder(double radius_m, double height_m)
{
    std::vector<SharpEdge> edges;
    for (const double side : {-1.0, 1.0})
        for (int k = 0; k < arcs_of_rim; ++k) {
            const double angle = 2 * std::numbers::pi * k / arcs_of_rim;
            const Vec3 axial{0, side, 0}, radial{std::cos(angle), 0, std::sin(angle)};
            edges.push_back({radius_m * radial + 0.5 * height_m * axial, cross(axial, radial),
                             std::numbers::pi * radius_m / arcs_of_rim, axial, radial, radius_m});
        }
    return edges;
}

}  // namespace flotsam
