#include <fmt/format.h>

#include <algorithm>

#include "core/error.h"
#include "geometry/mesh_components.h"
#include "rigid/from_scene.h"

namespace flotsam {

namespace {

void refuseOutside(const Scene& scene)
{
    const Vec3 size = scene.domain.size_m();
    for (size_t i = 0; i < scene.bodies.size(); ++i) {
        const BodySpec& spec = scene.bodies[i];
        for (int axis = 0; axis < (scene.domain.twoDimensional() ? 2 : 3); ++axis)
            for (int side = 0; side < 2; ++side) {
                const double out_m = side ? spec.position_m[axis] - size[axis] : -spec.position_m[axis];
                if (scene.domain.open[axis][side] || out_m <= 0) continue;
                throw InputError(fmt::format(
                    "{}: body \"{}\" starts outside of the tank, {:.4g} m beyond its side {}{}; move it inside, or "
                    "open that side",
                    spec.where, spec.name, out_m, "-+"[side], "xyz"[axis]));
            }
    }
}

double largestSide(Vec3 size_m) { return std::max({size_m.x, size_m.y, size_m.z}); }

bool isLargerThanTank(const Scene& scene, const Body& body)
{
    return largestSide(body.collider->bounds_m.size()) > largestSide(scene.domain.size_m());
}

// Mesh files are as often in millimetres as in metres.
std::string unitHint(const BodySpec& spec)
{
    return std::holds_alternative<BodyMeshShape>(spec.shape) ? "; is the mesh in millimetres? then its scale is 0.001"
                                                             : "; are its sizes in metres?";
}

// One warning for all of them.
void checkDensities(const std::vector<BodySpec>& bodies, std::vector<std::string>& warnings)
{
    constexpr double lead_g_cm3 = 11.4;
    const auto is_light = [](const BodySpec& b) { return b.density_kg_m3 <= lead_g_cm3; };
    const auto first = std::find_if(bodies.begin(), bodies.end(), is_light);
    if (first == bodies.end()) return;
    const auto others = std::count_if(bodies.begin(), bodies.end(), is_light) - 1;
    warnings.push_back(fmt::format("{}: body \"{}\" has a density of {:.4g} kg/m3{}; is it in g/cm3? wood has 740",
                                   first->where, first->name, first->density_kg_m3,
                                   others > 0 ? fmt::format(", and {} others are as light", others) : ""));
}

void checkSize(const Scene& scene, const BodySpec& spec, const Body& body, std::vector<std::string>& warnings)
{
    constexpr double far_smaller = 1e-3;
    const double size_m = largestSide(body.collider->bounds_m.size()), tank_m = largestSide(scene.domain.size_m());
    if (!isLargerThanTank(scene, body) && size_m > far_smaller * tank_m) return;
    warnings.push_back(fmt::format("{}: body \"{}\" is {:.4g} m large, the tank {:.4g} m{}", spec.where, spec.name,
                                   size_m, tank_m, size_m > tank_m ? unitHint(spec) : "; are its sizes in metres?"));
}

// Such a mesh has no self-intersections, but its inner component counts twice in mass and moments.
void checkNesting(const BodySpec& spec, const Body& body, std::vector<std::string>& warnings)
{
    if (!std::holds_alternative<BodyMeshShape>(spec.shape)) return;
    const double twice_m3 = volumeCountedTwice(body.collider->mesh), all_m3 = body.mass_kg / spec.density_kg_m3;
    if (!(twice_m3 > 1e-6 * all_m3)) return;
    warnings.push_back(fmt::format(
        "{}: a part of the mesh of body \"{}\" lies inside another and has the same orientation: its volume counts "
        "twice, and the mass is {:.3g} % too high; delete that part, or flip its normals to make it a cavity",
        spec.where, spec.name, 100 * twice_m3 / (all_m3 - twice_m3)));
}

}  // namespace

BodySummary summaryOf(const Scene& scene, const RigidWorld& world)
{
    const Vec3 up = normalized(-scene.domain.gravity_m_s2), size = scene.domain.size_m();
    const double lowest_m = dot(min(up, {}), size);
    BodySummary summary;
    for (size_t i = 0; i < size_t(world.moving()); ++i) {
        summary.fall_m = std::max(summary.fall_m, dot(up, world.state.bodies[i].x_m) - lowest_m);
        summary.triangles += (long long)(world.bodies[i].collider->mesh.triangles.size());
    }
    summary.speed_m_s = world.fastest();
    return summary;
}

BodyPreflight inspectBodies(const Scene& scene, const RigidWorld& world)
{
    constexpr double refused_of_inner = 0.02, mentioned_of_inner = 1e-3;
    BodyPreflight result;
    refuseOutside(scene);
    checkDensities(scene.bodies, result.warnings);
    for (int i = 0; i < world.moving(); ++i) {
        const Body& b = world.bodies[size_t(i)];
        const BodySpec& spec = scene.bodies[size_t(i)];
        result.bodies.push_back({b.name, b.mass_kg, b.mass_kg / spec.density_kg_m3, b.collider->mesh.triangles.size()});
        checkSize(scene, spec, b, result.warnings);
        checkNesting(spec, b, result.warnings);
    }
    for (const Overlap& o : world.overlaps()) {
        if (std::string joined = overlapWarning(scene, world, o); !joined.empty()) {
            result.warnings.push_back(std::move(joined));
            continue;
        }
        const Body &a = world.bodies[size_t(o.a)], &b = world.bodies[size_t(o.b)];
        const BodySpec& spec = scene.bodies[size_t(o.a)];
        const double inner_m = a.collider->inner_m;
        const std::string other = o.b < world.moving()                           ? fmt::format("body \"{}\"", b.name)
                                  : b.collider->kind == ColliderKind::half_space ? b.name
                                                                                 : fmt::format("solid \"{}\"", b.name);
        const std::string what =
            fmt::format("{}: body \"{}\" starts {:.3g} m inside {}", spec.where, spec.name, o.depth_m, other);
        if (o.depth_m > refused_of_inner * inner_m)
            throw InputError(what +
                             (b.collider->kind == ColliderKind::half_space
                                  ? "; move it, or make it smaller or the tank larger"
                                  : "; move one of them") +
                             (isLargerThanTank(scene, a) ? unitHint(spec) : ""));
        if (o.depth_m > mentioned_of_inner * inner_m) result.warnings.push_back(what + "; they will be pushed apart");
    }
    for (std::string& warning : inspectJoints(scene, world)) result.warnings.push_back(std::move(warning));
    return result;
}

}  // namespace flotsam
