// A rigid body as described in a scene.
#pragma once

#include <optional>
#include <string>
#include <variant>

#include "geometry/gear.h"
#include "geometry/shape.h"

namespace flotsam {

// Body shapes are centred on their centre of mass, so they have no position of their own.
struct BallShape {
    double radius_m = 0;
};
struct BlockShape {
    Vec3 size_m;
};
struct RodShape {  // along y
    double radius_m = 0, height_m = 0;
};
struct CapsuleShape {  // along y; height between the centres of its ends
    double radius_m = 0, height_m = 0;
};
struct EllipsoidShape {
    Vec3 semi_axes_m;
};
struct BodyMeshShape {
    std::string file;  // resolved: an absolute path
    double scale = 1;
};
struct GemShape {
    double size_m = 0;
};
struct BunnyShape {
    double height_m = 0;
};
using BodyShape = std::variant<BallShape, BlockShape, RodShape, CapsuleShape, EllipsoidShape, BodyMeshShape, GearShape,
                               GemShape, BunnyShape>;

// Material of a body: its default density, and its appearance.
struct BodyMaterial {
    const char* word;
    double density_kg_m3;
};
// Densities of the papers' scenes (silver 9, wood 0.74, turquoise 2, lead 11 times that of water); that of marble is
// real.
inline constexpr BodyMaterial body_materials[] = {
    {"wood", 740}, {"silver", 9000}, {"turquoise", 2000}, {"marble", 2700}, {"lead", 11000}};

// How the distance of a point to the body is computed: by formula, from a grid, or from every triangle with parity
// rays.
enum class DistanceMethod { exact, grid, rays };
inline constexpr const char* distance_method_words[] = {"exact", "grid", "rays"};

struct BodySpec {
    std::string name;
    BodyShape shape;
    std::string material;  // appearance; empty: chosen by density
    double density_kg_m3 = 0;
    Vec3 position_m;    // of the centre of mass
    Vec3 rotation_deg;  // about x, then y, then z, in the world's axes
    Vec3 velocity_m_s, spin_rad_s;
    double restitution = 0.3, friction = 0.3;
    double rolling_friction_m = 0, spinning_friction_m = 0;
    std::optional<DistanceMethod> distance = {};  // none: exact where there is a formula, else a grid
    std::string where = {};                       // "file:line", for messages
};

enum class CouplingMethod { monolithic, rigid_fluid };
inline constexpr const char* coupling_method_words[] = {"monolithic", "rigid-fluid"};
// How the rigid fluid method estimates the fraction of a control volume inside a body (thesis 5.5, 5.7.2).
enum class SubCellVolume { samples, center, corners };
inline constexpr const char* sub_cell_volume_words[] = {"samples", "center", "corners"};
// When it adds the buoyant weight of a body: in the source term, or with the other forces (paper 6.1, step 1).
enum class Buoyancy { late, early };
inline constexpr const char* buoyancy_words[] = {"late", "early"};

struct CouplingParams {
    CouplingMethod method = CouplingMethod::monolithic;
    SubCellVolume sub_cell_volume = SubCellVolume::samples;
    Buoyancy buoyancy = Buoyancy::late;
};

struct RigidOptions {
    double max_dt_s = 1.0 / 120;  // longer steps are split into substeps
    int iterations = 10;          // over the contacts, per substep
};

}  // namespace flotsam
