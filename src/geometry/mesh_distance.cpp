#include "geometry/mesh_distance.h"

#include <openvdb/math/Proximity.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/MeshToVolume.h>

#include <limits>

#include "geometry/mesh_inside.h"

namespace flotsam {
namespace {

constexpr int margin_voxels = 6;
constexpr double max_points = 16e6;
constexpr double min_voxels_along_mesh = 32, max_voxels_along_mesh = 4096;

// The mesh interface that OpenVDB requires; vertices in voxels.
struct MeshAdapter {
    const TriangleMesh& mesh;

    size_t polygonCount() const { return mesh.triangles.size(); }
    size_t pointCount() const { return mesh.vertices.size(); }
    size_t vertexCount(size_t) const { return 3; }
    void getIndexSpacePoint(size_t triangle, size_t corner, openvdb::Vec3d& p) const
    {
        const Vec3 v = mesh.vertices[size_t(mesh.triangles[triangle][corner])];
        p = {v.x, v.y, v.z};
    }
};

Vec3 pointsAlong(Vec3 size_m, double voxel_m)
{
    const auto along = [&](double length_m) { return std::ceil(length_m / voxel_m) + 1 + 2 * margin_voxels; };
    return {along(size_m.x), along(size_m.y), along(size_m.z)};
}

double affordableVoxel(Vec3 size_m, double voxel_m)
{
    const double longest_m = std::max({size_m.x, size_m.y, size_m.z});
    voxel_m = std::clamp(voxel_m, longest_m / max_voxels_along_mesh, longest_m / min_voxels_along_mesh);
    for (;;) {
        const Vec3 n = pointsAlong(size_m, voxel_m);
        const double count = n.x * n.y * n.z;
        if (count <= max_points) return voxel_m;
        voxel_m *= std::max(1.01, std::cbrt(count / max_points));
    }
}

// Triangles without area do not affect the distance: their edges belong to neighbours.
TriangleMesh inVoxels(const TriangleMesh& mesh, const DistanceGrid& grid)
{
    TriangleMesh scaled;
    scaled.vertices.reserve(mesh.vertices.size());
    for (const Vec3 v : mesh.vertices) scaled.vertices.push_back((v - grid.origin_m) / grid.voxel_m);
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[size_t(t[0])], b = mesh.vertices[size_t(t[1])], c = mesh.vertices[size_t(t[2])];
        if (cross(b - a, c - a) != Vec3{}) scaled.triangles.push_back(t);
    }
    return scaled;
}

// The nearest triangle found so far for each point, and its distance in voxels.
struct Nearest {
    std::vector<int> triangle;  // -1: none yet
    std::vector<float> distance;
    std::vector<uint8_t> found_in;  // the scan that found it, from 1; 0: at the surface
};

float distanceTo(const MeshAdapter& adapter, int triangle, Int3 point)
{
    const openvdb::Vec3d p(point.x, point.y, point.z);
    openvdb::Vec3d a, b, c, weights;
    adapter.getIndexSpacePoint(size_t(triangle), 0, a);
    adapter.getIndexSpacePoint(size_t(triangle), 1, b);
    adapter.getIndexSpacePoint(size_t(triangle), 2, c);
    return float((openvdb::math::closestPointOnTriangleToPoint(a, b, c, p, weights) - p).length());
}

// From the result of OpenVDB we take only the nearest triangle of the points next to the surface. Its distances farther
// away have errors of up to 0.6 voxels, and its signs come from a flood fill from outside, which fills cavities.
Nearest nearestAtSurface(const MeshAdapter& adapter, Int3 points)
{
    openvdb::initialize();
    openvdb::Int32Grid triangles(-1);
    openvdb::tools::meshToVolume<openvdb::FloatGrid>(adapter, *openvdb::math::Transform::createLinearTransform(1.0), 1,
                                                     1, openvdb::tools::UNSIGNED_DISTANCE_FIELD, &triangles);
    Nearest nearest{std::vector<int>(size_t(product(points)), -1),
                    std::vector<float>(size_t(product(points)), std::numeric_limits<float>::infinity()),
                    std::vector<uint8_t>(size_t(product(points)), 0)};
    const IndexBox box{{0, 0, 0}, points};
    for (auto it = triangles.cbeginValueOn(); it; ++it) {
        const Int3 c{it.getCoord().x(), it.getCoord().y(), it.getCoord().z()};
        if (!box.contains(c) || *it < 0) continue;
        const size_t at = size_t(c.x) + size_t(points.x) * (size_t(c.y) + size_t(points.y) * size_t(c.z));
        nearest.triangle[at] = *it;
        nearest.distance[at] = distanceTo(adapter, *it, c);
    }
    return nearest;
}

struct Neighbour {
    Int3 step;
    std::ptrdiff_t offset = 0;
};

// The neighbours of the points of a row that precede them in a scan of this direction: 13 of them, fewer at the
// boundary of the grid.
std::vector<Neighbour> passedNeighbours(Int3 points, int direction, int y, int z)
{
    std::vector<Neighbour> neighbours;
    for (int n = 0; n < 13; ++n) {
        const Int3 d{direction * (n % 3 - 1), direction * (n / 3 % 3 - 1), direction * (n / 9 - 1)};
        if (y + d.y < 0 || y + d.y >= points.y || z + d.z < 0 || z + d.z >= points.z) continue;
        neighbours.push_back({d, d.x + std::ptrdiff_t(points.x) * (d.y + std::ptrdiff_t(points.y) * d.z)});
    }
    return neighbours;
}

// A ball around each triangle: a triangle whose ball lies beyond the nearest one so far needs no exact test.
struct Ball {
    float x, y, z, radius;
};

std::vector<Ball> ballsAround(const TriangleMesh& mesh)
{
    std::vector<Ball> balls;
    balls.reserve(mesh.triangles.size());
    for (const auto& t : mesh.triangles) {
        const Vec3 a = mesh.vertices[size_t(t[0])], b = mesh.vertices[size_t(t[1])], c = mesh.vertices[size_t(t[2])];
        const Vec3 m = (a + b + c) / 3;
        const double r = std::max({length(a - m), length(b - m), length(c - m)});
        balls.push_back({float(m.x), float(m.y), float(m.z), float(r * (1 + 1e-5) + 1e-3)});
    }
    return balls;
}

bool isBeyond(const Ball& ball, Int3 p, float distance)
{
    const float dx = ball.x - float(p.x), dy = ball.y - float(p.y), dz = ball.z - float(p.z),
                reach = distance + ball.radius;
    return dx * dx + dy * dy + dz * dz > reach * reach;
}

struct Scan {
    const MeshAdapter& adapter;
    const std::vector<Ball>& balls;
    Int3 points;
    int number;  // from 1; odd ones go forwards

    int direction() const { return number % 2 ? 1 : -1; }
    // A point tried the triangles that its neighbour had in the last scan of this direction. The first scan of each
    // direction tries all.
    bool isNew(uint8_t found_in) const { return number <= 2 || found_in >= number - 1; }
};

// A point tries the triangles of its neighbours.
void tryNeighbours(const Scan& scan, const std::vector<Neighbour>& neighbours, Int3 c, std::ptrdiff_t at,
                   Nearest& nearest)
{
    int tried = -1;
    for (const Neighbour& neighbour : neighbours) {
        if (unsigned(c.x + neighbour.step.x) >= unsigned(scan.points.x)) continue;
        const size_t other = size_t(at + neighbour.offset);
        const int triangle = nearest.triangle[other];
        if (triangle == tried || triangle == nearest.triangle[size_t(at)] || triangle < 0) continue;
        if (!scan.isNew(nearest.found_in[other])) continue;
        tried = triangle;
        if (isBeyond(scan.balls[size_t(triangle)], c, nearest.distance[size_t(at)])) continue;
        const float distance = distanceTo(scan.adapter, triangle, c);
        if (distance >= nearest.distance[size_t(at)]) continue;
        nearest.triangle[size_t(at)] = triangle;
        nearest.distance[size_t(at)] = distance;
        nearest.found_in[size_t(at)] = uint8_t(scan.number);
    }
}

// Over all points, forwards or backwards.
void passOn(const Scan& scan, Nearest& nearest)
{
    const Int3 n = scan.points;
    const bool forwards = scan.direction() > 0;
    for (int row = 0; row < n.y * n.z; ++row) {
        const int r = forwards ? row : n.y * n.z - 1 - row, y = r % n.y, z = r / n.y;
        const std::vector<Neighbour> neighbours = passedNeighbours(n, scan.direction(), y, z);
        for (int i = 0; i < n.x; ++i) {
            const int x = forwards ? i : n.x - 1 - i;
            tryNeighbours(scan, neighbours, {x, y, z}, std::ptrdiff_t(r) * n.x + x, nearest);
        }
    }
}

}  // namespace

DistanceGrid distanceGridOf(const TriangleMesh& mesh, double voxel_m)
{
    const Bounds bounds = boundsOf(mesh);
    DistanceGrid grid;
    grid.voxel_m = affordableVoxel(bounds.size(), voxel_m);
    const Vec3 n = pointsAlong(bounds.size(), grid.voxel_m);
    grid.points = {int(n.x), int(n.y), int(n.z)};
    grid.origin_m = bounds.lo - grid.voxel_m * Vec3{margin_voxels, margin_voxels, margin_voxels};

    const TriangleMesh in_voxels = inVoxels(mesh, grid);
    Nearest nearest = nearestAtSurface({in_voxels}, grid.points);
    const std::vector<Ball> balls = ballsAround(in_voxels);
    const MeshAdapter adapter{in_voxels};
    for (const int number : {1, 2, 3, 4}) passOn({adapter, balls, grid.points, number}, nearest);
    grid.phi_m = std::move(nearest.distance);
    const std::vector<uint8_t> inside = pointsInside(in_voxels, grid.points);
    for (size_t i = 0; i < inside.size(); ++i) grid.phi_m[i] *= float(inside[i] ? -grid.voxel_m : grid.voxel_m);
    return grid;
}

namespace {

// The eight grid values around a point, and its position between them.
struct Surrounding {
    const float* v;
    std::ptrdiff_t sy, sz;
    Vec3 fraction;
    Vec3 outside;  // from the grid's box to the point [voxels]

    double alongX(std::ptrdiff_t at) const { return v[at] + fraction.x * (double(v[at + 1]) - v[at]); }
};

Surrounding surroundingOf(const DistanceGrid& grid, Vec3 p_m)
{
    const Vec3 top{double(grid.points.x - 1), double(grid.points.y - 1), double(grid.points.z - 1)};
    const Vec3 g = (1 / grid.voxel_m) * (p_m - grid.origin_m), q = min(max(g, {}), top);
    const Int3 c = min(Int3{int(q.x), int(q.y), int(q.z)}, grid.points - Int3{2, 2, 2});
    const std::ptrdiff_t sy = grid.points.x, sz = sy * grid.points.y;
    return {grid.phi_m.data() + c.x + sy * c.y + sz * c.z, sy, sz, q - Vec3{double(c.x), double(c.y), double(c.z)},
            g - q};
}

// A lower bound of the distance of p to the mesh, from the distance d at the nearest point q of the grid box, a = |p -
// q|. The mesh lies inside that box by the margin m: its points q + v have |v| >= d and (p - q).v <= -m a, so |p - q -
// v|^2 >= a^2 + d^2 + 2 m a. Exact where the mesh is next to q. d + a would be up to 1.41 times too large, and callers
// that step or skip by the distance would pass through the mesh.
double lowerBound(const DistanceGrid& grid, double d_m, double a_m)
{
    return std::sqrt(d_m * d_m + a_m * (a_m + 2 * margin_voxels * grid.voxel_m));
}

}  // namespace

double sampleDistance(const DistanceGrid& grid, Vec3 p_m)
{
    const Surrounding s = surroundingOf(grid, p_m);
    const double low = s.alongX(0) + s.fraction.y * (s.alongX(s.sy) - s.alongX(0));
    const double high = s.alongX(s.sz) + s.fraction.y * (s.alongX(s.sz + s.sy) - s.alongX(s.sz));
    const double d = low + s.fraction.z * (high - low);
    return s.outside == Vec3{} ? d : lowerBound(grid, d, grid.voxel_m * length(s.outside));
}

double sampleDistance(const DistanceGrid& grid, Vec3 p_m, Vec3& normal)
{
    const Surrounding s = surroundingOf(grid, p_m);
    const double x00 = s.alongX(0), x10 = s.alongX(s.sy), x01 = s.alongX(s.sz), x11 = s.alongX(s.sz + s.sy);
    const double low = x00 + s.fraction.y * (x10 - x00), high = x01 + s.fraction.y * (x11 - x01);
    const auto slopeX = [&](std::ptrdiff_t at) { return double(s.v[at + 1]) - s.v[at]; };
    const double slope_low = slopeX(0) + s.fraction.y * (slopeX(s.sy) - slopeX(0));
    const double slope_high = slopeX(s.sz) + s.fraction.y * (slopeX(s.sz + s.sy) - slopeX(s.sz));
    const Vec3 slope{slope_low + s.fraction.z * (slope_high - slope_low),
                     (x10 - x00) + s.fraction.z * ((x11 - x01) - (x10 - x00)), high - low};
    const double beyond = length(s.outside);
    normal = normalized(slope / grid.voxel_m + (beyond > 0 ? s.outside / beyond : Vec3{}));
    return low + s.fraction.z * (high - low) + grid.voxel_m * beyond;
}

}  // namespace flotsam
