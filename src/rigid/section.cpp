#include "rigid/section.h"

#include <numbers>

#include "geometry/triangulate.h"
#include "rigid/point_tree.h"

namespace flotsam {
namespace {

constexpr int outline_points = 256;  // of an ellipse: the gap to a chord is 4e-5 of its radius

TriangleMesh extruded(const Section& s, double depth_m)
{
    if (s.kind == Section::Kind::rectangle) return boxMesh({s.half_m.x, s.half_m.y, 0.5 * depth_m});
    TriangleMesh mesh = placed(cylinderMesh(1, depth_m), rotationFromDegrees({90, 0, 0}), {});
    if (s.kind == Section::Kind::stadium) {
        const double straight_m = s.half_m.y - s.half_m.x;
        for (Vec3& v : mesh.vertices) {
            const double end = std::abs(v.y) < 1e-9 ? 0 : std::copysign(straight_m, v.y);
            v = {s.half_m.x * v.x, s.half_m.x * v.y + end, std::copysign(0.5 * depth_m, v.z)};
        }
        return mesh;
    }
    for (Vec3& v : mesh.vertices) v = {s.half_m.x * v.x, s.half_m.y * v.y, std::copysign(0.5 * depth_m, v.z)};
    return mesh;
}

// Points tested against other bodies: the centre of a disk, corners, the outline of an ellipse.
std::vector<Vec3> outlineOf(const Section& s)
{
    const double x = s.half_m.x, y = s.half_m.y;
    if (s.kind == Section::Kind::disk) return {{}};
    if (s.kind == Section::Kind::stadium) return pointsAlongCapsule(2 * (y - x));
    if (s.kind == Section::Kind::rectangle) return {{x, y, 0}, {-x, y, 0}, {-x, -y, 0}, {x, -y, 0}};
    std::vector<Vec3> points;
    for (int i = 0; i < outline_points; ++i) {
        const double angle = 2 * std::numbers::pi * i / outline_points;
        points.push_back({x * std::cos(angle), y * std::sin(angle), 0});
    }
    return points;
}

}  // namespace

ColliderPtr sectionCollider(const Section& s, double depth_m)
{
    const double longer = std::max(s.half_m.x, s.half_m.y);
    auto c = std::make_shared<Collider>();
    c->section = true;
    const bool stadium = s.kind == Section::Kind::stadium;
    c->kind = s.kind == Section::Kind::disk        ? ColliderKind::sphere
              : s.kind == Section::Kind::rectangle ? ColliderKind::box
              : stadium                            ? ColliderKind::capsule
                                                   : ColliderKind::ellipsoid;
    // The three-dimensional formulas give the planar distance if the third extent is the largest: the nearest point of
    // a block or an ellipsoid is then in the plane.
    c->size_m = {s.half_m.x, s.half_m.y, s.kind == Section::Kind::disk ? s.half_m.x : 2 * longer};
    if (stadium) c->size_m = {s.half_m.x, s.half_m.y - s.half_m.x, s.half_m.x};
    c->mesh = extruded(s, depth_m);
    c->bounds_m = {{-s.half_m.x, -s.half_m.y, -0.5 * depth_m}, {s.half_m.x, s.half_m.y, 0.5 * depth_m}};
    c->reach_m = s.kind == Section::Kind::rectangle ? std::hypot(s.half_m.x, s.half_m.y) : longer;
    c->inner_m = std::min(s.half_m.x, s.half_m.y);
    c->rounding_m = s.kind == Section::Kind::disk || stadium ? s.half_m.x : 0;
    c->points = makePointTree(outlineOf(s));
    return c;
}

namespace {

Body stadiumBody(const Section& s, double depth_m, double density_kg_m3)
{
    const double r = s.half_m.x, h = 2 * (s.half_m.y - r), straight = 2 * r * h, ends = std::numbers::pi * r * r;
    // Each end is half a disk, whose centroid is 4 r / (3 pi) beyond its diameter.
    const double along_x = straight * h * h / 12 + ends * (r * r / 4 + h * h / 4 + h * 4 * r / (3 * std::numbers::pi));
    const double along_y = straight * r * r / 3 + ends * r * r / 4, along_z = depth_m * depth_m / 12;
    Body body;
    body.collider = sectionCollider(s, depth_m);
    body.planar = true;
    body.mass_kg = density_kg_m3 * (straight + ends) * depth_m;
    const double x2 = along_x / (straight + ends), y2 = along_y / (straight + ends);
    body.moments_kg_m2 = body.mass_kg * Vec3{x2 + along_z, y2 + along_z, x2 + y2};
    return body;
}

}  // namespace

Body sectionBody(const Section& s, double depth_m, double density_kg_m3)
{
    const bool rectangle = s.kind == Section::Kind::rectangle;
    const double x2 = s.half_m.x * s.half_m.x, y2 = s.half_m.y * s.half_m.y;
    const double area_m2 = (rectangle ? 4 : std::numbers::pi) * s.half_m.x * s.half_m.y;
    if (s.kind == Section::Kind::stadium) return stadiumBody(s, depth_m, density_kg_m3);
    Body body;
    body.collider = sectionCollider(s, depth_m);
    body.planar = true;
    body.mass_kg = density_kg_m3 * area_m2 * depth_m;
    // About the axes through the centre: of a rectangle (half side)^2 / 3, of an ellipse (half axis)^2 / 4.
    const double part = rectangle ? 1. / 3 : 1. / 4, along_z = depth_m * depth_m / 12;
    body.moments_kg_m2 = body.mass_kg * Vec3{part * y2 + along_z, part * x2 + along_z, part * (x2 + y2)};
    return body;
}

}  // namespace flotsam
