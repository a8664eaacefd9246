#include <fmt/core.h>

#include <bit>
#include <cstdint>
#include <cstring>

#include "geometry/ply_header.h"

namespace flotsam {
namespace {

// The numbers of an ascii body, one by one.
struct AsciiNumbers {
    LineReader reader;
    std::string_view rest = {};

    void startRow() {}
    std::string place() const { return std::to_string(reader.number); }
    double take(PlyType)
    {
        std::string_view word = takeWord(rest);
        while (word.empty()) {
            if (!reader.advance()) reader.fail("the file ends before its last element; it is cut off: export it again");
            rest = reader.line;
            word = takeWord(rest);
        }
        double value = 0;
        if (!parseNumber(word, value))
            reader.fail(fmt::format("'{}' is not a number that fits; export the mesh again", word.substr(0, 32)));
        return value;
    }
};

struct BinaryNumbers {
    const MeshFile& file;
    size_t next = 0;
    bool swap = false;  // the byte order of the file differs from that of this machine
    size_t row_start = next;

    void startRow() { row_start = next; }
    std::string place() const { return fmt::format("byte {}", row_start); }
    double take(PlyType type)
    {
        const size_t size = sizeOf(type);
        if (size > file.bytes.size() - next)
            failAt(file, place(), "the file ends before its last element; it is cut off: export it again");
        std::array<char, 8> bytes{};
        std::memcpy(bytes.data(), file.bytes.data() + next, size);
        if (swap) std::reverse(bytes.begin(), bytes.begin() + std::ptrdiff_t(size));
        next += size;
        switch (type) {
            case PlyType::int8:
                return as<int8_t>(bytes);
            case PlyType::uint8:
                return as<uint8_t>(bytes);
            case PlyType::int16:
                return as<int16_t>(bytes);
            case PlyType::uint16:
                return as<uint16_t>(bytes);
            case PlyType::int32:
                return as<int32_t>(bytes);
            case PlyType::uint32:
                return as<uint32_t>(bytes);
            case PlyType::float32:
                return as<float>(bytes);
            case PlyType::float64:
                return as<double>(bytes);
        }
        return 0;
    }
    template <class T>
    static T as(const std::array<char, 8>& bytes)
    {
        T value;
        std::memcpy(&value, bytes.data(), sizeof value);
        return value;
    }
};

// One row of an element: the number or list of each property.
using Row = std::vector<std::vector<double>>;

template <class Numbers>
void takeRow(const MeshFile& file, const PlyElement& element, Numbers& numbers, Row& row)
{
    row.resize(element.properties.size());
    numbers.startRow();
    for (size_t p = 0; p < row.size(); ++p) {
        const PlyProperty& property = element.properties[p];
        const double count = property.count_type ? numbers.take(*property.count_type) : 1;
        if (!(count >= 0 && count <= double(file.bytes.size())))
            failAt(file, numbers.place(),
                   fmt::format("a list of {} numbers is not possible; export the mesh again", count));
        row[p].clear();
        for (size_t n = 0; n < size_t(count); ++n) row[p].push_back(numbers.take(property.type));
    }
}

// Index of the property in a row; past the end if there is none.
size_t columnOf(const PlyElement& element, std::string_view name, bool list)
{
    size_t column = 0;
    for (const PlyProperty& p : element.properties) {
        if (p.name == name && p.count_type.has_value() == list) break;
        ++column;
    }
    return column;
}

template <class Numbers>
void takeVertices(const MeshFile& file, const PlyElement& element, Numbers& numbers, TriangleMesh& mesh)
{
    const size_t x = columnOf(element, "x", false), y = columnOf(element, "y", false),
                 z = columnOf(element, "z", false);
    if (std::max({x, y, z}) == element.properties.size())
        failAt(file, "", "its vertices have no x, y and z; export the mesh again");
    Row row;
    for (long long n = 0; n < element.count; ++n) {
        takeRow(file, element, numbers, row);
        mesh.vertices.push_back({row[x][0], row[y][0], row[z][0]});
        if (const std::string trouble = coordinateTrouble(mesh.vertices.back()); !trouble.empty())
            failAt(file, numbers.place(), trouble);
    }
}

template <class Numbers>
void takeFaces(const MeshFile& file, const PlyElement& element, Numbers& numbers, TriangleMesh& mesh)
{
    const size_t corners = std::min(columnOf(element, "vertex_indices", true), columnOf(element, "vertex_index", true));
    if (corners == element.properties.size())
        failAt(file, "", "its faces have no list 'vertex_indices'; export the mesh again");
    Row row;
    std::vector<int> polygon;
    for (long long n = 0; n < element.count; ++n) {
        takeRow(file, element, numbers, row);
        polygon.clear();
        for (const double v : row[corners]) {
            if (!(v >= 0 && v < double(mesh.vertices.size())))
                failAt(file, numbers.place(),
                       fmt::format("a face uses vertex {}, but there are {} (counted from 0, before the faces); "
                                   "export the mesh again",
                                   v, mesh.vertices.size()));
            polygon.push_back(int(v));
        }
        if (polygon.size() < 3)
            failAt(
                file, numbers.place(),
                fmt::format("a face needs three corners or more, this has {}; export the mesh again", polygon.size()));
        addFan(polygon, mesh);
    }
}

template <class Numbers>
TriangleMesh takeBody(const MeshFile& file, const PlyHeader& header, Numbers numbers)
{
    TriangleMesh mesh;
    Row skipped;
    for (const PlyElement& element : header.elements) {
        if (element.name == "vertex") {
            takeVertices(file, element, numbers, mesh);
        } else if (element.name == "face") {
            takeFaces(file, element, numbers, mesh);
        } else if (!element.properties.empty()) {
            for (long long n = 0; n < element.count; ++n) takeRow(file, element, numbers, skipped);
        }
    }
    return mesh;
}

}  // namespace

TriangleMesh parsePly(const MeshFile& file)
{
    LineReader reader{file};
    const PlyHeader header = takePlyHeader(reader);
    if (header.format == PlyFormat::ascii) return takeBody(file, header, AsciiNumbers{reader});
    const bool file_is_little = header.format == PlyFormat::little_endian;
    const bool machine_is_little = std::endian::native == std::endian::little;
    return takeBody(file, header,
                    BinaryNumbers{file, std::min(reader.next, file.bytes.size()), file_is_little != machine_is_little});
}

}  // namespace flotsam
