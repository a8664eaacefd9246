// The header of a PLY file: its elements, their counts and properties.
#pragma once

#include <optional>

#include "geometry/mesh_parsing.h"

namespace flotsam {

enum class PlyType { int8, uint8, int16, uint16, int32, uint32, float32, float64 };
enum class PlyFormat { ascii, little_endian, big_endian };

constexpr size_t sizeOf(PlyType type)
{
    constexpr size_t bytes[] = {1, 1, 2, 2, 4, 4, 4, 8};
    return bytes[size_t(type)];
}

struct PlyProperty {
    std::string name;
    PlyType type{};
    std::optional<PlyType> count_type;  // set for a list
};
struct PlyElement {
    std::string name;
    long long count = 0;
    std::vector<PlyProperty> properties;
};
struct PlyHeader {
    PlyFormat format{};
    std::vector<PlyElement> elements;
};

// Reads up to and including the line "end_header"; the data starts at reader.next.
PlyHeader takePlyHeader(LineReader& reader);

}  // namespace flotsam
