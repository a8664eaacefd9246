// A scene as plain structs. Defaults are defined only here.
#pragma once

#include <limits>
#include <optional>
#include <string>
#include <vector>

#include "core/vec.h"
#include "geometry/shape.h"
#include "scene/body_spec.h"
#include "scene/heat_params.h"
#include "scene/joint_spec.h"

namespace flotsam {

struct DomainParams {
    Int3 cells{64, 64, 64};
    double width_m = 1.0;
    Vec3 gravity_m_s2{0, -9.81, 0};
    bool no_slip = false;  // walls = "no-slip"
    bool open[3][2] = {
        {false, false}, {false, true}, {false, false}};  // [axis][0: low, 1: high boundary]; "+y" is open

    double h() const { return width_m / cells.x; }  // side of a cell [m]
    Vec3 size_m() const { return {h() * cells.x, h() * cells.y, h() * cells.z}; }
    bool twoDimensional() const { return cells.z == 1; }
};

struct TimeParams {
    double seconds = 4.0;
    double fps = 60;
    double cfl = 1.0;  // cells that the liquid may cross per step
    double max_dt_s = 1.0 / 60;
};

// Frames after frame 0: the last is the first one at or after `seconds`.
inline int frameCount(const TimeParams& time) { return std::max(1, int(std::ceil(time.seconds * time.fps - 1e-9))); }

enum class Advection { semi_lagrangian, bfecc, maccormack };
enum class Loop { two_projections, one_projection };
// The viscosity at an edge from its four cells (thesis eq. 58), and the viscous stress: nu grad u per component, as in
// the thesis, or nu (grad u + grad u^T). The words of the scene file are in the same order.
enum class ViscosityMean { geometric, arithmetic, harmonic };
inline constexpr const char* viscosity_mean_words[] = {"geometric", "arithmetic", "harmonic"};
enum class ViscousStress { component, full };
inline constexpr const char* viscous_stress_words[] = {"component", "full"};

// where: "file:line" of the table, for messages; not a property of the scene.
struct RegionSpec {
    ShapeSpec shape;
    Vec3 velocity_m_s;
    std::optional<double> temperature_K = {};
    std::string where = {};
    std::optional<double> viscosity_m2_s = {};  // none: that of the liquid
};
struct SourceSpec {
    ShapeSpec shape;
    Vec3 velocity_m_s;
    double from_s = 0;
    double to_s = std::numeric_limits<double>::infinity();
    std::optional<double> temperature_K = {};
    std::string where = {};
    std::optional<double> viscosity_m2_s = {};  // none: that of the liquid
};
struct LiquidParams {
    double density_kg_m3 = 1000;
    double viscosity_m2_s = 1e-6;  // kinematic; 0: no viscous solve
    ViscosityMean viscosity_mean = ViscosityMean::geometric;
    ViscousStress viscous_stress = ViscousStress::full;
    Advection advection = Advection::semi_lagrangian;
    Loop loop = Loop::two_projections;
    std::vector<RegionSpec> regions;
    std::vector<SourceSpec> sources;
};

struct SolidSpec {
    std::string name;  // for messages and mesh files; default "solid1", "solid2", ...
    ShapeSpec shape;
    Vec3 velocity_m_s;
    Vec3 spin_rad_s;
    bool has_pivot = false;
    Vec3 pivot_m;  // the spin is about this point, which moves with velocity_m_s; default: centre of the bounds
    std::string where = {};
    bool moving() const { return velocity_m_s != Vec3{} || spin_rad_s != Vec3{}; }
};

struct PressureParams {
    double tolerance_rel = 1e-6;  // stop when |r| / |b| is below this
    int max_iterations = 100;     // reaching it is always reported
};

// Advection of phi (thesis figure 28) and its reinitialisation; the words of the scene file are in the same order.
enum class SurfaceScheme { semi_lagrangian, upwind, eno2_euler, eno2, eno3, weno5 };
inline constexpr const char* surface_scheme_words[] = {
    "semi-lagrangian", "upwind", "eno2-euler", "eno2", "eno3", "weno5"};
// How the pressure treats liquid cells adjacent to air (thesis 6.3.1).
enum class SurfaceTreatment { smooth, noisy };
inline constexpr const char* surface_treatment_words[] = {"smooth", "noisy"};
enum class Reinitialisation { fast, pde };
inline constexpr const char* reinitialisation_words[] = {"fast", "pde"};

struct SurfaceParams {
    SurfaceScheme scheme = SurfaceScheme::semi_lagrangian;
    Reinitialisation reinitialisation = Reinitialisation::fast;
    SurfaceTreatment treatment = SurfaceTreatment::smooth;
    int band_cells = 0;           // phi is a signed distance up to here; 0: as far as the velocity extension
    int particles_per_cell = 32;  // near the surface, of both signs together; 0: none
    int reseed_every_steps = 20;
    double particles_until_s = std::numeric_limits<double>::infinity();  // deleted at this time (thesis 5.7.2)
    int seed = 1;                                                        // of the particle positions
    bool volume_correction =
        true;             // restores volume lost by the level set by a small divergence, recorded in the ledger
    int tetrahedra = 24;  // per cube of cell centres, for the surface of a frame: 6, 24, 48 or 192
};

struct TracerParams {
    int count = 0;
    int seed = 1;
};

struct OutputParams {
    bool surface = true;
    bool volume = false;
    int checkpoint_every_frames = 30;
};

struct RenderParams {
    bool has_camera = false;  // both given; otherwise the camera frames the tank
    Vec3 eye_m, look_at_m;
    double field_of_view_deg = 40;
    Vec3 liquid_color{0.55, 0.80, 0.90};  // 0..1: light transmitted by 0.3 tank lengths of liquid
    bool opaque = false;                  // renders the liquid as a matt solid of that colour, to show its surface
    Vec3 hot_color{1.0, 0.45, 0.25};      // where hot, in scenes with heat
    double glow = 0;                      // 0..1: emission of hot liquid
    bool show_tank = true;
};

struct Scene {
    std::string title;
    std::string name;  // of the file, without extension
    std::string file;  // as it was given, for messages
    DomainParams domain;
    TimeParams time;
    LiquidParams liquid;
    HeatParams heat;
    PressureParams pressure;
    SurfaceParams surface;
    std::vector<SolidSpec> solids;
    std::vector<BodySpec> bodies;
    std::vector<JointSpec> joints;
    RigidOptions rigid;
    CouplingParams coupling;
    TracerParams tracers;
    OutputParams output;
    RenderParams render;

    bool hasLiquid() const { return !liquid.regions.empty() || !liquid.sources.empty(); }
};

// Reads a scene and applies overrides ("domain.cells=[32,32,32]") in order. Throws InputError "file:line: what is
// wrong; the remedy".
Scene loadScene(const std::string& path, const std::vector<std::string>& overrides = {});

// The resolved scene with all defaults; loading it gives the same Scene.
std::string sceneToToml(const Scene& scene);

}  // namespace flotsam
