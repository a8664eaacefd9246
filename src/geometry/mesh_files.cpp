#include <fmt/core.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "geometry/mesh_parsing.h"

namespace flotsam {
namespace {

constexpr double max_coordinate_m = 1e9;
constexpr std::uintmax_t max_file_bytes = 4'000'000'000;  // about 60 million triangles

MeshFile readMeshFile(const std::string& path)
{
    namespace fs = std::filesystem;
    MeshFile file{path, {}};
    std::error_code error;
    const fs::file_status status = fs::status(path, error);
    if (status.type() == fs::file_type::not_found)
        failAt(file, "", "no such file; check the path, which is relative to the scene file");
    if (error) failAt(file, "", error.message() + "; check the path and its permissions");
    if (status.type() != fs::file_type::regular) failAt(file, "", "not a file; name a mesh file (.obj, .ply or .stl)");
    const std::uintmax_t size = fs::file_size(path, error);
    if (error) failAt(file, "", error.message() + "; check the path and its permissions");
    if (size > max_file_bytes)
        failAt(file, "", fmt::format("{} bytes are too many; reduce the mesh in a mesh editor", size));
    if (size == 0) failAt(file, "", "the file is empty; export the mesh again");
    std::ifstream stream(path, std::ios::binary);
    file.bytes.resize(size_t(size));
    if (!stream.read(file.bytes.data(), std::streamsize(size)))
        failAt(file, "", fmt::format("cannot be read ({}); check its permissions", std::strerror(errno)));
    return file;
}

std::string lowerCaseEnding(const std::string& path)
{
    std::string ending = std::filesystem::path(path).extension().string();
    for (char& c : ending) c = c >= 'A' && c <= 'Z' ? char(c - 'A' + 'a') : c;
    return ending;
}

template <class Number>
bool parseWhole(std::string_view word, Number& value)
{
    if (word.size() > 1 && word[0] == '+' && word[1] != '-') word.remove_prefix(1);
    const auto [end, error] = std::from_chars(word.data(), word.data() + word.size(), value);
    return error == std::errc{} && end == word.data() + word.size();
}

}  // namespace

void failAt(const MeshFile& file, const std::string& place, const std::string& what)
{
    throw InputError(place.empty() ? fmt::format("{}: {}", file.path, what)
                                   : fmt::format("{}:{}: {}", file.path, place, what));
}

bool LineReader::advance()
{
    const std::string_view all = file.bytes;
    if (next >= all.size()) return false;
    const size_t end = std::min(all.find('\n', next), all.size());
    line = all.substr(next, end - next);
    if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
    next = end + 1;
    ++number;
    return true;
}

std::string_view takeWord(std::string_view& text)
{
    constexpr std::string_view blanks = " \t\r\n\v\f";
    const size_t begin = std::min(text.find_first_not_of(blanks), text.size());
    const size_t end = std::min(text.find_first_of(blanks, begin), text.size());
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

bool parseNumber(std::string_view word, double& value) { return parseWhole(word, value); }
bool parseNumber(std::string_view word, long long& value) { return parseWhole(word, value); }

std::string coordinateTrouble(Vec3 p)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (!std::isfinite(p[axis])) return "a coordinate is not a finite number; export the mesh again";
        if (std::abs(p[axis]) > max_coordinate_m)
            return fmt::format("the coordinate {} is beyond {}; check the units of the export", p[axis],
                               max_coordinate_m);
    }
    return {};
}

Vec3 takePoint(const LineReader& reader, std::string_view& words)
{
    Vec3 p;
    for (int axis = 0; axis < 3; ++axis) {
        const std::string_view word = takeWord(words);
        if (word.empty()) reader.fail("a vertex needs three coordinates; the file may be cut off: export it again");
        if (!parseNumber(word, p[axis]))
            reader.fail(fmt::format("'{}' is not a number that fits; export the mesh again", word));
    }
    if (const std::string trouble = coordinateTrouble(p); !trouble.empty()) reader.fail(trouble);
    return p;
}

void addFan(const std::vector<int>& polygon, TriangleMesh& mesh)
{
    for (size_t corner = 2; corner < polygon.size(); ++corner)
        mesh.triangles.push_back({polygon[0], polygon[corner - 1], polygon[corner]});
}

TriangleMesh loadMesh(const std::string& path)
{
    const std::string ending = lowerCaseEnding(path);
    const auto parse = ending == ".obj"   ? parseObj
                       : ending == ".ply" ? parsePly
                       : ending == ".stl" ? parseStl
                                          : nullptr;
    const MeshFile file = parse ? readMeshFile(path) : MeshFile{path, {}};
    if (!parse)
        failAt(file, "", fmt::format("the ending '{}' names no known mesh format; use .obj, .ply or .stl", ending));
    TriangleMesh mesh = parse(file);
    if (mesh.triangles.empty()) failAt(file, "", "holds no triangles; export a surface with faces");
    return mesh;
}

}  // namespace flotsam
