// Bodies and solids of a two-dimensional scene, and the rejection of those without a planar section.
#include <fmt/format.h>

#include "core/error.h"
#include "rigid/from_scene.h"
#include "rigid/section.h"

namespace flotsam {
namespace {

[[noreturn]] void refuse(const std::string& where, const std::string& what, const std::string& remedy)
{
    throw InputError(fmt::format("{}: in a two-dimensional run {}; {}", where, what, remedy));
}

bool alongZ(Vec3 rotation_deg) { return std::abs((rotationFromDegrees(rotation_deg) * Vec3{0, 1, 0}).z) > 1 - 1e-12; }

void refuseTilt(const std::string& where, const std::string& name, Vec3 rotation_deg)
{
    if (rotation_deg.x == 0 && rotation_deg.y == 0) return;
    refuse(where, fmt::format("{} is turned about x or y, out of the plane", name), "turn it about z only");
}

// Through the centre of mass.
struct SectionOfBody {
    const BodySpec& spec;
    std::string name = fmt::format("body \"{}\"", spec.name);

    Section operator()(const BallShape& s) const { return {Section::Kind::disk, {s.radius_m, s.radius_m, 0}}; }
    Section operator()(const BlockShape& s) const
    {
        refuseTilt(spec.where, name, spec.rotation_deg);
        return {Section::Kind::rectangle, 0.5 * s.size_m};
    }
    Section operator()(const RodShape& s) const
    {
        if (alongZ(spec.rotation_deg)) return {Section::Kind::disk, {s.radius_m, s.radius_m, 0}};
        refuseTilt(spec.where, name, spec.rotation_deg);
        return {Section::Kind::rectangle, {s.radius_m, 0.5 * s.height_m, 0}};
    }
    Section operator()(const CapsuleShape& s) const
    {
        if (alongZ(spec.rotation_deg)) return {Section::Kind::disk, {s.radius_m, s.radius_m, 0}};
        refuseTilt(spec.where, name, spec.rotation_deg);
        return {Section::Kind::stadium, {s.radius_m, s.radius_m + 0.5 * s.height_m, 0}};
    }
    Section operator()(const EllipsoidShape& s) const
    {
        refuseTilt(spec.where, name, spec.rotation_deg);
        return {Section::Kind::ellipse, s.semi_axes_m};
    }
    template <class Polygons>
    Section operator()(const Polygons&) const
    {
        refuse(spec.where, fmt::format("{} is a mesh", name),
               "use a sphere, a box, a cylinder, a capsule or an ellipsoid");
    }
};

// At the centre of the layer, which may be off the centre of a solid.
struct SectionOfSolid {
    const SolidSpec& spec;
    const DomainParams& domain;
    std::string name = fmt::format("solid \"{}\"", spec.name);

    double middle() const { return 0.5 * domain.h(); }
    PlacedCollider at(Vec3 center_m, double angle_deg, const Section& section) const
    {
        return {sectionCollider(section, domain.h()),
                {center_m.x, center_m.y, middle()},
                quatOf(rotationFromDegrees({0, 0, angle_deg}))};
    }
    double halfChord(double radius_m, double z_m) const
    {
        const double d = z_m - middle();
        return std::sqrt(std::max(0., radius_m * radius_m - d * d));
    }

    PlacedCollider operator()(const SphereShape& s) const
    {
        const double r = halfChord(s.radius_m, s.center_m.z);
        if (r == 0) return {};
        return at(s.center_m, 0, {Section::Kind::disk, {r, r, 0}});
    }
    PlacedCollider operator()(const BoxShape& s) const
    {
        refuseTilt(spec.where, name, s.rotation_deg);
        if (s.min_m.z >= middle() || s.max_m.z <= middle()) return {};
        return at(0.5 * (s.min_m + s.max_m), s.rotation_deg.z, {Section::Kind::rectangle, 0.5 * (s.max_m - s.min_m)});
    }
    PlacedCollider operator()(const CylinderShape& s) const
    {
        if (alongZ(s.rotation_deg)) {
            if (std::abs(s.center_m.z - middle()) >= 0.5 * s.height_m) return {};
            return at(s.center_m, 0, {Section::Kind::disk, {s.radius_m, s.radius_m, 0}});
        }
        refuseTilt(spec.where, name, s.rotation_deg);
        const double half = halfChord(s.radius_m, s.center_m.z);
        if (half == 0) return {};
        return at(s.center_m, s.rotation_deg.z, {Section::Kind::rectangle, {half, 0.5 * s.height_m, 0}});
    }
    PlacedCollider operator()(const MeshShape&) const
    {
        refuse(spec.where, fmt::format("{} is a mesh, which bodies cannot touch", name),
               "use a sphere, a box or a cylinder, or leave out the bodies");
    }
    PlacedCollider operator()(const PoolShape&) const { return {}; }
};

void refuseOutOfPlane(const std::string& where, const std::string& name, Vec3 velocity_m_s, Vec3 spin_rad_s)
{
    if (velocity_m_s.z != 0) refuse(where, fmt::format("{} has a velocity along z", name), "leave it 0");
    if (spin_rad_s.x != 0 || spin_rad_s.y != 0)
        refuse(where, fmt::format("{} spins about x or y", name), "let it spin about z only");
}

}  // namespace

Body makeSection(const BodySpec& spec, const DomainParams& domain)
{
    if (spec.distance && *spec.distance != DistanceMethod::exact)
        refuse(spec.where, fmt::format("body \"{}\" has its distance from a mesh", spec.name),
               "use distance = \"exact\"");
    Body body = sectionBody(std::visit(SectionOfBody{spec}, spec.shape), domain.h(), spec.density_kg_m3);
    body.name = spec.name;
    body.friction = spec.friction;
    body.restitution = spec.restitution;
    body.rolling_friction_m = spec.rolling_friction_m;
    body.spinning_friction_m = spec.spinning_friction_m;
    return body;
}

BodyState sectionStart(const BodySpec& spec, const DomainParams& domain)
{
    return {{spec.position_m.x, spec.position_m.y, 0.5 * domain.h()},
            quatOf(rotationFromDegrees({0, 0, spec.rotation_deg.z})),
            spec.velocity_m_s,
            spec.spin_rad_s};
}

PlacedCollider sectionOf(const SolidSpec& spec, const DomainParams& domain)
{
    return std::visit(SectionOfSolid{spec, domain}, spec.shape);
}

void refuseMotionOutOfPlane(const Scene& scene)
{
    if (scene.domain.gravity_m_s2.z != 0) refuse(scene.file, "bodies cannot follow a gravity along z", "leave it 0");
    for (const BodySpec& b : scene.bodies)
        refuseOutOfPlane(b.where, fmt::format("body \"{}\"", b.name), b.velocity_m_s, b.spin_rad_s);
    for (const SolidSpec& s : scene.solids)
        refuseOutOfPlane(s.where, fmt::format("solid \"{}\"", s.name), s.velocity_m_s, s.spin_rad_s);
}

}  // namespace flotsam
