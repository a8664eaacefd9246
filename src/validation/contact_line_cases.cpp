#include "validation/contact_line_cases.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/time_loop.h"

namespace flotsam {

namespace {

constexpr double g_m_s2 = 9.81;
constexpr int most_steps = 5;  // times the number that max_dt_s requires

Scene tankOf(Int3 cells, double width_m)
{
    Scene scene;
    scene.domain.cells = cells;
    scene.domain.width_m = width_m;
    return scene;
}

double radians(double deg) { return deg * std::numbers::pi / 180; }

}  // namespace

SolidSpec fixedSolid(const ShapeSpec& shape)
{
    SolidSpec solid;
    solid.name = "solid";
    solid.shape = shape;
    return solid;
}

double redistributedVolume(const StepReport& step)
{
    return std::abs(step.volume_correction_1_s) * step.liquid.volume_m3 * step.dt_s;
}

StillResult keepStill(const Scene& scene, double depth_m, double seconds, const std::string& label)
{
    Simulation sim(scene);
    const double volume_m3 = sim.liquid.measureNow().volume_m3, fall_m_s = std::sqrt(g_m_s2 * depth_m);
    StillResult r;
    r.wanted_steps = int(std::ceil(seconds / scene.time.max_dt_s - 1e-9));
    fmt::print(stderr, "{}\n", label);
    advanceTo(seconds, sim, [&](const StepReport& step) {
        ++r.steps;
        r.speed = std::max(r.speed, step.liquid.max_speed_m_s / fall_m_s);
        r.redistributed += redistributedVolume(step) / volume_m3;
        r.drift = std::max(r.drift, std::abs(step.liquid.volume_m3 / volume_m3 - 1));
        const bool finite = std::isfinite(step.liquid.max_speed_m_s);
        if (!finite) r.speed = step.liquid.max_speed_m_s;
        return finite && r.steps < most_steps * r.wanted_steps;
    });
    return r;
}

StillScene ballOnTheFloor(Int3 cells, double gap_cells)
{
    constexpr double radius_cells = 7, depth_cells = 18.7;
    Scene scene = tankOf(cells, 1);
    const double h = scene.domain.h(), r = radius_cells * h;
    const Vec3 center{0.4823, r + gap_cells * h, 0.51};
    scene.liquid.regions = {{PoolShape{depth_cells * h}, {}}};
    if (scene.domain.twoDimensional())
        scene.solids = {fixedSolid(CylinderShape{{center.x, center.y, 0}, r, 2, {90, 0, 0}})};
    else
        scene.solids = {fixedSolid(SphereShape{center, r})};
    return {scene, depth_cells * h};
}

StillScene dippingPlate(Int3 cells, double angle_deg)
{
    Scene scene = tankOf(cells, 0.96);
    scene.liquid.regions = {{PoolShape{0.4}, {}}};
    scene.solids = {fixedSolid(BoxShape{{0.3, 0.38, -1}, {0.7, 0.5, 1}, {0, 0, angle_deg}})};
    return {scene, 0.4};
}

StillScene beach(Int3 cells, double angle_deg)
{
    constexpr double foot_m = 0.3, along_m = 0.4, half_thickness_m = 0.25, depth_m = 0.0823;
    Scene scene = tankOf(cells, 0.96);
    const double c = std::cos(radians(angle_deg)), s = std::sin(radians(angle_deg));
    const Vec3 center{foot_m + along_m * c + half_thickness_m * s, along_m * s - half_thickness_m * c, 0};
    const Vec3 half{1, half_thickness_m, 2};
    scene.liquid.regions = {{PoolShape{depth_m}, {}}};
    scene.solids = {fixedSolid(BoxShape{center - half, center + half, {0, 0, angle_deg}})};
    return {scene, depth_m};
}

StillScene reportedBall()
{
    Scene scene = tankOf({48, 40, 48}, 1);
    scene.liquid.regions = {{PoolShape{0.5}, {}}};
    scene.solids = {fixedSolid(SphereShape{{0.4823, 0.15, 0.51}, 0.15})};
    return {scene, 0.5};
}

StillScene flushWater(double depth_m, bool as_box, bool against_solid)
{
    constexpr double end_m = 0.6;
    Scene scene = tankOf({50, 25, 25}, 1);
    if (as_box)
        scene.liquid.regions = {{BoxShape{{0, 0, 0}, {against_solid ? end_m : 1.0, depth_m, 0.5}, {}}, {}}};
    else
        scene.liquid.regions = {{PoolShape{depth_m}, {}}};
    if (against_solid) scene.solids = {fixedSolid(BoxShape{{end_m, -0.1, -0.1}, {1.1, 0.7, 0.6}, {}})};
    return {scene, depth_m};
}

// ---- leak

std::string WallSpec::name() const
{
    const char* place = offset_cells == 0 ? "face" : offset_cells == 0.5 ? "centre" : "between";
    return fmt::format("{} cells, {}, {} deg", thickness_cells, place, lean_deg);
}

namespace {

constexpr double water_m = 1;

// The centre plane of the wall: its x at a height. It crosses half the water depth at a position given by the grid.
struct WallPlane {
    WallPlane(const DomainParams& domain, const WallSpec& wall)
        : x_m(domain.h() * (domain.cells.x / 2 + wall.offset_cells)), lean_rad(radians(wall.lean_deg))
    {
    }
    double xAt(double y_m) const { return x_m + (y_m - 0.5 * water_m) * std::tan(lean_rad); }
    double beyond(double px_m, double py_m) const { return (px_m - xAt(py_m)) * std::cos(lean_rad); }

    double x_m, lean_rad;
};

// A leaning side is built from boxes, each starting an eighth of a cell higher: no region shape is an intersection.
std::vector<RegionSpec> waterUpTo(const WallPlane& plane, double h)
{
    std::vector<RegionSpec> regions;
    const double step_m = plane.lean_rad == 0 ? 2 * water_m : h / 8;
    for (double y_m = 0; y_m < water_m; y_m += step_m) {
        const double low_m = y_m == 0 ? -1 : y_m;
        regions.push_back({BoxShape{{-1, low_m, -1}, {plane.xAt(y_m), water_m, 9}, {}}, {}});
    }
    return regions;
}

struct DrySide {
    double volume_m3 = 0;
    long long particles = 0, wet = 0;
};

// Cells whose centre is at least half a cell beyond the centre plane and outside the wall.
DrySide measureDrySide(Simulation& sim, const WallSpec& wall)
{
    const WallPlane plane(sim.scene.domain, wall);
    const double h = sim.liquid.grid.h, from_m = h * std::max(0.5 - 1e-6, 0.5 * wall.thickness_cells);
    const View3<const float> phi = sim.liquid.state.phi;
    DrySide dry;
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        if (plane.beyond(h * (i + 0.5), h * (j + 0.5)) < from_m) return;
        dry.wet += phi(i, j, k) < 0;
        dry.volume_m3 += h * h * h * std::clamp(0.5 - double(phi(i, j, k)) / h, 0.0, 1.0);
    });
    for (const Particle& p : sim.liquid.state.particles.list)
        if (p.isThere() && !p.isAir()) dry.particles += plane.beyond(h * double(p.x), h * double(p.y)) > from_m;
    return dry;
}

}  // namespace

Scene wallAcross(Int3 cells, const WallSpec& wall)
{
    const double h = water_m / (cells.y - 10);
    Scene scene = tankOf(cells, h * cells.x);
    const WallPlane plane(scene.domain, wall);
    const Vec3 center{plane.x_m, 0.5 * water_m, 0}, half{0.5 * wall.thickness_cells * h, 3, 3};
    scene.liquid.regions = waterUpTo(plane, h);
    scene.solids = {fixedSolid(BoxShape{center - half, center + half, {0, 0, -wall.lean_deg}})};
    return scene;
}

LeakResult holdWater(Int3 cells, const WallSpec& wall, double seconds, const std::string& label)
{
    Simulation sim(wallAcross(cells, wall));
    const double volume_m3 = sim.liquid.measureNow().volume_m3, before_m3 = measureDrySide(sim, wall).volume_m3;
    LeakResult r;
    fmt::print(stderr, "{}\n", label);
    advanceTo(seconds, sim, [&](const StepReport& step) {
        const DrySide dry = measureDrySide(sim, wall);
        r.passed = std::max(r.passed, (dry.volume_m3 - before_m3) / volume_m3);
        r.particles = std::max(r.particles, dry.particles);
        r.wet = std::max(r.wet, dry.wet);
        r.speed_m_s = std::max(r.speed_m_s, step.liquid.max_speed_m_s);
        r.volume_change = step.liquid.volume_m3 / volume_m3 - 1;
        ++r.steps;
    });
    return r;
}

}  // namespace flotsam
