#include "scene/identity.h"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <map>
#include <sstream>

#include "core/hash.h"

namespace flotsam {

namespace {

std::string contentOf(const std::string& mesh_file)
{
    if (mesh_file == built_in_bunny) return mesh_file;
    const TriangleMesh mesh = loadMesh(mesh_file);
    const uint64_t vertices = hashBytes(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3));
    return fmt::format("triangles of hash {:016x}",
                       hashBytes(mesh.triangles.data(), mesh.triangles.size() * sizeof mesh.triangles[0], vertices));
}

void nameByContent(ShapeSpec& shape)
{
    if (auto* mesh = std::get_if<MeshShape>(&shape)) mesh->file = contentOf(mesh->file);
}

void nameMeshesByContent(Scene& scene)
{
    for (RegionSpec& region : scene.liquid.regions) nameByContent(region.shape);
    for (SourceSpec& source : scene.liquid.sources) nameByContent(source.shape);
    for (HeatSourceSpec& source : scene.heat.sources) nameByContent(source.shape);
    for (SolidSpec& solid : scene.solids) nameByContent(solid.shape);
    for (BodySpec& body : scene.bodies)
        if (auto* mesh = std::get_if<BodyMeshShape>(&body.shape)) mesh->file = contentOf(mesh->file);
}

std::string valueText(const toml::node& node)
{
    if (const auto* number = node.as_floating_point()) return fmt::format("{}", number->get());
    if (const toml::array* list = node.as_array()) {
        std::string values;
        for (const toml::node& value : *list) values += (values.empty() ? "" : ", ") + valueText(value);
        return fmt::format("[{}]", values);
    }
    std::ostringstream text;
    text << toml::toml_formatter{node, toml::format_flags::none};
    return text.str();
}

// Tables and lists of tables are split into their keys; a list of numbers is one value.
void addLines(const std::string& key, const toml::node& node, std::ostream& lines)
{
    if (const toml::table* table = node.as_table()) {
        for (const auto& [name, value] : *table)
            addLines(fmt::format("{}{}{}", key, key.empty() ? "" : ".", name.str()), value, lines);
        return;
    }
    const toml::array* list = node.as_array();
    if (!list || !list->is_homogeneous(toml::node_type::table)) {
        lines << key << " = " << valueText(node) << '\n';
        return;
    }
    for (size_t i = 0; i < list->size(); ++i) addLines(fmt::format("{}.{}", key, i), (*list)[i], lines);
}

using Values = std::map<std::string, std::string>;

Values valuesOf(const std::string& identity)
{
    constexpr std::string_view equals = " = ";
    Values values;
    std::istringstream lines(identity);
    for (std::string line; std::getline(lines, line);) {
        const size_t at = line.find(equals);
        if (at != line.npos) values[line.substr(0, at)] = line.substr(at + equals.size());
    }
    return values;
}

}  // namespace

std::string sceneIdentity(const Scene& scene)
{
    Scene same = scene;
    same.time.seconds = 0;
    same.output = {};
    same.render = {};
    nameMeshesByContent(same);
    toml::table root = toml::parse(sceneToToml(same));
    root["time"].as_table()->erase("seconds");
    root.erase("output");
    root.erase("render");
    std::ostringstream lines;
    addLines("", root, lines);
    return lines.str();
}

std::string identityDifference(const std::string& now, const std::string& before)
{
    const Values values_now = valuesOf(now), values_before = valuesOf(before);
    Values all = values_now;
    all.insert(values_before.begin(), values_before.end());
    const auto valueIn = [](const Values& values, const std::string& key) {
        const auto found = values.find(key);
        return found == values.end() ? "absent" : found->second;
    };
    std::string first;
    int others = 0;
    for (const auto& [key, value] : all) {
        const std::string a = valueIn(values_now, key), b = valueIn(values_before, key);
        if (a == b) continue;
        if (first.empty())
            first = fmt::format("{} is {} and was {}", key, a, b);
        else
            ++others;
    }
    if (others == 0) return first;
    return fmt::format("{}, and {} other key{}", first, others, others == 1 ? " differs" : "s differ");
}

}  // namespace flotsam
