// The liquid surface as written to a frame: positions, outward normals and velocities at shared vertices, and
// temperatures if heat is on.
#pragma once

#include <array>
#include <vector>

namespace flotsam {

struct SurfaceMesh {
    std::vector<std::array<float, 3>> positions;   // [m]
    std::vector<std::array<float, 3>> normals;     // unit, out of the liquid
    std::vector<std::array<float, 3>> velocities;  // [m/s]
    std::vector<std::array<int, 3>> triangles;     // counter-clockwise seen from the air
    std::vector<float> temperatures = {};          // [K] by vertex; empty if heat is off
};

}  // namespace flotsam
