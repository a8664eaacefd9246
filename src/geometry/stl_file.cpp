#include <fmt/core.h>

#include <cstdint>
#include <cstring>

#include "geometry/mesh_parsing.h"

namespace flotsam {
namespace {

constexpr size_t header_bytes = 84, triangle_bytes = 50;  // 80 free bytes and a count; normal, 3 corners, 2 free bytes

uint32_t triangleCount(const MeshFile& file)
{
    uint32_t count = 0;
    std::memcpy(&count, file.bytes.data() + header_bytes - sizeof count, sizeof count);
    return count;
}

// Binary files may start with "solid" too; they are recognised by their size.
bool isBinary(const MeshFile& file)
{
    const bool has_header = file.bytes.size() >= header_bytes;
    if (has_header && file.bytes.size() == header_bytes + triangle_bytes * size_t(triangleCount(file))) return true;
    std::string_view start = std::string_view(file.bytes).substr(0, 1024);
    const bool has_facet = start.find("facet") != start.npos || start.find("endsolid") != start.npos;
    return has_header && !(takeWord(start) == "solid" && has_facet);
}

TriangleMesh parseBinary(const MeshFile& file)
{
    const size_t count = triangleCount(file), present = (file.bytes.size() - header_bytes) / triangle_bytes;
    if (count > present)
        failAt(file, "byte 80",
               fmt::format("{} triangles announced, but the file ends after {}; it is truncated or not an STL file: "
                           "export it again",
                           count, present));
    TriangleMesh mesh;
    mesh.vertices.reserve(3 * count);
    for (size_t t = 0; t < count; ++t) {
        const size_t start = header_bytes + triangle_bytes * t + 3 * sizeof(float);  // after the normal
        std::array<float, 9> corner;
        std::memcpy(corner.data(), file.bytes.data() + start, sizeof corner);
        for (size_t c = 0; c < 9; c += 3) {
            const Vec3 p{corner[c], corner[c + 1], corner[c + 2]};
            if (const std::string trouble = coordinateTrouble(p); !trouble.empty())
                failAt(file, fmt::format("byte {}", start + c * sizeof(float)), trouble);
            mesh.vertices.push_back(p);
        }
        const int first = int(3 * t);
        mesh.triangles.push_back({first, first + 1, first + 2});
    }
    return mesh;
}

// A facet may be any polygon.
void endFacet(const LineReader& reader, std::vector<int>& polygon, TriangleMesh& mesh)
{
    if (polygon.size() < 3)
        reader.fail(fmt::format("a facet needs three corners, this has {}; export the mesh again", polygon.size()));
    addFan(polygon, mesh);
    polygon.clear();
}

TriangleMesh parseAscii(const MeshFile& file)
{
    TriangleMesh mesh;
    std::vector<int> polygon;
    bool ended = false;
    LineReader reader{file};
    while (reader.advance()) {
        std::string_view words = reader.line;
        const std::string_view kind = takeWord(words);
        if (kind == "vertex") {
            polygon.push_back(int(mesh.vertices.size()));
            mesh.vertices.push_back(takePoint(reader, words));
        } else if (kind == "endloop") {
            endFacet(reader, polygon, mesh);
        } else if (kind == "solid" || kind == "endsolid") {
            ended = kind == "endsolid";
        } else if (!kind.empty() && kind != "facet" && kind != "outer" && kind != "endfacet") {
            reader.fail(
                fmt::format("'{}' is no word of an STL file; export the mesh as STL again", kind.substr(0, 32)));
        }
    }
    if (!ended) reader.fail("the file ends before 'endsolid'; it is cut off or no STL file: export it again");
    return mesh;
}

}  // namespace

TriangleMesh parseStl(const MeshFile& file) { return welded(isBinary(file) ? parseBinary(file) : parseAscii(file)); }

}  // namespace flotsam
