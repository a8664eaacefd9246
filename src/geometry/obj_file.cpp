#include <fmt/core.h>

#include "geometry/mesh_parsing.h"

namespace flotsam {
namespace {

constexpr std::string_view remedy = "export the mesh again";

// "7", "7/1", "7/1/3", "7//3" or the same with -1 for the newest vertex. Vertices may come after the faces that use
// them, so the upper limit is checked at the end.
int vertexNumber(const LineReader& reader, std::string_view word, size_t vertices_so_far)
{
    long long number = 0;
    if (!parseNumber(word.substr(0, word.find('/')), number) || number == 0)
        reader.fail(fmt::format("'{}' is not the number of a vertex (they count from 1); {}", word, remedy));
    const long long index = number > 0 ? number - 1 : (long long)(vertices_so_far) + number;
    if (index < 0 || index > INT32_MAX)
        reader.fail(fmt::format("a face uses vertex {}, but {} came before it; {}", number, vertices_so_far, remedy));
    return int(index);
}

std::vector<int> takeFace(const LineReader& reader, std::string_view words, size_t vertices_so_far)
{
    std::vector<int> face;
    for (std::string_view word = takeWord(words); !word.empty(); word = takeWord(words)) {
        if (word.front() == '#') break;
        face.push_back(vertexNumber(reader, word, vertices_so_far));
    }
    if (face.size() < 3)
        reader.fail(fmt::format("a face needs three corners or more, this has {}; {}", face.size(), remedy));
    return face;
}

// The current line, with the following ones joined to it by a backslash at the end.
std::string_view joinedLine(LineReader& reader, std::string& storage)
{
    if (reader.line.empty() || reader.line.back() != '\\') return reader.line;
    storage.clear();
    do {
        storage.append(reader.line.substr(0, reader.line.size() - 1)).push_back(' ');
        if (!reader.advance()) return storage;
    } while (!reader.line.empty() && reader.line.back() == '\\');
    return storage.append(reader.line);
}

void checkVerticesExist(const MeshFile& file, const TriangleMesh& mesh, const std::vector<int>& line_of_triangle)
{
    for (size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const int v : mesh.triangles[t])
            if (size_t(v) >= mesh.vertices.size())
                failAt(
                    file, std::to_string(line_of_triangle[t]),
                    fmt::format("a face uses vertex {}, but there are {}; {}", v + 1LL, mesh.vertices.size(), remedy));
}

}  // namespace

TriangleMesh parseObj(const MeshFile& file)
{
    TriangleMesh mesh;
    std::vector<int> line_of_triangle;
    std::string storage;
    for (LineReader reader{file}; reader.advance();) {
        std::string_view words = joinedLine(reader, storage);
        const std::string_view kind = takeWord(words);
        if (kind == "v") mesh.vertices.push_back(takePoint(reader, words));
        if (kind == "f") addFan(takeFace(reader, words, mesh.vertices.size()), mesh);
        line_of_triangle.resize(mesh.triangles.size(), reader.number);
    }
    checkVerticesExist(file, mesh, line_of_triangle);
    return mesh;
}

}  // namespace flotsam
