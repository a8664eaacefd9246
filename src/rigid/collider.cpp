#include "rigid/collider.h"

#include <limits>

#include "geometry/exact_distance.h"
#include "geometry/triangle_distance.h"
#include "geometry/triangulate.h"
#include "rigid/edge_tree.h"
#include "rigid/point_tree.h"

namespace flotsam {
namespace {

constexpr double grid_points_along_mesh = 64;
constexpr double samples_along_mesh = 24;  // for an edge as long as the shape

Vec3 signsOf(Vec3 p) { return {std::copysign(1, p.x), std::copysign(1, p.y), std::copysign(1, p.z)}; }

DistanceAndNormal boxDistance(Vec3 half, Vec3 p)
{
    const Vec3 sign = signsOf(p), out{std::abs(p.x) - half.x, std::abs(p.y) - half.y, std::abs(p.z) - half.z};
    const Vec3 beyond = max(out, {});
    const double far = length(beyond);
    if (far > 0) return {far, {sign.x * beyond.x / far, sign.y * beyond.y / far, sign.z * beyond.z / far}};
    const int axis = out.x >= out.y && out.x >= out.z ? 0 : out.y >= out.z ? 1 : 2;
    Vec3 n;
    n[axis] = sign[axis];
    return {out[axis], n};
}

DistanceAndNormal cylinderDistance(double radius, double half_height, Vec3 p)
{
    const double r = std::hypot(p.x, p.z), side = r - radius, end = std::abs(p.y) - half_height;
    const Vec3 radial = r > 0 ? Vec3{p.x / r, 0, p.z / r} : Vec3{1, 0, 0}, axial{0, std::copysign(1, p.y), 0};
    if (side > 0 && end > 0) {
        const double far = std::hypot(side, end);
        return {far, (side / far) * radial + (end / far) * axial};
    }
    return side > end ? DistanceAndNormal{side, radial} : DistanceAndNormal{end, axial};
}

// A negative radius is that of a cavity: all but the ball is solid.
DistanceAndNormal sphereDistance(double radius, Vec3 p)
{
    const double r = length(p), side = radius < 0 ? -1 : 1;
    return {side * r - radius, r > 0 ? (side / r) * p : Vec3{0, 1, 0}};
}

DistanceAndNormal capsuleDistance(double radius, double half_height, Vec3 p)
{
    return sphereDistance(radius, {p.x, p.y - std::clamp(p.y, -half_height, half_height), p.z});
}

DistanceAndNormal raysDistance(const TriangleMesh& mesh, Vec3 p)
{
    const Vec3 nearest = nearestPointOn(mesh, p);
    const double sign = insideByParity(mesh, p) ? -1 : 1, d = length(p - nearest);
    return {sign * d, d > 0 ? (sign / d) * (p - nearest) : Vec3{0, 1, 0}};
}

std::shared_ptr<Collider> withMesh(ColliderKind kind, Vec3 size_m, TriangleMesh mesh)
{
    auto c = std::make_shared<Collider>();
    c->kind = kind;
    c->size_m = size_m;
    c->bounds_m = boundsOf(mesh);
    for (const Vec3 v : mesh.vertices) c->reach_m = std::max(c->reach_m, length(v));
    const Vec3 s = c->bounds_m.size();
    c->points = makePointTree(surfacePoints(mesh, std::max({s.x, s.y, s.z}) / samples_along_mesh));
    c->mesh = std::move(mesh);
    return c;
}

double deepestPoint(const DistanceGrid& grid)
{
    double least = 0;
    for (const float d : grid.phi_m) least = std::min(least, double(d));
    return -least;
}

// The radius of the largest ball around the centre of mass.
double depthOfCenter(const Polytope& polytope)
{
    double least = 1e300;
    for (const Polytope::Face& f : polytope.faces) least = std::min(least, f.offset_m);
    return least;
}

}  // namespace

Bounds boundsOf(const Collider& c, Vec3 x_m, const Mat3& r)
{
    const Vec3 half = 0.5 * c.bounds_m.size();
    const auto spread = [&](Vec3 row) {
        return std::abs(row.x) * half.x + std::abs(row.y) * half.y + std::abs(row.z) * half.z;
    };
    const Vec3 reach{spread(r.row0), spread(r.row1), spread(r.row2)}, middle = x_m + r * c.bounds_m.center();
    return {middle - reach, middle + reach};
}

std::vector<OutwardPlane> planesOf(const Collider& c, Vec3 x_m, const Mat3& r)
{
    std::vector<OutwardPlane> list;
    const auto add = [&](Vec3 normal, double offset_m) {
        const Vec3 n = r * normal;
        list.push_back({n, offset_m + dot(n, x_m)});
    };
    if (c.kind == ColliderKind::box) {
        for (int n = 0; n < (c.section ? 4 : 6); ++n) {
            Vec3 normal;
            normal[n / 2] = n & 1 ? 1 : -1;
            add(normal, c.size_m[n / 2]);
        }
    } else {
        for (const Polytope::Face& f : c.polytope.faces) add(f.normal, f.offset_m);
    }
    return list;
}

bool isFartherThan(double distance_m, const Collider& c, Vec3 p_m)
{
    const Vec3 beyond = max(max(c.bounds_m.lo - p_m, p_m - c.bounds_m.hi), {});
    return length(beyond) > distance_m || c.distance(p_m) > distance_m;
}

double Collider::distance(Vec3 p) const
{
    if (kind == ColliderKind::grid) return sampleDistance(grid, p);
    return distanceAndNormal(p).distance_m;
}

DistanceAndNormal Collider::distanceAndNormal(Vec3 p) const
{
    if (section) p.z = 0;
    switch (kind) {
        case ColliderKind::sphere:
            return sphereDistance(size_m.x, p);
        case ColliderKind::box:
            return boxDistance(size_m, p);
        case ColliderKind::cylinder:
            return cylinderDistance(size_m.x, size_m.y, p);
        case ColliderKind::capsule:
            return capsuleDistance(size_m.x, size_m.y, p);
        case ColliderKind::half_space:
            return {p.y, {0, 1, 0}};
        case ColliderKind::ellipsoid: {
            DistanceAndNormal d;
            d.distance_m = distanceToEllipsoid(size_m, p, d.normal);
            return d;
        }
        case ColliderKind::rays:
            return raysDistance(mesh, p);
        case ColliderKind::grid:
            break;
    }
    DistanceAndNormal d;
    d.distance_m = sampleDistance(grid, p, d.normal);
    return d;
}

ColliderPtr sphereCollider(double radius_m)
{
    auto c = std::make_shared<Collider>();
    c->kind = ColliderKind::sphere;
    c->size_m = {radius_m, radius_m, radius_m};
    c->mesh = sphereMesh(radius_m);
    c->bounds_m = {-1 * c->size_m, c->size_m};
    c->reach_m = c->inner_m = c->rounding_m = radius_m;
    c->points = makePointTree({Vec3{}});
    return c;
}

ColliderPtr boxCollider(Vec3 half_m)
{
    auto c = withMesh(ColliderKind::box, half_m, boxMesh(half_m));
    c->inner_m = std::min({half_m.x, half_m.y, half_m.z});
    c->polytope = polytopeOf(c->mesh);
    c->edges = makeEdgeTree(sharpEdgesOf(c->mesh));
    return c;
}

ColliderPtr cylinderCollider(double radius_m, double height_m)
{
    auto c = withMesh(ColliderKind::cylinder, {radius_m, 0.5 * height_m, radius_m}, cylinderMesh(radius_m, height_m));
    c->inner_m = std::min(radius_m, 0.5 * height_m);
    c->bounds_m = {-1 * c->size_m, c->size_m};
    // A body lying across its side touches it between the rims.
    std::vector<Vec3> points = c->points.points_m;
    constexpr int rings = 8;
    for (const Vec3 v : c->mesh.vertices)
        if (v.y < 0 && v.x * v.x + v.z * v.z > 0.25 * radius_m * radius_m)
            for (int k = 1; k < rings; ++k) points.push_back({v.x, height_m * (double(k) / rings - 0.5), v.z});
    c->points = makePointTree(std::move(points));
    c->edges = makeEdgeTree(rimsOfCylinder(radius_m, height_m));
    return c;
}

ColliderPtr capsuleCollider(double radius_m, double height_m)
{
    auto c = std::make_shared<Collider>();
    const double half_m = 0.5 * height_m;
    c->kind = ColliderKind::capsule;
    c->size_m = {radius_m, half_m, radius_m};
    c->mesh = capsuleMesh(radius_m, height_m);
    c->bounds_m = {{-radius_m, -half_m - radius_m, -radius_m}, {radius_m, half_m + radius_m, radius_m}};
    c->reach_m = half_m + radius_m;
    c->inner_m = c->rounding_m = radius_m;
    c->points = makePointTree(pointsAlongCapsule(height_m));
    return c;
}

ColliderPtr ellipsoidCollider(Vec3 half_axes_m)
{
    TriangleMesh mesh = sphereMesh(1);
    for (Vec3& v : mesh.vertices) v = {half_axes_m.x * v.x, half_axes_m.y * v.y, half_axes_m.z * v.z};
    auto c = withMesh(ColliderKind::ellipsoid, half_axes_m, std::move(mesh));
    c->inner_m = std::min({half_axes_m.x, half_axes_m.y, half_axes_m.z});
    return c;
}

ColliderPtr halfSpaceCollider()
{
    auto c = std::make_shared<Collider>();
    c->kind = ColliderKind::half_space;
    constexpr double infinity = std::numeric_limits<double>::infinity();
    c->bounds_m = {{-infinity, -infinity, -infinity}, {infinity, 0, infinity}};
    c->reach_m = infinity;
    return c;
}

ColliderPtr meshCollider(TriangleMesh mesh, bool by_rays)
{
    auto c = withMesh(by_rays ? ColliderKind::rays : ColliderKind::grid, {}, std::move(mesh));
    const Vec3 s = c->bounds_m.size();
    const double longest_m = std::max({s.x, s.y, s.z});
    c->convex = false;
    c->polytope = polytopeOf(c->mesh);
    c->edges = makeEdgeTree(sharpEdgesOf(c->mesh));
    if (by_rays) {
        c->inner_m = 0.5 * std::min({s.x, s.y, s.z});
        return c;
    }
    c->grid = cachedDistanceGridOf(c->mesh, longest_m / grid_points_along_mesh);
    c->inner_m = c->polytope.empty() ? deepestPoint(c->grid) : depthOfCenter(c->polytope);
    return c;
}

}  // namespace flotsam
