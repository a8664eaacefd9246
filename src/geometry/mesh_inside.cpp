#include "geometry/mesh_inside.h"

namespace flotsam {
namespace {

// Rays run along x. Across them, vertices are snapped to a lattice fine enough to change no distance visibly and coarse
// enough for orientations to be exact in 64 bits: 18 + 12 bits per coordinate, 61 for the difference of two products.
// Exact signs and one rule for ties prevent rays from slipping between two triangles that share an edge or a vertex.
constexpr double lattice = 4096;

struct LatticePoint {
    int64_t y = 0, z = 0;
};

LatticePoint snapped(Vec3 p) { return {std::llround(p.y * lattice), std::llround(p.z * lattice)}; }
int64_t latticeCeil(int64_t a) { return (a + int64_t(lattice) - 1) / int64_t(lattice); }

// Twice the signed area of (q, a, b).
int64_t areaOf(LatticePoint q, LatticePoint a, LatticePoint b)
{
    return (a.y - q.y) * (b.z - q.z) - (a.z - q.z) * (b.y - q.y);
}

// The sign of that area; where it is zero, the sign after q has moved by (e, e^2) for a vanishing e.
int side(LatticePoint q, LatticePoint a, LatticePoint b)
{
    const int64_t area = areaOf(q, a, b);
    if (area != 0) return area > 0 ? 1 : -1;
    if (a.z != b.z) return a.z > b.z ? 1 : -1;
    if (a.y != b.y) return b.y > a.y ? 1 : -1;
    return 0;
}

// +1 or -1 if the ray through q crosses the triangle, by its orientation; 0 otherwise.
int crossing(LatticePoint q, const std::array<LatticePoint, 3>& t)
{
    const int s = side(q, t[0], t[1]);
    return side(q, t[1], t[2]) == s && side(q, t[2], t[0]) == s ? s : 0;
}

double crossingX(LatticePoint q, const std::array<LatticePoint, 3>& t, const std::array<Vec3, 3>& corner)
{
    const double w0 = double(areaOf(q, t[1], t[2])), w1 = double(areaOf(q, t[2], t[0])),
                 w2 = double(areaOf(q, t[0], t[1])), sum = w0 + w1 + w2;
    return (w0 * corner[0].x + w1 * corner[1].x + w2 * corner[2].x) / sum;
}

// Adds each crossing of a row with the triangle to the first point of the row after it.
void addCrossings(const std::array<Vec3, 3>& corner, Int3 points, std::vector<int16_t>& step)
{
    const std::array<LatticePoint, 3> t{snapped(corner[0]), snapped(corner[1]), snapped(corner[2])};
    const auto [y_lo, y_hi] = std::minmax({t[0].y, t[1].y, t[2].y});
    const auto [z_lo, z_hi] = std::minmax({t[0].z, t[1].z, t[2].z});
    const int64_t unit = int64_t(lattice);
    for (int64_t k = latticeCeil(z_lo); k <= z_hi / unit && k < points.z; ++k)
        for (int64_t j = latticeCeil(y_lo); j <= y_hi / unit && j < points.y; ++j) {
            const LatticePoint q{j * unit, k * unit};
            const int sign = crossing(q, t);
            if (sign == 0) continue;
            const double behind = std::floor(crossingX(q, t, corner)) + 1;
            if (behind < points.x) step[size_t(behind) + size_t(points.x) * size_t(j + points.y * k)] += int16_t(sign);
        }
}

}  // namespace

std::vector<uint8_t> pointsInside(const TriangleMesh& mesh, Int3 points)
{
    std::vector<int16_t> step(size_t(product(points)));
    for (const auto& t : mesh.triangles)
        addCrossings({mesh.vertices[size_t(t[0])], mesh.vertices[size_t(t[1])], mesh.vertices[size_t(t[2])]}, points,
                     step);
    std::vector<uint8_t> inside(step.size());
    for (size_t row = 0; row < step.size(); row += size_t(points.x)) {
        int winding = 0;
        for (size_t i = row; i < row + size_t(points.x); ++i) {
            winding += step[i];
            inside[i] = winding != 0;
        }
    }
    return inside;
}

}  // namespace flotsam
