// Shared by the readers of mesh files: lines, words, numbers, and errors with their location.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "geometry/triangle_mesh.h"

namespace flotsam {

struct MeshFile {
    std::string path;
    std::string bytes;
};

// Throws InputError "path:place: what"; `what` ends with the remedy. place: "12" for a line, "byte 340", or "".
[[noreturn]] void failAt(const MeshFile& file, const std::string& place, const std::string& what);

// The lines of a text one by one, without line endings (LF, CRLF).
struct LineReader {
    const MeshFile& file;
    size_t next = 0;  // byte where the next line starts
    int number = 0;   // of the current line, from 1
    std::string_view line = {};

    bool advance();
    [[noreturn]] void fail(const std::string& what) const { failAt(file, std::to_string(number), what); }
};

// Takes the first word off the text; empty at its end. Words end at blanks, tabs and line endings.
std::string_view takeWord(std::string_view& text);

// True if the entire word is a number within range.
bool parseNumber(std::string_view word, double& value);
bool parseNumber(std::string_view word, long long& value);

// Why a coordinate is invalid; empty if it is valid. Beyond 1e9 m, fourth powers overflow in floats.
std::string coordinateTrouble(Vec3 p);

// The next three words of a line as a point.
Vec3 takePoint(const LineReader& reader, std::string_view& words);

// Adds a polygon, given by vertex indices, as a triangle fan.
void addFan(const std::vector<int>& polygon, TriangleMesh& mesh);

TriangleMesh parseObj(const MeshFile& file);
TriangleMesh parsePly(const MeshFile& file);
TriangleMesh parseStl(const MeshFile& file);

}  // namespace flotsam
