#include "scene/read_shape.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace flotsam {

namespace {

constexpr Limits coordinate = within(largest_coordinate_m);
constexpr Limits size_limits = positive(largest_coordinate_m);
constexpr Limits angle = within(36000);

SphereShape readSphere(const TomlTable& t)
{
    t.allowOnly({"center_m", "radius_m"});
    return {t.requiredVector("center_m", coordinate), t.requiredNumber("radius_m", size_limits)};
}

BoxShape readBox(const TomlTable& t)
{
    t.allowOnly({"min_m", "max_m", "rotation_deg"});
    const BoxShape box{t.requiredVector("min_m", coordinate), t.requiredVector("max_m", coordinate),
                       t.vector("rotation_deg", {}, angle)};
    for (int a = 0; a < 3; ++a)
        if (box.min_m[a] >= box.max_m[a])
            failInput(t.where("min_m", "max_m"),
                      fmt::format("{} is empty along {}: min_m {} is not below max_m {}", t.path(), "xyz"[a],
                                  box.min_m[a], box.max_m[a]),
                      "min_m is the box's lowest corner, max_m its highest");
    return box;
}

CylinderShape readCylinder(const TomlTable& t)
{
    t.allowOnly({"center_m", "radius_m", "height_m", "rotation_deg"});
    return {t.requiredVector("center_m", coordinate), t.requiredNumber("radius_m", size_limits),
            t.requiredNumber("height_m", size_limits), t.vector("rotation_deg", {}, angle)};
}

MeshShape readMesh(const TomlTable& t, const std::filesystem::path& folder)
{
    t.allowOnly({"file", "scale", "position_m", "rotation_deg"});
    return {resolveMeshFile(t, folder), t.number("scale", 1, positive(1e6)), t.vector("position_m", {}, coordinate),
            t.vector("rotation_deg", {}, angle)};
}

PoolShape readPool(const TomlTable& t, double width_m)
{
    t.allowOnly({"depth_m", "amplitude_m", "mode"});
    return {t.requiredNumber("depth_m", size_limits), t.number("amplitude_m", 0, coordinate),
            t.whole("mode", 1, 1, 1000), width_m};
}

}  // namespace

std::string resolveMeshFile(const TomlTable& t, const std::filesystem::path& folder)
{
    const std::string given = t.text("file", "");
    if (given.empty()) failInput(t.where("file"), fmt::format("'{}' is missing", t.name("file")), "name a mesh file");
    if (given == built_in_bunny) return given;
    const std::filesystem::path file = std::filesystem::weakly_canonical(std::filesystem::absolute(folder / given));
    if (!std::filesystem::is_regular_file(file))
        failInput(t.where("file"), fmt::format("there is no mesh file {}", file.string()),
                  fmt::format("the path is relative to the scene file's folder; \"{}\" is built in", built_in_bunny));
    std::string ending = file.extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    if (ending != ".obj" && ending != ".ply" && ending != ".stl")
        failInput(t.where("file"), fmt::format("the mesh file {} is of no known kind", given),
                  "save it as .obj, .ply or .stl");
    return file.string();
}

std::string onlyShapeOf(const TomlTable& owner, const std::vector<std::string>& kinds)
{
    std::vector<std::string> given;
    std::copy_if(kinds.begin(), kinds.end(), std::back_inserter(given), [&](const auto& k) { return owner.has(k); });
    if (given.size() != 1)
        failInput(given.size() < 2 ? owner.where() : owner.where(given[0], given[1]),
                  given.empty()
                      ? fmt::format("{} has no shape", owner.path())
                      : fmt::format("{} has {} shapes ({})", owner.path(), given.size(), fmt::join(given, ", ")),
                  fmt::format("give exactly one of {}", fmt::join(kinds, ", ")));
    return given[0];
}

ShapeSpec readShape(const TomlTable& owner, const ShapeContext& context)
{
    std::vector<std::string> kinds{"sphere", "box", "cylinder", "mesh"};
    if (context.pool_allowed) kinds.push_back("pool");
    const std::string kind = onlyShapeOf(owner, kinds);
    const TomlTable t = owner.sub(kind);
    if (kind == "sphere") return readSphere(t);
    if (kind == "box") return readBox(t);
    if (kind == "cylinder") return readCylinder(t);
    if (kind == "mesh") return readMesh(t, context.folder);
    return readPool(t, context.domain_width_m);
}

}  // namespace flotsam
