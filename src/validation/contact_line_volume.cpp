// Volume conserved without the correction, and volume poured by sources: the second half of contact_line_cases.h.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "core/time_loop.h"
#include "validation/contact_line_cases.h"

namespace flotsam {

namespace {

constexpr double source_cells = 4;  // of a source along its stream

Vec3 inCells(double h, Vec3 p) { return h * p; }

double widthOf(SourceKind kind) { return kind == SourceKind::square_3_3 ? 3.3 : 8.0; }

double areaOf(SourceKind kind, double h)
{
    const double width_m = widthOf(kind) * h;
    const bool round = kind == SourceKind::disk_8 || kind == SourceKind::ball_8;
    return (round ? std::numbers::pi / 4 : 1) * width_m * width_m;
}

// The square of 8 cells is aligned with the grid faces, the others are not.
Vec3 offsetOf(SourceKind kind) { return kind == SourceKind::square_8 ? Vec3{} : Vec3{0.27, 0.13, 0.41}; }

// The source is opposite to where the stream flows; low streams of slow sources stay thick enough for the grid.
Vec3 placeOf(const SourceCase& what)
{
    if (what.under_water) return {20, 14, 20};
    if (what.direction.y > 0) return {20, 6, 20};
    if (what.direction.y == 0) return {6, 20, 20};
    return {20, what.gravity && what.speed_m_s < 0.5 ? 12.0 : 42.0, 20};
}

ShapeSpec shapeOf(const SourceCase& what, double h)
{
    const Vec3 center = placeOf(what) + offsetOf(what.kind), d = what.direction;
    const double r = 0.5 * widthOf(what.kind);
    if (what.kind == SourceKind::ball_8) return SphereShape{inCells(h, center), r * h};
    if (what.kind == SourceKind::disk_8)
        return CylinderShape{inCells(h, center), r * h, source_cells * h, {0, 0, d.x != 0 ? 90.0 : 0.0}};
    Vec3 half{r, r, r};
    for (int a = 0; a < 3; ++a)
        if (d[a] != 0) half[a] = 0.5 * source_cells;
    return BoxShape{inCells(h, center - half), inCells(h, center + half), {}};
}

}  // namespace

VolumeResult keepVolume(const Scene& scene, double seconds, const std::string& label)
{
    Simulation sim(scene);
    const double volume_m3 = sim.liquid.measureNow().volume_m3;
    VolumeResult r;
    fmt::print(stderr, "{}\n", label);
    advanceByFrames(seconds, scene.time.fps, sim, [&](const StepReport& step) {
        r.change = step.liquid.volume_m3 / volume_m3 - 1;
        r.largest_change = std::max(r.largest_change, std::abs(r.change));
        r.redistributed += redistributedVolume(step) / volume_m3;
    });
    return r;
}

Scene calmTank(Int3 cells)
{
    Scene scene;
    scene.domain.cells = cells;
    scene.surface.volume_correction = false;
    scene.liquid.regions = {{PoolShape{0.37}, {}}};
    return scene;
}

Scene damBreakOverBlock()
{
    Scene scene;
    scene.domain.cells = {80, 56, 40};
    scene.domain.width_m = 1.6;
    scene.surface.volume_correction = false;
    scene.liquid.regions = {{BoxShape{{0, 0, 0}, {0.5, 0.6, 0.8}, {}}, {}}};
    scene.solids = {fixedSolid(BoxShape{{1.0, -0.1, 0.24}, {1.16, 0.16, 0.56}, {}})};
    return scene;
}

Scene viscousDrop(Int3 cells, double viscosity_m2_s)
{
    Scene scene;
    scene.domain.cells = cells;
    scene.surface.volume_correction = false;
    scene.liquid.viscosity_m2_s = viscosity_m2_s;
    scene.liquid.regions = {{SphereShape{{0.4823, 0.45, 0.51}, 0.2}, {}}};
    return scene;
}

namespace {

// value / reference, with any reference within slack_m3 accepted; at_most: larger references are not accepted.
double ratioTo(double value_m3, double reference_m3, double slack_m3, bool at_most)
{
    const double nearest_m3 = std::clamp(value_m3, reference_m3 - slack_m3, reference_m3 + (at_most ? 0 : slack_m3));
    return 1 + (value_m3 - nearest_m3) / reference_m3;
}

}  // namespace

// The first step may pour nothing, or a step may report the volume at its start. The volume poured may therefore lag by
// the longest step so far, and the volume after start_s may differ by the change of the time step.
PourResult pour(const Pouring& pouring, const std::string& label)
{
    struct First {
        double t_s = 0, dt_s = 0, poured_m3 = 0;
    };
    Simulation sim(pouring.scene);
    const double before_m3 = sim.liquid.measureNow().volume_m3, rate_m3_s = pouring.rate_m3_s;
    PourResult r;
    double longest_s = 0;
    std::optional<First> first;  // once the stream exists
    fmt::print(stderr, "{}\n", label);
    advanceByFrames(pouring.seconds, pouring.scene.time.fps, sim, [&](const StepReport& step) {
        const double poured_m3 = step.liquid.volume_m3 - before_m3, t_s = sim.liquid.state.t_s;
        longest_s = std::max(longest_s, step.dt_s);
        ++r.steps;
        r.redistributed += redistributedVolume(step) / (rate_m3_s * pouring.seconds);
        r.ratio = ratioTo(poured_m3, rate_m3_s * t_s, rate_m3_s * longest_s, true);
        if (t_s < pouring.start_s) return;
        r.worst = std::max(r.worst, std::abs(r.ratio - 1));
        if (!first) first = First{t_s, step.dt_s, poured_m3};
        if (t_s > first->t_s)
            r.rate = ratioTo(poured_m3 - first->poured_m3, rate_m3_s * (t_s - first->t_s),
                             rate_m3_s * std::abs(step.dt_s - first->dt_s), false);
    });
    return r;
}

std::string SourceCase::name() const
{
    const char* shape = kind == SourceKind::square_8     ? "square 8"
                        : kind == SourceKind::square_3_3 ? "square 3.3"
                        : kind == SourceKind::disk_8     ? "disk 8"
                                                         : "ball 8";
    const char* where = direction.y < 0 ? "down" : direction.y > 0 ? "up" : "sideways";
    return fmt::format("{} {} {} m/s{}{}{}{}", shape, where, speed_m_s, gravity ? ", g" : "",
                       viscosity_m2_s > 1e-3 ? ", viscous" : "", max_dt_s < 1.0 / 500 ? ", dt 1/600" : "",
                       under_water ? ", under water" : "");
}

Pouring sourceCase(const SourceCase& what)
{
    constexpr double h = 0.02;
    Pouring p;
    p.scene.domain.cells = {40, 48, 40};
    p.scene.domain.width_m = 40 * h;
    p.scene.time.max_dt_s = what.max_dt_s;
    p.scene.surface.volume_correction = false;
    p.scene.liquid.viscosity_m2_s = what.viscosity_m2_s;
    if (!what.gravity) p.scene.domain.gravity_m_s2 = {};
    if (what.under_water) p.scene.liquid.regions = {{PoolShape{28.3 * h}, {}}};
    p.scene.liquid.sources = {{shapeOf(what, h), what.speed_m_s * what.direction}};
    p.rate_m3_s = what.speed_m_s * areaOf(what.kind, h);
    p.start_s = std::min(3 * source_cells, what.stream_cells - 3) * h / what.speed_m_s;
    p.seconds = what.stream_cells * h / what.speed_m_s;
    return p;
}

Pouring obliqueSource(ObliqueKind kind, double angle_deg)
{
    constexpr double h = 1.0 / 48, speed_m_s = 1, x_m = 0.25;
    const double c = std::cos(angle_deg * std::numbers::pi / 180), s = std::sin(angle_deg * std::numbers::pi / 180);
    const Vec3 center{x_m, x_m, 0.5 * h}, half{4 * h, 5 * h, h};
    Pouring p;
    p.scene.domain.cells = {48, 48, 1};
    p.scene.domain.gravity_m_s2 = {};
    p.scene.surface.volume_correction = false;
    const BoxShape box{center - half, center + half, {0, 0, kind == ObliqueKind::box_along_stream ? angle_deg : 0}};
    const ShapeSpec shape = kind == ObliqueKind::disk ? ShapeSpec(SphereShape{center, 5 * h}) : ShapeSpec(box);
    const double width_m = kind == ObliqueKind::box_along_axes ? 2 * (half.x * s + half.y * c) : 10 * h;
    p.scene.liquid.sources = {{shape, {speed_m_s * c, speed_m_s * s, 0}}};
    p.rate_m3_s = speed_m_s * width_m * h;
    p.start_s = 0.4;
    p.seconds = 0.7;
    return p;
}

Pouring honeyOnBlock(int cells, double viscosity_m2_s, bool no_slip, bool correction, double seconds)
{
    constexpr double width_m = 0.32, radius_m = 0.04, height_m = 0.04, speed_m_s = 0.5;
    Pouring p;
    p.scene.domain.cells = {cells, cells * 9 / 8, cells};
    p.scene.domain.width_m = width_m;
    p.scene.domain.no_slip = no_slip;
    p.scene.surface.volume_correction = correction;
    p.scene.liquid.density_kg_m3 = 1400;
    p.scene.liquid.viscosity_m2_s = viscosity_m2_s;
    p.scene.solids = {fixedSolid(BoxShape{{0.08, -0.1, 0.08}, {0.24, 0.1, 0.24}, {}})};
    p.scene.liquid.sources = {{CylinderShape{{0.163, 0.3, 0.157}, radius_m, height_m, {}}, {0, -speed_m_s, 0}}};
    p.rate_m3_s = speed_m_s * std::numbers::pi * radius_m * radius_m;
    p.start_s = 5 * height_m / speed_m_s;  // the stream has met the block
    p.seconds = seconds;
    return p;
}

}  // namespace flotsam
