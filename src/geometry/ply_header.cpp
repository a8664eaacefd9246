#include "geometry/ply_header.h"

#include <fmt/core.h>

namespace flotsam {
namespace {

PlyType takeType(const LineReader& reader, std::string_view& words)
{
    constexpr std::array<std::array<std::string_view, 2>, 8> names{{{"char", "int8"},
                                                                    {"uchar", "uint8"},
                                                                    {"short", "int16"},
                                                                    {"ushort", "uint16"},
                                                                    {"int", "int32"},
                                                                    {"uint", "uint32"},
                                                                    {"float", "float32"},
                                                                    {"double", "float64"}}};
    const std::string_view word = takeWord(words);
    for (size_t t = 0; t < names.size(); ++t)
        if (word == names[t][0] || word == names[t][1]) return PlyType(t);
    reader.fail(fmt::format("'{}' is no type of a PLY property; export the mesh again", word));
}

PlyFormat takeFormat(const LineReader& reader, std::string_view words)
{
    const std::string_view word = takeWord(words);
    if (word == "ascii") return PlyFormat::ascii;
    if (word == "binary_little_endian") return PlyFormat::little_endian;
    if (word == "binary_big_endian") return PlyFormat::big_endian;
    reader.fail(fmt::format("'{}' is no PLY format; use ascii, binary_little_endian or binary_big_endian", word));
}

PlyElement takeElement(const LineReader& reader, std::string_view words)
{
    PlyElement element;
    element.name = takeWord(words);
    const std::string_view count = takeWord(words);
    if (!parseNumber(count, element.count) || element.count < 0)
        reader.fail(fmt::format("'{}' is not a count of elements; export the mesh again", count));
    return element;
}

PlyProperty takeProperty(const LineReader& reader, std::string_view words)
{
    PlyProperty property;
    std::string_view ahead = words;
    if (takeWord(ahead) == "list") {
        words = ahead;
        property.count_type = takeType(reader, words);
    }
    property.type = takeType(reader, words);
    property.name = takeWord(words);
    return property;
}

}  // namespace

PlyHeader takePlyHeader(LineReader& reader)
{
    if (!reader.advance() || reader.line != "ply")
        failAt(reader.file, "1", "does not start with 'ply'; this is no PLY file: export it again");
    PlyHeader header;
    bool has_format = false;
    while (reader.advance()) {
        std::string_view words = reader.line;
        const std::string_view kind = takeWord(words);
        if (kind == "end_header") {
            if (!has_format) reader.fail("the header has no 'format' line; export the mesh again");
            return header;
        }
        if (kind == "format") {
            header.format = takeFormat(reader, words);
            has_format = true;
        } else if (kind == "element") {
            header.elements.push_back(takeElement(reader, words));
        } else if (kind == "property" && !header.elements.empty()) {
            header.elements.back().properties.push_back(takeProperty(reader, words));
        } else if (!kind.empty() && kind != "comment" && kind != "obj_info") {
            reader.fail(
                fmt::format("'{}' does not belong here in a PLY header; export the mesh again", kind.substr(0, 32)));
        }
    }
    reader.fail("the file ends inside its header; it is cut off: export it again");
}

}  // namespace flotsam
