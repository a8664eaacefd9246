// Surfaces, points and meshes as binary PLY files; a file is either complete or absent.
#pragma once

#include <array>
#include <filesystem>
#include <vector>

#include "geometry/surface_mesh.h"
#include "geometry/triangle_mesh.h"

namespace flotsam {

struct MovingPoints {
    std::vector<std::array<float, 3>> positions;   // [m]
    std::vector<std::array<float, 3>> velocities;  // [m/s]
};

// Vertices: float x y z, nx ny nz, vx vy vz, and temperature if the surface has it. Throws IoError.
void writeSurfacePly(const std::filesystem::path& path, const SurfaceMesh& surface);

// Vertices: float x y z, vx vy vz; no faces. Throws IoError.
void writePointsPly(const std::filesystem::path& path, const std::vector<std::array<float, 3>>& positions,
                    const std::vector<std::array<float, 3>>& velocities);

// Vertices: float x y z. Throws IoError.
void writeMeshPly(const std::filesystem::path& path, const TriangleMesh& mesh);

// Read exactly the format that the functions above write. Throw IoError with a description for anything else.
SurfaceMesh readSurfacePly(const std::filesystem::path& path);
MovingPoints readPointsPly(const std::filesystem::path& path);

}  // namespace flotsam
