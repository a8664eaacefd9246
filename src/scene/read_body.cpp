#include "scene/read_body.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "scene/body_limits.h"

namespace flotsam {

namespace {

constexpr Limits size_limits = {smallest_body_m, largest_coordinate_m};

GearShape readGear(const TomlTable& t)
{
    t.allowOnly({"radius_m", "thickness_m", "hole_radius_m", "teeth"});
    GearShape gear;
    gear.radius_m = t.requiredNumber("radius_m", size_limits);
    gear.thickness_m = t.number("thickness_m", 0.3 * gear.radius_m, size_limits);
    gear.hole_radius_m = t.number("hole_radius_m", 0.4 * gear.radius_m, size_limits);
    gear.teeth = t.whole("teeth", gear.teeth, 3, 1000);
    if (gear.hole_radius_m >= 0.75 * gear.radius_m)
        failInput(t.where("hole_radius_m"), fmt::format("the hole of {} leaves no rim below the teeth", t.path()),
                  "make hole_radius_m less than 0.75 radius_m");
    return gear;
}

BodyShape readBodyShape(const TomlTable& owner, const ShapeContext& context)
{
    const std::string kind =
        onlyShapeOf(owner, {"sphere", "box", "cylinder", "capsule", "ellipsoid", "mesh", "gear", "gem", "bunny"});
    const TomlTable t = owner.sub(kind);
    if (kind == "gear") return readGear(t);
    if (kind == "sphere") {
        t.allowOnly({"radius_m"});
        return BallShape{t.requiredNumber("radius_m", size_limits)};
    }
    if (kind == "box") {
        t.allowOnly({"size_m"});
        return BlockShape{t.requiredVector("size_m", size_limits)};
    }
    if (kind == "cylinder") {
        t.allowOnly({"radius_m", "height_m"});
        return RodShape{t.requiredNumber("radius_m", size_limits), t.requiredNumber("height_m", size_limits)};
    }
    if (kind == "capsule") {
        t.allowOnly({"radius_m", "height_m"});
        return CapsuleShape{t.requiredNumber("radius_m", size_limits), t.requiredNumber("height_m", size_limits)};
    }
    if (kind == "ellipsoid") {
        t.allowOnly({"semi_axes_m"});
        return EllipsoidShape{t.requiredVector("semi_axes_m", size_limits)};
    }
    if (kind == "gem") {
        t.allowOnly({"size_m"});
        return GemShape{t.requiredNumber("size_m", size_limits)};
    }
    if (kind == "bunny") {
        t.allowOnly({"height_m"});
        return BunnyShape{t.requiredNumber("height_m", size_limits)};
    }
    t.allowOnly({"file", "scale"});
    return BodyMeshShape{resolveMeshFile(t, context.folder), t.number("scale", 1, positive(1e6))};
}

bool isFormula(const BodyShape& s)
{
    return std::holds_alternative<BallShape>(s) || std::holds_alternative<BlockShape>(s) ||
           std::holds_alternative<RodShape>(s) || std::holds_alternative<CapsuleShape>(s) ||
           std::holds_alternative<EllipsoidShape>(s);
}

void readMaterial(const TomlTable& t, BodySpec& b)
{
    std::vector<std::string> words;
    for (const BodyMaterial& m : body_materials) words.emplace_back(m.word);
    if (t.has("material")) {
        const BodyMaterial& m = body_materials[t.word("material", 0, words)];
        b.material = m.word;
        b.density_kg_m3 = m.density_kg_m3;
    }
    if (t.has("density_kg_m3") || b.material.empty())
        b.density_kg_m3 = t.requiredNumber("density_kg_m3", {lightest_body_kg_m3, 1e6});
    if (b.material.empty())  // the appearance for this density
        b.material = b.density_kg_m3 < 1000    ? "wood"
                     : b.density_kg_m3 < 2500  ? "turquoise"
                     : b.density_kg_m3 < 5000  ? "marble"
                     : b.density_kg_m3 < 10000 ? "silver"
                                               : "lead";
}

BodySpec readBody(const TomlTable& t, const ShapeContext& context, const Scene& earlier)
{
    t.allowOnly({"name",
                 "sphere",
                 "box",
                 "cylinder",
                 "capsule",
                 "ellipsoid",
                 "mesh",
                 "gear",
                 "gem",
                 "bunny",
                 "material",
                 "density_kg_m3",
                 "position_m",
                 "rotation_deg",
                 "velocity_m_s",
                 "spin_rad_s",
                 "restitution",
                 "friction",
                 "rolling_friction_m",
                 "spinning_friction_m",
                 "distance"});
    BodySpec b;
    b.name = readName(t, fmt::format("body{}", earlier.bodies.size() + 1), earlier);
    b.shape = readBodyShape(t, context);
    readMaterial(t, b);
    b.position_m = t.requiredVector("position_m", within(largest_coordinate_m));
    b.rotation_deg = t.vector("rotation_deg", {}, within(36000));
    b.velocity_m_s = t.vector("velocity_m_s", {}, within(largest_speed_m_s));
    b.spin_rad_s = t.vector("spin_rad_s", {}, within(1e5));
    b.restitution = t.number("restitution", b.restitution, {0, 1});
    b.friction = t.number("friction", b.friction, {0, 100});
    b.rolling_friction_m = t.number("rolling_friction_m", b.rolling_friction_m, {0, largest_coordinate_m});
    b.spinning_friction_m = t.number("spinning_friction_m", b.spinning_friction_m, {0, largest_coordinate_m});
    if (t.has("distance")) {
        b.distance = DistanceMethod(
            t.word("distance", 0, {distance_method_words[0], distance_method_words[1], distance_method_words[2]}));
        if (*b.distance == DistanceMethod::exact && !isFormula(b.shape))
            failInput(t.where("distance"),
                      fmt::format("{} is \"exact\", but a mesh has no formula", t.name("distance")),
                      "use \"grid\", or \"rays\" where slowness does not matter");
    }
    b.where = t.where();
    return b;
}

}  // namespace

std::string readPlainName(const TomlTable& t, const std::string& fallback)
{
    const std::string name = t.text("name", fallback);
    const auto allowed = [](unsigned char c) { return std::isalnum(c) || c == '_' || c == '-' || c == ' '; };
    if (name.empty() || name.size() > 64 || !std::all_of(name.begin(), name.end(), allowed))
        failInput(t.where("name"), fmt::format("{} is \"{}\"", t.name("name"), name),
                  "use 1 to 64 letters, digits, '-', '_' and spaces");
    return name;
}

// Names become file names.
std::string readName(const TomlTable& t, const std::string& fallback, const Scene& earlier)
{
    const std::string name = readPlainName(t, fallback);
    const auto same = [&](const auto& other) { return other.name == name; };
    if (std::any_of(earlier.solids.begin(), earlier.solids.end(), same))
        failInput(t.where("name"), fmt::format("two solids have the name \"{}\"", name), "give each its own");
    if (std::any_of(earlier.bodies.begin(), earlier.bodies.end(), same))
        failInput(t.where("name"), fmt::format("two bodies have the name \"{}\"", name), "give each its own");
    return name;
}

void readBodies(const TomlTable& root, const ShapeContext& context, Scene& scene)
{
    const TomlTable t = root.sub("rigid");
    t.allowOnly({"max_dt_s", "iterations"});
    scene.rigid.max_dt_s = t.number("max_dt_s", scene.rigid.max_dt_s, {1e-6, 1});
    scene.rigid.iterations = t.whole("iterations", scene.rigid.iterations, 1, 10000);
    const TomlTable coupling = root.sub("coupling");
    coupling.allowOnly({"method", "sub_cell_volume", "buoyancy"});
    CouplingParams& c = scene.coupling;
    c.method = CouplingMethod(coupling.word("method", int(c.method), wordsOf(coupling_method_words)));
    c.sub_cell_volume =
        SubCellVolume(coupling.word("sub_cell_volume", int(c.sub_cell_volume), wordsOf(sub_cell_volume_words)));
    c.buoyancy = Buoyancy(coupling.word("buoyancy", int(c.buoyancy), wordsOf(buoyancy_words)));
    for (const TomlTable& body : root.list("body")) scene.bodies.push_back(readBody(body, context, scene));
}

}  // namespace flotsam
