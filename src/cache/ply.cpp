#include "cache/ply.h"

#include <fmt/core.h>

#include <bit>
#include <charconv>
#include <cstdint>
#include <cstring>
#include <span>

#include "cache/safe_file.h"
#include "core/error.h"

namespace flotsam {
namespace {

static_assert(std::endian::native == std::endian::little, "the files are little endian");

using Float3 = std::array<float, 3>;
// A property of the vertices: `width` floats each.
struct Column {
    const float* first = nullptr;
    size_t count = 0, width = 3;

    explicit Column(const std::vector<Float3>& vectors)
        : first(vectors.empty() ? nullptr : vectors[0].data()), count(vectors.size())
    {
    }
    explicit Column(const std::vector<float>& scalars) : first(scalars.data()), count(scalars.size()), width(1) {}
};
using Columns = std::vector<Column>;
constexpr size_t triangle_bytes = 1 + 3 * sizeof(int32_t);

// The header of a file is a function of these: reading compares it with the header that writing would produce.
struct Layout {
    std::string_view title;
    std::vector<std::string_view> names;  // of groups of three floats
    bool has_faces = false;
    bool has_temperature = false;  // one additional float

    size_t vertexBytes() const { return names.size() * sizeof(Float3) + (has_temperature ? sizeof(float) : 0); }
};

const Layout surface_layout{"Flotsam surface [m], [m/s]", {"x y z", "nx ny nz", "vx vy vz"}, true};
const Layout hot_surface_layout{"Flotsam surface [m], [m/s], [K]", {"x y z", "nx ny nz", "vx vy vz"}, true, true};
const Layout points_layout{"Flotsam points [m], [m/s]", {"x y z", "vx vy vz"}, false};
const Layout mesh_layout{"Flotsam mesh [m]", {"x y z"}, true};

std::string headerOf(const Layout& layout, size_t vertices, size_t triangles)
{
    std::string header =
        fmt::format("ply\nformat binary_little_endian 1.0\ncomment {}\nelement vertex {}\n", layout.title, vertices);
    for (std::string_view names : layout.names) {
        while (!names.empty()) {
            const size_t end = std::min(names.find(' '), names.size());
            header += fmt::format("property float {}\n", names.substr(0, end));
            names.remove_prefix(std::min(end + 1, names.size()));
        }
    }
    if (layout.has_temperature) header += "property float temperature\n";
    if (layout.has_faces) header += fmt::format("element face {}\nproperty list uchar int vertex_indices\n", triangles);
    return header + "end_header\n";
}

void writePly(const std::filesystem::path& path, const Layout& layout, const Columns& columns,
              std::span<const std::array<int, 3>> triangles)
{
    const size_t vertices = columns[0].count;
    for (const Column& column : columns)
        if (column.count != vertices)
            throw std::logic_error(fmt::format("{}: {} vertices, but {} normals, velocities or temperatures",
                                               path.string(), vertices, column.count));
    std::string bytes = headerOf(layout, vertices, triangles.size());
    size_t at = bytes.size();
    bytes.resize(at + vertices * layout.vertexBytes() + triangles.size() * triangle_bytes);
    const auto put = [&](const void* from, size_t count) {
        std::memcpy(bytes.data() + at, from, count);
        at += count;
    };
    for (size_t v = 0; v < vertices; ++v)
        for (const Column& column : columns) put(column.first + v * column.width, column.width * sizeof(float));
    constexpr uint8_t corners = 3;
    for (const auto& t : triangles) {
        put(&corners, 1);
        put(t.data(), 3 * sizeof(int32_t));
    }
    writeFileAtomically(path, bytes);
}

struct PlyContent {
    std::vector<std::vector<Float3>> columns;
    std::vector<float> temperatures;
    std::vector<std::array<int, 3>> triangles;
};

[[noreturn]] void failReading(const std::filesystem::path& path, const std::string& what)
{
    throw IoError(fmt::format("{}: {}; it was not written by this version or is damaged: simulate this frame again",
                              path.string(), what));
}

// The number after "element <name> " in the header; 0 if there is none.
size_t countIn(std::string_view bytes, std::string_view name)
{
    const std::string key = fmt::format("\nelement {} ", name);
    const std::string_view header = bytes.substr(0, 1024);
    const size_t at = header.find(key);
    size_t count = 0;
    if (at != header.npos) std::from_chars(header.data() + at + key.size(), header.data() + header.size(), count);
    return count;
}

void checkTriangle(const std::filesystem::path& path, uint8_t corners, const std::array<int, 3>& t, size_t vertices)
{
    if (corners != 3) failReading(path, fmt::format("a face has {} corners", corners));
    for (const int v : t)
        if (v < 0 || size_t(v) >= vertices) failReading(path, fmt::format("a face uses vertex {} of {}", v, vertices));
}

PlyContent readPly(const std::filesystem::path& path, const std::string& bytes, const Layout& layout)
{
    const size_t vertices = countIn(bytes, "vertex"), triangles = layout.has_faces ? countIn(bytes, "face") : 0;
    const std::string header = headerOf(layout, vertices, triangles);
    if (!bytes.starts_with(header))
        failReading(path, fmt::format("does not start with the header of a '{}'", layout.title));
    const size_t size = header.size() + vertices * layout.vertexBytes() + triangles * triangle_bytes;
    const size_t limit = bytes.size();  // larger counts could overflow the size
    if (vertices > limit || triangles > limit || bytes.size() != size)
        failReading(path, fmt::format("has {} bytes where {} vertices and {} triangles need another number",
                                      bytes.size(), vertices, triangles));
    const char* from = bytes.data() + header.size();
    const auto take = [&](void* to, size_t count) {
        std::memcpy(to, from, count);
        from += count;
    };
    PlyContent content;
    content.columns.assign(layout.names.size(), std::vector<Float3>(vertices));
    content.triangles.resize(triangles);
    content.temperatures.resize(layout.has_temperature ? vertices : 0);
    for (size_t v = 0; v < vertices; ++v) {
        for (auto& column : content.columns) take(column[v].data(), sizeof(Float3));
        if (layout.has_temperature) take(&content.temperatures[v], sizeof(float));
    }
    for (auto& t : content.triangles) {
        uint8_t corners = 0;
        take(&corners, 1);
        take(t.data(), 3 * sizeof(int32_t));
        checkTriangle(path, corners, t, vertices);
    }
    return content;
}

}  // namespace

void writeSurfacePly(const std::filesystem::path& path, const SurfaceMesh& surface)
{
    const bool hot = !surface.temperatures.empty();
    Columns columns{Column(surface.positions), Column(surface.normals), Column(surface.velocities)};
    if (hot) columns.push_back(Column(surface.temperatures));
    writePly(path, hot ? hot_surface_layout : surface_layout, columns, surface.triangles);
}

void writePointsPly(const std::filesystem::path& path, const std::vector<Float3>& positions,
                    const std::vector<Float3>& velocities)
{
    writePly(path, points_layout, {Column(positions), Column(velocities)}, {});
}

void writeMeshPly(const std::filesystem::path& path, const TriangleMesh& mesh)
{
    std::vector<Float3> positions;
    positions.reserve(mesh.vertices.size());
    for (const Vec3 v : mesh.vertices) positions.push_back({float(v.x), float(v.y), float(v.z)});
    writePly(path, mesh_layout, {Column(positions)}, mesh.triangles);
}

SurfaceMesh readSurfacePly(const std::filesystem::path& path)
{
    const std::string bytes = readWholeFile(path);
    const bool hot = bytes.find(hot_surface_layout.title) < bytes.find("end_header");
    PlyContent c = readPly(path, bytes, hot ? hot_surface_layout : surface_layout);
    return {std::move(c.columns[0]), std::move(c.columns[1]), std::move(c.columns[2]), std::move(c.triangles),
            std::move(c.temperatures)};
}

MovingPoints readPointsPly(const std::filesystem::path& path)
{
    PlyContent c = readPly(path, readWholeFile(path), points_layout);
    return {std::move(c.columns[0]), std::move(c.columns[1])};
}

}  // namespace flotsam
