#include "scene/preflight.h"

#include <algorithm>
#include <cmath>

#include "scene/preflight_checks.h"
#include "scene/preflight_sample.h"
#include "scene/time_step.h"

namespace flotsam {

namespace {

// Memory and disk use per item. Fields exist in the bricks that contain liquid and in their neighbours.
constexpr double memory_bytes_per_active_cell = 107;
constexpr double memory_bytes_of_heat_per_active_cell = 30;
// The viscous solve: for each of three components 3 couplings, d, inverse, r, z_black and z in float, a seventh more
// for the coarser levels, b and p in float and x in double; the edges of the full stress. 158 + 12 bytes per cell.
constexpr double memory_bytes_of_viscosity_per_active_cell = 3 * (8 * 4 * 8 / 7. + 2 * 4 + 8),
                 memory_bytes_of_edges = 3 * 4;
constexpr double memory_bytes_of_varying_viscosity = 4;
constexpr double memory_bytes_of_the_program = 40e6;
// Near the surface: three layers of cells contain particles, each in two lists of 16 bytes and one of 1. The velocity
// at cell centres exists in the bricks around, 16 bytes in each of 24 layers.
constexpr double memory_bytes_per_particle = 33, layers_with_particles = 3, bytes_of_center_velocity = 16 * 24;
// For the flat faces of a pool, measured; meshes of frames are closed along walls.
double trianglesPerSurfaceCell(int tetrahedra)
{
    return tetrahedra == 6 ? 3.7 : tetrahedra == 24 ? 8.5 : tetrahedra == 48 ? 15 : 34;
}
constexpr double ply_bytes_per_triangle = 36. / 2 + 13;  // one vertex of 36 B per two triangles, and the face
constexpr double ply_bytes_per_tracer = 24;
constexpr double vdb_bytes_per_liquid_cell = 16;  // phi and velocity
// Of a checkpoint, compressed: measured 12 to 13 B per particle, 15 to 25 B per cell of moving liquid.
constexpr double checkpoint_bytes_per_particle = 13, checkpoint_bytes_per_liquid_cell = 20;
constexpr double file_bytes_of_heat_per_cell = 8;  // temperature and liquid fraction
constexpr int checkpoints_kept = 2;
constexpr double ledger_bytes_per_step = 1200, row_bytes_per_body = 530, mesh_bytes_per_triangle = 19;
// Surface area of a splash relative to the start, mean over a run: measured 2.1 to 3.6 for dam breaks.
constexpr double splash_growth = 3.5;

// The largest viscosity in the scene.
double largestViscosity(const Scene& scene)
{
    const HeatViscosity& by_heat = scene.heat.viscosity;
    if (by_heat.law == ViscosityLaw::table) {
        double largest = 0;
        for (const HeatViscosity::Entry& e : by_heat.table) largest = std::max(largest, e.viscosity_m2_s);
        return largest;
    }
    if (by_heat.law != ViscosityLaw::constant) return by_heat.solid_m2_s;
    double largest = scene.liquid.viscosity_m2_s;
    for (const RegionSpec& r : scene.liquid.regions) largest = std::max(largest, r.viscosity_m2_s.value_or(0));
    for (const SourceSpec& s : scene.liquid.sources) largest = std::max(largest, s.viscosity_m2_s.value_or(0));
    return largest;
}

// Memory per cell of the viscous solve and its fields: zero if the run ends before the first solve
// (docs/methods/viscosity.md, eq. 9).
double memoryOfViscosity(const Scene& scene)
{
    const double h = scene.domain.h();
    if (12 * scene.time.seconds * largestViscosity(scene) < 0.05 * h * h) return 0;
    const bool full = scene.liquid.viscous_stress == ViscousStress::full;
    const auto own = [](const auto& spec) { return spec.viscosity_m2_s.has_value(); };
    const bool varies = scene.heat.viscosity.law != ViscosityLaw::constant ||
                        std::any_of(scene.liquid.regions.begin(), scene.liquid.regions.end(), own) ||
                        std::any_of(scene.liquid.sources.begin(), scene.liquid.sources.end(), own);
    return memory_bytes_of_viscosity_per_active_cell + (full ? memory_bytes_of_edges : 0) +
           (varies ? memory_bytes_of_varying_viscosity : 0);
}

// Volume poured by a source over the run: its cross-section times its speed and its open time.
double inflowVolume(const Scene& scene, const SourceSpec& source, const Shape& shape, long long cells)
{
    const double h = scene.domain.h(), speed = length(source.velocity_m_s);
    const double duration = std::min(source.to_s, scene.time.seconds) - source.from_s;
    if (speed == 0 || duration <= 0) return 0;
    const Vec3 along = source.velocity_m_s / speed, size = shape.bounds().size();
    const double extent =
        std::abs(along.x) * size.x + std::abs(along.y) * size.y + std::abs(along.z) * std::max(size.z, h);
    return double(cells) * h * h * h * speed * duration / std::max(extent, h);
}

double prescribedSpeed(const Scene& scene, const SceneShapes& shapes)
{
    double prescribed = 0;
    for (const RegionSpec& r : scene.liquid.regions) prescribed = std::max(prescribed, length(r.velocity_m_s));
    for (const SourceSpec& s : scene.liquid.sources) prescribed = std::max(prescribed, length(s.velocity_m_s));
    for (size_t i = 0; i < scene.solids.size(); ++i)
        prescribed = std::max(prescribed, fastestPoint(scene.solids[i], *shapes.solids[i]));
    return prescribed;
}

// Without liquid the time step is max_dt_s, and the bodies use substeps.
double expectedSteps(const Scene& scene, int frames, double speed_m_s)
{
    const double frame_s = 1 / scene.time.fps;
    double dt_s = std::min(scene.time.max_dt_s, frame_s);
    if (scene.hasLiquid())
        dt_s = std::min(dt_s,
                        cflTimeStep(speed_m_s, length(scene.domain.gravity_m_s2), scene.time.cfl * scene.domain.h()));
    return frames * std::max(1., std::ceil(frame_s / dt_s - 1e-9));
}

// growth: of the surface relative to the start.
double diskBytes(const Scene& scene, const Preflight& p, double walled_cells, double growth)
{
    const double inflow_cells = p.inflow_volume_m3 / std::pow(scene.domain.h(), 3);
    const double free_cells = double(p.surface_cells) + 6 * std::pow(inflow_cells, 2. / 3);  // the inflow as a cube
    const double cells = double(p.liquid_cells) + inflow_cells;
    const double heat_bytes = scene.heat.on ? file_bytes_of_heat_per_cell : 0;
    double frame_bytes = ply_bytes_per_tracer * scene.tracers.count;
    if (scene.output.surface)
        frame_bytes += growth * (free_cells + walled_cells) * trianglesPerSurfaceCell(scene.surface.tetrahedra) *
                       ply_bytes_per_triangle;
    if (scene.output.volume) frame_bytes += cells * (vdb_bytes_per_liquid_cell + heat_bytes);
    const double particles = growth * free_cells * layers_with_particles * scene.surface.particles_per_cell;
    const double checkpoint_bytes =
        checkpoint_bytes_per_particle * particles + (checkpoint_bytes_per_liquid_cell + heat_bytes) * cells;
    return frame_bytes * (p.frames + 1) + checkpoints_kept * checkpoint_bytes +
           double(p.steps) * (ledger_bytes_per_step + row_bytes_per_body * double(scene.bodies.size()));
}

}  // namespace

Preflight inspect(const Scene& scene, const std::filesystem::path& out, const BodySummary& bodies)
{
    const SceneShapes shapes = makeShapes(scene);
    const SceneSample sample = sampleScene(scene, shapes);
    rejectImpossibleScene(scene, sample);

    Preflight p;
    const double h = scene.domain.h(), cell_m3 = h * h * h;
    p.cells = product(scene.domain.cells);
    p.liquid_cells = sample.liquid;
    p.solid_cells = sample.solid;
    p.surface_cells = sample.surface;
    p.liquid_volume_m3 = double(sample.liquid) * cell_m3;
    for (size_t i = 0; i < shapes.sources.size(); ++i)
        p.inflow_volume_m3 += inflowVolume(scene, scene.liquid.sources[i], *shapes.sources[i], sample.sources[i].cells);
    p.fall_m = sample.fall_m;
    p.prescribed_m_s = prescribedSpeed(scene, shapes);
    p.speed_m_s = std::sqrt(2 * length(scene.domain.gravity_m_s2) * std::max(p.fall_m, bodies.fall_m)) +
                  std::max(p.prescribed_m_s, bodies.speed_m_s);
    p.frames = frameCount(scene.time);
    p.steps = (long long)(std::min(expectedSteps(scene, p.frames, p.speed_m_s), 1e18));
    const double active = std::min(double(p.cells), double(sample.active) + p.inflow_volume_m3 / cell_m3);
    const double per_cell = memory_bytes_per_active_cell + (scene.heat.on ? memory_bytes_of_heat_per_active_cell : 0) +
                            memoryOfViscosity(scene);
    const double bytes_per_surface_cell =
        memory_bytes_per_particle * layers_with_particles * scene.surface.particles_per_cell + bytes_of_center_velocity;
    p.memory_bytes = memory_bytes_of_the_program + per_cell * active + bytes_per_surface_cell * double(p.surface_cells);
    p.disk_bytes = diskBytes(scene, p, double(sample.walled), 1);
    p.splash_disk_bytes = diskBytes(scene, p, double(sample.walled), splash_growth);
    for (double* bytes : {&p.disk_bytes, &p.splash_disk_bytes})
        *bytes += mesh_bytes_per_triangle * double(bodies.triangles);
    p.warnings = findWarnings(scene, shapes, sample, p, out);
    return p;
}

}  // namespace flotsam
