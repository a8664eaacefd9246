#include "rigid/body.h"

#include <numbers>

#include "geometry/mass_properties.h"

namespace flotsam {

InverseMass inverseMassOf(const Body& body, Quat q)
{
    if (!body.moves()) return {};
    const Vec3 i = body.moments_kg_m2;
    if (body.planar) return {1 / body.mass_kg, {0, 0, 1 / i.z, 0, 0, 0}};
    return {1 / body.mass_kg, rotated(matrixOf(q) * body.body_from_principal, {1 / i.x, 1 / i.y, 1 / i.z})};
}

namespace {

Body bodyOf(ColliderPtr collider, double mass_kg, Vec3 moments_per_mass_m2)
{
    Body body;
    body.collider = std::move(collider);
    body.mass_kg = mass_kg;
    body.moments_kg_m2 = mass_kg * moments_per_mass_m2;
    return body;
}

}  // namespace

Body sphereBody(double r, double density_kg_m3)
{
    const double i = 0.4 * r * r;
    return bodyOf(sphereCollider(r), density_kg_m3 * 4 / 3 * std::numbers::pi * r * r * r, {i, i, i});
}

Body boxBody(Vec3 s, double density_kg_m3)
{
    const Vec3 i = Vec3{s.y * s.y + s.z * s.z, s.x * s.x + s.z * s.z, s.x * s.x + s.y * s.y} / 12;
    return bodyOf(boxCollider(0.5 * s), density_kg_m3 * s.x * s.y * s.z, i);
}

Body cylinderBody(double r, double h, double density_kg_m3)
{
    const double across = (3 * r * r + h * h) / 12;
    return bodyOf(cylinderCollider(r, h), density_kg_m3 * std::numbers::pi * r * r * h, {across, 0.5 * r * r, across});
}

Body capsuleBody(double r, double h, double density_kg_m3)
{
    const double tube = std::numbers::pi * r * r * h, ends = 4. / 3 * std::numbers::pi * r * r * r;
    // Each end is a hemisphere, whose centre of mass is 3/8 r beyond its plane.
    const double across = tube * (r * r / 4 + h * h / 12) + ends * (0.4 * r * r + h * h / 4 + 0.375 * h * r);
    const double along = (0.5 * tube + 0.4 * ends) * r * r, volume = tube + ends;
    return bodyOf(capsuleCollider(r, h), density_kg_m3 * volume, Vec3{across, along, across} / volume);
}

Body ellipsoidBody(Vec3 a, double density_kg_m3)
{
    const Vec3 i = Vec3{a.y * a.y + a.z * a.z, a.x * a.x + a.z * a.z, a.x * a.x + a.y * a.y} / 5;
    return bodyOf(ellipsoidCollider(a), density_kg_m3 * 4 / 3 * std::numbers::pi * a.x * a.y * a.z, i);
}

Body meshBody(const TriangleMesh& mesh, double density_kg_m3, Vec3& center_m, bool by_rays)
{
    const MassProperties p = massPropertiesOf(mesh);
    TriangleMesh centered = mesh;
    for (Vec3& v : centered.vertices) v -= p.center_m;
    center_m = p.center_m;
    Body body;
    body.collider = meshCollider(std::move(centered), by_rays);
    body.mass_kg = density_kg_m3 * p.volume_m3;
    body.moments_kg_m2 = density_kg_m3 * p.moments;
    body.body_from_principal = p.mesh_from_principal;
    return body;
}

}  // namespace flotsam
