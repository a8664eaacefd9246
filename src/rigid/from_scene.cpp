#include "rigid/from_scene.h"

#include <fmt/format.h>

#include "core/error.h"
#include "geometry/bunny_toy.h"
#include "geometry/mesh_crossings.h"
#include "geometry/triangulate.h"
#include "scene/body_limits.h"

namespace flotsam {
namespace {

// The polygons of a body around any origin.
struct PolygonsOf {
    TriangleMesh operator()(const BallShape& s) const { return sphereMesh(s.radius_m); }
    TriangleMesh operator()(const BlockShape& s) const { return boxMesh(0.5 * s.size_m); }
    TriangleMesh operator()(const RodShape& s) const { return cylinderMesh(s.radius_m, s.height_m); }
    TriangleMesh operator()(const CapsuleShape& s) const { return capsuleMesh(s.radius_m, s.height_m); }
    TriangleMesh operator()(const EllipsoidShape& s) const { return ellipsoidCollider(s.semi_axes_m)->mesh; }
    TriangleMesh operator()(const BodyMeshShape& s) const { return loadSolid({s.file, s.scale, {}, {}}); }
    TriangleMesh operator()(const GearShape& s) const { return gearMesh(s); }
    TriangleMesh operator()(const GemShape& s) const { return gemMesh(s.size_m); }
    TriangleMesh operator()(const BunnyShape& s) const
    {
        TriangleMesh mesh = bunnyToyMesh();
        for (Vec3& v : mesh.vertices) v = s.height_m * v;
        return mesh;
    }
};

struct SolidOf {
    double density_kg_m3;

    Body operator()(const BallShape& s) const { return sphereBody(s.radius_m, density_kg_m3); }
    Body operator()(const BlockShape& s) const { return boxBody(s.size_m, density_kg_m3); }
    Body operator()(const RodShape& s) const { return cylinderBody(s.radius_m, s.height_m, density_kg_m3); }
    Body operator()(const CapsuleShape& s) const { return capsuleBody(s.radius_m, s.height_m, density_kg_m3); }
    Body operator()(const EllipsoidShape& s) const { return ellipsoidBody(s.semi_axes_m, density_kg_m3); }
    template <class Polygons>
    Body operator()(const Polygons& s) const
    {
        Vec3 center;
        return meshBody(PolygonsOf{}(s), density_kg_m3, center);
    }
};

void refuseCrossings(const BodySpec& spec)
{
    if (!std::holds_alternative<BodyMeshShape>(spec.shape)) return;
    const Crossings crossings = findCrossings(std::visit(PolygonsOf{}, spec.shape));
    if (crossings.pairs == 0) return;
    const Vec3 p = crossings.first_m;
    throw InputError(fmt::format(
        "the mesh passes through itself at {} pairs of triangles, the first near [{:.4g}, {:.4g}, {:.4g}] of the mesh; "
        "unite its parts (a boolean union or a remesh) in a mesh editor",
        crossings.pairs, p.x, p.y, p.z));
}

// Sizes given as numbers are checked when read; the size of a mesh follows from its file and scale.
void refuseTooSmall(const BodySpec& spec, const Body& body)
{
    const Vec3 size = body.collider->bounds_m.size();
    const double smallest = std::min({size.x, size.y, size.z});
    if (smallest >= smallest_body_m && body.mass_kg > 0) return;
    throw InputError(
        fmt::format("{}: body \"{}\" is {:.3g} x {:.3g} x {:.3g} m and has a mass of {:.3g} kg; each side "
                    "must be at least {} m; make it larger",
                    spec.where, spec.name, size.x, size.y, size.z, body.mass_kg, smallest_body_m));
}

// A solid at t = 0.
struct ColliderOf {
    PlacedCollider operator()(const SphereShape& s) const { return {sphereCollider(s.radius_m), s.center_m, {}}; }
    PlacedCollider operator()(const BoxShape& s) const
    {
        return {boxCollider(0.5 * (s.max_m - s.min_m)), 0.5 * (s.min_m + s.max_m),
                quatOf(rotationFromDegrees(s.rotation_deg))};
    }
    PlacedCollider operator()(const CylinderShape& s) const
    {
        return {cylinderCollider(s.radius_m, s.height_m), s.center_m, quatOf(rotationFromDegrees(s.rotation_deg))};
    }
    PlacedCollider operator()(const MeshShape& s) const
    {
        TriangleMesh mesh = loadSolid(s);
        const Vec3 center = boundsOf(mesh).center();
        for (Vec3& v : mesh.vertices) v -= center;
        return {meshCollider(std::move(mesh)), center, {}};
    }
    PlacedCollider operator()(const PoolShape&) const { return {}; }
};

void addSolids(const Scene& scene, RigidWorld& world)
{
    for (const SolidSpec& spec : scene.solids) {
        const PlacedCollider placed =
            scene.domain.twoDimensional() ? sectionOf(spec, scene.domain) : std::visit(ColliderOf{}, spec.shape);
        if (!placed.collider) continue;
        Body body;
        body.name = spec.name;
        body.collider = placed.collider;
        // The centre of the bounds, as for the liquid.
        const Vec3 pivot = spec.has_pivot ? spec.pivot_m : makeShape(spec.shape, scene.domain.h())->bounds().center();
        world.addPrescribed(std::move(body), {placed.x_m, placed.q, pivot, spec.velocity_m_s, spec.spin_rad_s});
    }
}

void addWalls(const DomainParams& domain, RigidWorld& world)
{
    for (int axis = 0; axis < (domain.twoDimensional() ? 2 : 3); ++axis)
        for (int side = 0; side < 2; ++side) {
            if (domain.open[axis][side]) continue;
            Vec3 point, normal;
            point[axis] = side ? domain.size_m()[axis] : 0;
            normal[axis] = side ? -1 : 1;
            const int wall = world.addWall(point, normal);
            world.bodies[size_t(wall)].name = fmt::format("the tank's side {}{}", "-+"[side], "xyz"[axis]);
        }
}

}  // namespace

Body makeBody(const BodySpec& spec)
{
    Body body;
    try {
        refuseCrossings(spec);
        if (spec.distance && *spec.distance != DistanceMethod::exact) {
            Vec3 center;
            body = meshBody(std::visit(PolygonsOf{}, spec.shape), spec.density_kg_m3, center,
                            *spec.distance == DistanceMethod::rays);
        } else {
            body = std::visit(SolidOf{spec.density_kg_m3}, spec.shape);
        }
    } catch (const InputError& e) {
        throw InputError(fmt::format("{}: body \"{}\": {}", spec.where, spec.name, e.what()));
    }
    refuseTooSmall(spec, body);
    body.name = spec.name;
    body.friction = spec.friction;
    body.restitution = spec.restitution;
    body.rolling_friction_m = spec.rolling_friction_m;
    body.spinning_friction_m = spec.spinning_friction_m;
    return body;
}

namespace {

bool haveSameGrid(const Collider& a, const Collider& b)
{
    return a.kind == ColliderKind::grid && b.kind == ColliderKind::grid && a.mesh.vertices == b.mesh.vertices &&
           a.mesh.triangles == b.mesh.triangles && a.section == b.section;
}

// Bodies of one shape share its distance grid: half a megabyte for each of eight gears does not fit the cache of a
// core, and distance queries are most of the cost of coupling.
void shareColliders(std::vector<Body>& bodies)
{
    for (size_t i = 0; i < bodies.size(); ++i)
        for (size_t j = 0; j < i; ++j)
            if (haveSameGrid(*bodies[i].collider, *bodies[j].collider)) {
                bodies[i].collider = bodies[j].collider;
                break;
            }
}

}  // namespace

RigidWorld makeWorld(const Scene& scene)
{
    RigidParams params;
    params.gravity_m_s2 = scene.domain.gravity_m_s2;
    params.max_dt_s = scene.rigid.max_dt_s;
    params.iterations = scene.rigid.iterations;
    RigidWorld world(params);
    if (scene.bodies.empty()) return world;
    const bool flat = scene.domain.twoDimensional();
    if (flat) refuseMotionOutOfPlane(scene);
    for (const BodySpec& spec : scene.bodies)
        if (flat)
            world.add(makeSection(spec, scene.domain), sectionStart(spec, scene.domain));
        else
            world.add(makeBody(spec), {spec.position_m, quatOf(rotationFromDegrees(spec.rotation_deg)),
                                       spec.velocity_m_s, spec.spin_rad_s});
    shareColliders(world.bodies);
    addWalls(scene.domain, world);
    addSolids(scene, world);
    world.setJoints(makeJoints(scene, world), flat);
    return world;
}

}  // namespace flotsam
