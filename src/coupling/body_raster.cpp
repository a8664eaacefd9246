#include "coupling/body_raster.h"

#include "grid/fractions.h"
#include "liquid/cube_volume.h"

namespace flotsam {

namespace {

// Half the diagonal of a cell: a cell whose centre is farther from the surface is entirely inside or outside.
constexpr double half_diagonal = 0.8660254037844386;

IndexBox cellsOf(const Grid& grid, Bounds b, double more)
{
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
        const double n = grid.cells[a];
        box.lo[a] = int(std::clamp(std::floor(b.lo[a] / grid.h - more), 0.0, n));
        box.hi[a] = int(std::clamp(std::ceil(b.hi[a] / grid.h + more), 0.0, n));
    }
    return box;
}

// By the distance of its centre: exact for a plane normal to an axis.
float fractionByCenter(const Grid& grid, double distance_m) { return float(belowSurface(distance_m, grid.h)); }

// By 4 x 4 x 4 sample points.
float fractionBySamples(const Grid& grid, const BodyObstacle& body, Vec3 middle_m)
{
    int inside = 0;
    for (int n = 0; n < 64; ++n) {
        const Vec3 offset{(n & 3) - 1.5, (n >> 2 & 3) - 1.5, (n >> 4) - 1.5};
        inside += body.signedDistance(middle_m + 0.25 * grid.h * offset) < 0;
    }
    return float(inside) / 64;
}

// Volume of the polyhedron given by the distances at the eight corners (proposed in thesis 5.7.2).
float fractionByCorners(const Grid& grid, const BodyObstacle& body, Vec3 middle_m)
{
    float d[8];
    for (int n = 0; n < 8; ++n) {
        const Vec3 offset{(n & 1) - 0.5, (n >> 1 & 1) - 0.5, (n >> 2) - 0.5};
        d[n] = float(body.signedDistance(middle_m + grid.h * offset));
    }
    return float(negativePartOfCube(d));
}

// Concatenates the lists of f(n, list), 0 <= n < count, in order. Split within each body: one may be most of the work.
template <class T, class F>
std::vector<T> listPieces(int count, const F& f)
{
    std::vector<std::vector<T>> lists(static_cast<size_t>(count));
    parallelTasks("coupling.raster", count, [&](int n) { f(n, lists[size_t(n)]); });
    size_t size = 0;
    for (const std::vector<T>& list : lists) size += list.size();
    std::vector<T> all;
    all.reserve(size);
    for (const std::vector<T>& list : lists) all.insert(all.end(), list.begin(), list.end());
    return all;
}

// f(axis, face, face centre, distance of the cell centre, list) for the low faces of the cells, except on the domain
// boundary, where the velocity is fixed.
template <class F>
std::vector<BodyFace> listLowFaces(const Grid& grid, const std::vector<BodyCell>& near, const F& f)
{
    constexpr size_t piece = 1024;
    return listPieces<BodyFace>(int((near.size() + piece - 1) / piece), [&](int n, std::vector<BodyFace>& faces) {
        for (size_t m = piece * size_t(n); m < std::min(piece * (size_t(n) + 1), near.size()); ++m) {
            const BodyCell& c = near[m];
            for (int axis = 0; axis < 3; ++axis)
                if (c.at[axis] > 0) f(axis, c.at, facePosition(grid.h, axis, c.at), double(c.distance_m), faces);
        }
    });
}

}  // namespace

// A signed distance has Lipschitz constant 1: cells that cannot be near are skipped without a query, and those deep
// inside get its upper bound.
std::vector<BodyCell> cellsNear(const Grid& grid, const BodyObstacle& body, double margin_cells)
{
    const IndexBox box = cellsOf(grid, body.bounds(), margin_cells);
    const auto addRow = [&](int j, int k, std::vector<BodyCell>& near) {
        const Obstacle::Span span =
            body.spanNear(grid.h * Vec3{box.lo.x + 0.5, j + 0.5, k + 0.5}, grid.h, box.size().x, margin_cells * grid.h);
        const int end = box.lo.x + span.end;
        for (int i = box.lo.x + span.first; i < end; ++i) {
            const double d = body.signedDistance(grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5});
            const double beyond = std::abs(d) / grid.h - margin_cells;  // [cells]
            if (d < 0 || beyond < 0) near.push_back({{i, j, k}, float(d)});
            if (beyond < 1) continue;
            const int known = std::min(int(std::min(beyond, 1e6)), end - 1 - i);
            if (d < 0)
                for (int n = 1; n <= known; ++n) near.push_back({{i + n, j, k}, float(d + n * grid.h)});
            i += known;
        }
    };
    return listPieces<BodyCell>(std::max(box.size().z, 0), [&](int n, std::vector<BodyCell>& near) {
        for (int j = box.lo.y; j < box.hi.y; ++j) addRow(j, box.lo.z + n, near);
    });
}

bool hasLiquidAround(const Grid& grid, const std::vector<BodyCell>& near, View3<const float> phi)
{
    return std::any_of(near.begin(), near.end(), [&](const BodyCell& c) {
        return c.distance_m >= 0 && double(c.distance_m) < grid.h && phi(c.at) < 0;
    });
}

std::vector<BodyFace> facesByFraction(const Grid& grid, const BodyObstacle& body, const std::vector<BodyCell>& near,
                                      SubCellVolume how)
{
    return listLowFaces(grid, near, [&](int axis, Int3 face, Vec3 p, double center_m, std::vector<BodyFace>& faces) {
        const double certain = (0.5 + half_diagonal) * grid.h;
        float fraction = center_m < 0 ? 1.0f : 0.0f;
        if (std::abs(center_m) < certain) {
            const double d = body.signedDistance(p);
            if (how == SubCellVolume::center)
                fraction = fractionByCenter(grid, d);
            else if (std::abs(d) > half_diagonal * grid.h)
                fraction = d < 0 ? 1.0f : 0.0f;
            else
                fraction =
                    how == SubCellVolume::samples ? fractionBySamples(grid, body, p) : fractionByCorners(grid, body, p);
        }
        if (fraction > 0) faces.push_back({axis, face, p - body.center(), fraction});
    });
}

}  // namespace flotsam
