// Surfaces, points and meshes as binary PLY files, written whole or not at all.
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

// Vertices: float x y z, nx ny nz, vx vy vz, and temperature where the surface has it. Throws IoError.
void writeSurfacePly(const std::filesystem::path& path, const SurfaceMesh& surface);

// Vertices: float x y z, vx vy vz; no faces. Throws IoError.
void writePointsPly(const std::filesystem::path& path, const std::vector<std::array<float, 3>>& positions,
                    const std::vector<std::array<float, 3>>& velocities);

// Vertices: float x y z. Throws IoError.
void writeMeshPly(const std::filesystem::path& path, const TriangleMesh& mesh);

// Read back exactly what the functions above write; anything else is an IoError that says so.
SurfaceMesh readSurfacePly(const std::filesystem::path& path);
MovingPoints readPointsPly(const std::filesystem::path& path);

}  // namespace flotsam
