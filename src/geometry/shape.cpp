#include "geometry/shape.h"

#include <fmt/core.h>

#include <limits>
#include <numbers>

#include "core/error.h"
#include "geometry/bunny_toy.h"
#include "geometry/mesh_distance.h"
#include "geometry/triangulate.h"

namespace flotsam {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

Vec3 absolute(Vec3 a) { return {std::abs(a.x), std::abs(a.y), std::abs(a.z)}; }

// The distance to a box, or to a shape with fewer pairs of faces, from the signed distances to those pairs.
double distanceFromFaces(Vec3 outside)
{
    return length(max(outside, {})) + std::min(std::max({outside.x, outside.y, outside.z}), 0.0);
}

class Sphere : public Shape {
public:
    explicit Sphere(const SphereShape& spec) : s(spec) {}
    double signedDistance(Vec3 p_m) const override { return length(p_m - s.center_m) - s.radius_m; }
    Bounds bounds() const override
    {
        const Vec3 r{s.radius_m, s.radius_m, s.radius_m};
        return {s.center_m - r, s.center_m + r};
    }
    TriangleMesh triangulated() const override { return placed(sphereMesh(s.radius_m), {}, s.center_m); }

private:
    SphereShape s;
};

class Box : public Shape {
public:
    explicit Box(const BoxShape& spec)
        : center_m(0.5 * (spec.min_m + spec.max_m)),
          half_m(0.5 * absolute(spec.max_m - spec.min_m)),
          world_from_box(rotationFromDegrees(spec.rotation_deg))
    {
    }
    double signedDistance(Vec3 p_m) const override
    {
        return distanceFromFaces(absolute(transposed(world_from_box) * (p_m - center_m)) - half_m);
    }
    Bounds bounds() const override
    {
        const Mat3& r = world_from_box;
        const Vec3 reach = Mat3{absolute(r.row0), absolute(r.row1), absolute(r.row2)} * half_m;
        return {center_m - reach, center_m + reach};
    }
    TriangleMesh triangulated() const override { return placed(boxMesh(half_m), world_from_box, center_m); }

private:
    Vec3 center_m, half_m;
    Mat3 world_from_box;
};

class Cylinder : public Shape {
public:
    explicit Cylinder(const CylinderShape& spec) : s(spec), world_from_cylinder(rotationFromDegrees(spec.rotation_deg))
    {
    }
    double signedDistance(Vec3 p_m) const override
    {
        const Vec3 q = transposed(world_from_cylinder) * (p_m - s.center_m);
        return distanceFromFaces({std::hypot(q.x, q.z) - s.radius_m, std::abs(q.y) - 0.5 * s.height_m, -infinity});
    }
    Bounds bounds() const override
    {
        const Vec3 axis = world_from_cylinder * Vec3{0, 1, 0};
        Vec3 reach;
        for (int a = 0; a < 3; ++a)
            reach[a] =
                s.radius_m * std::sqrt(std::max(0.0, 1 - axis[a] * axis[a])) + 0.5 * s.height_m * std::abs(axis[a]);
        return {s.center_m - reach, s.center_m + reach};
    }
    TriangleMesh triangulated() const override
    {
        return placed(cylinderMesh(s.radius_m, s.height_m), world_from_cylinder, s.center_m);
    }

private:
    CylinderShape s;
    Mat3 world_from_cylinder;
};

class Pool : public Shape {
public:
    explicit Pool(const PoolShape& spec) : s(spec), wave_number(spec.mode * std::numbers::pi / spec.width_m) {}
    double signedDistance(Vec3 p_m) const override
    {
        const double over_m = p_m.y - height(p_m.x);
        if (s.amplitude_m == 0 || wave_number == 0) return over_m;
        return std::copysign(distanceToWave(p_m.x, p_m.y, std::abs(over_m)), over_m);
    }
    Bounds bounds() const override
    {
        return {{-infinity, -infinity, -infinity}, {infinity, s.depth_m + std::abs(s.amplitude_m), infinity}};
    }
    TriangleMesh triangulated() const override { return {}; }

private:
    double height(double x) const { return s.depth_m + s.amplitude_m * std::cos(wave_number * x); }

    // The curve is symmetric about each crest and trough, so the closest point lies between the same two of them as p,
    // and no farther along x than the curve is along y. The best of nine samples there is the initial guess of Newton's
    // method for f(x) = (x - px) + (y(x) - py) y'(x) = 0.
    double distanceToWave(double px, double py, double reach_m) const
    {
        const double half_wave_m = std::numbers::pi / wave_number, first = std::floor(px / half_wave_m) * half_wave_m;
        const double lo = std::max(first, px - reach_m), hi = std::min(first + half_wave_m, px + reach_m);
        const auto distance = [&](double x) { return std::hypot(x - px, height(x) - py); };
        double x = px, best = reach_m;
        for (int n = 0; n <= 8; ++n) {
            const double sample = lo + (hi - lo) * n / 8;
            if (distance(sample) < best) best = distance(x = sample);
        }
        for (int n = 0; n < 6; ++n) {
            const double wave = s.amplitude_m * std::cos(wave_number * x), over = s.depth_m + wave - py;
            const double slope = -s.amplitude_m * wave_number * std::sin(wave_number * x);
            const double curvature = -wave_number * wave_number * wave;
            const double f = x - px + over * slope, df = 1 + slope * slope + over * curvature;
            if (!(df > 0)) break;
            x = std::clamp(x - f / df, lo, hi);
        }
        return std::min(best, distance(x));
    }

    PoolShape s;
    double wave_number;  // [1/m]
};

class Mesh : public Shape {
public:
    Mesh(TriangleMesh closed, double voxel_m) : mesh(std::move(closed)), grid(distanceGridOf(mesh, voxel_m)) {}
    double signedDistance(Vec3 p_m) const override { return sampleDistance(grid, p_m); }
    Bounds bounds() const override { return boundsOf(mesh); }
    TriangleMesh triangulated() const override { return mesh; }

private:
    TriangleMesh mesh;
    DistanceGrid grid;
};

void checkClosed(const std::string& file, const MeshDefects& defects)
{
    if (defects.boundary_edges > 0)
        throw InputError(fmt::format("{}: the mesh is not closed: {} open edges; fill its holes in a mesh editor", file,
                                     defects.boundary_edges));
    if (defects.misoriented_edges > 0)
        throw InputError(
            fmt::format("{}: triangles disagree about the outside at {} edges; recalculate the normals "
                        "and remove inner faces in a mesh editor",
                        file, defects.misoriented_edges));
}

}  // namespace

TriangleMesh loadSolid(const MeshShape& spec)
{
    TriangleMesh mesh = spec.file == built_in_bunny ? bunnyToyMesh() : loadMesh(spec.file);
    if (findDefects(mesh).boundary_edges > 0) mesh = welded(mesh);  // exporters split vertices at creases
    checkClosed(spec.file, findDefects(mesh));
    for (Vec3& v : mesh.vertices) v = spec.scale * v;
    mesh = placed(std::move(mesh), rotationFromDegrees(spec.rotation_deg), spec.position_m);
    const double volume_m3 = signedVolume(mesh);
    if (volume_m3 == 0)
        throw InputError(fmt::format("{}: the mesh encloses no volume; check it and its scale", spec.file));
    if (volume_m3 < 0)
        for (auto& t : mesh.triangles) std::swap(t[1], t[2]);
    return mesh;
}

std::shared_ptr<const Shape> makeShape(const ShapeSpec& spec, double voxel_m)
{
    if (const auto* s = std::get_if<SphereShape>(&spec)) return std::make_shared<Sphere>(*s);
    if (const auto* s = std::get_if<BoxShape>(&spec)) return std::make_shared<Box>(*s);
    if (const auto* s = std::get_if<CylinderShape>(&spec)) return std::make_shared<Cylinder>(*s);
    if (const auto* s = std::get_if<PoolShape>(&spec)) return std::make_shared<Pool>(*s);
    return std::make_shared<Mesh>(loadSolid(std::get<MeshShape>(spec)), voxel_m);
}

}  // namespace flotsam
