// The shape of a region, a source or a solid: exactly one of sphere, box, cylinder, mesh (and pool, for regions).
#pragma once

#include <filesystem>

#include "geometry/shape.h"
#include "scene/toml_table.h"

namespace flotsam {

inline constexpr double largest_coordinate_m = 1e6;
inline constexpr double largest_speed_m_s = 1e4;

struct ShapeContext {
    std::filesystem::path folder;  // of the scene file: mesh files are relative to it
    double domain_width_m = 1;
    bool pool_allowed = false;
};

// The mesh file as an absolute path, or the name of a built-in mesh.
std::string resolveMeshFile(const TomlTable& t, const std::filesystem::path& folder);

// The kind of shape in a table; none or several are an error.
std::string onlyShapeOf(const TomlTable& owner, const std::vector<std::string>& kinds);

ShapeSpec readShape(const TomlTable& owner, const ShapeContext& context);

}  // namespace flotsam
