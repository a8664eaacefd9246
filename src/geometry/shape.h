// The shapes available in scenes, and their signed distances (negative inside).
#pragma once

#include <memory>
#include <string>
#include <variant>

#include "core/vec.h"
#include "geometry/triangle_mesh.h"

namespace flotsam {

struct SphereShape {
    Vec3 center_m;
    double radius_m = 0;
};
struct BoxShape {
    Vec3 min_m, max_m;
    Vec3 rotation_deg;  // about the box's centre
};
struct CylinderShape {  // axis along y before the rotation
    Vec3 center_m;
    double radius_m = 0, height_m = 0;
    Vec3 rotation_deg;
};
inline constexpr const char* built_in_bunny = "bunny";  // instead of a file: geometry/bunny_toy.h
struct MeshShape {
    std::string file;  // resolved: an absolute path, or the name of a built-in mesh
    double scale = 1;
    Vec3 position_m;  // position of the file's origin
    Vec3 rotation_deg;
};
struct PoolShape {  // everything below y = depth + amplitude cos(mode pi x / width)
    double depth_m = 0;
    double amplitude_m = 0;
    int mode = 1;
    double width_m = 1;  // width of the domain, filled in by the scene
};
using ShapeSpec = std::variant<SphereShape, BoxShape, CylinderShape, MeshShape, PoolShape>;

// A shape ready for distance queries: meshes are loaded and converted to a distance grid.
class Shape {
public:
    virtual ~Shape() = default;
    virtual double signedDistance(Vec3 p_m) const = 0;  // exact near the surface; far away correct in sign and order
    virtual Bounds bounds() const = 0;                  // may be infinite (PoolShape)
    virtual TriangleMesh triangulated() const = 0;      // for pictures and thickness checks; empty for a pool
};

// The mesh of a file or a built-in one: closed, oriented outwards, scaled and placed. Throws InputError.
TriangleMesh loadSolid(const MeshShape& spec);

// voxel_m: spacing of a mesh's distance grid (a good choice is half a cell of the domain). Throws InputError for a mesh
// that is not closed or cannot be oriented.
std::shared_ptr<const Shape> makeShape(const ShapeSpec& spec, double voxel_m);

}  // namespace flotsam
