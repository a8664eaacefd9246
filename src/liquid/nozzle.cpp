#include "liquid/nozzle.h"

#include <algorithm>

#include "liquid/cube_volume.h"

namespace flotsam {

namespace {

// A shorter nozzle would have no cell away from both ends, where its sides can be distinguished from its ends.
constexpr double least_length_cells = 3;
// Rays that measure the area of a source: 16 per cell, so that a disk of 8 cells is accurate to 1e-3.
constexpr double rays_per_cell = 16, most_rays = 640;

// Two directions orthogonal to d.
void directionsAcross(Vec3 d, Vec3& s, Vec3& t)
{
    const Vec3 other = std::abs(d.x) < 0.6 ? Vec3{1, 0, 0} : Vec3{0, 1, 0};
    s = normalized(cross(d, other));
    t = cross(d, s);
}

struct Range {
    double lo = 1e300, hi = -1e300;
    void add(double v) { lo = std::min(lo, v), hi = std::max(hi, v); }
};

Range alongDirection(const Bounds& b, Vec3 d)
{
    Range range;
    for (int corner = 0; corner < 8; ++corner)
        range.add(dot(d, {corner & 1 ? b.hi.x : b.lo.x, corner & 2 ? b.hi.y : b.lo.y, corner & 4 ? b.hi.z : b.lo.z}));
    return range;
}

Bounds boundsInDomain(const Grid& grid, const Source& source)
{
    const Bounds b = source.shape->bounds();
    return {max(b.lo, {}), min(b.hi, grid.h * Vec3{double(grid.cells.x), double(grid.cells.y), double(grid.cells.z)})};
}

// The cells of a source and some around it.
IndexBox cellsNear(const Grid& grid, const Source& source)
{
    const Bounds b = boundsInDomain(grid, source);
    if (b.empty()) return {};
    constexpr int margin = 4;
    IndexBox cells;
    for (int a = 0; a < 3; ++a) {
        cells.lo[a] = int(std::floor(b.lo[a] / grid.h)) - margin;
        cells.hi[a] = int(std::ceil(b.hi[a] / grid.h)) + margin;
    }
    return intersection(cells, {{0, 0, 0}, grid.cells});
}

}  // namespace

Nozzle::Nozzle(const Grid& grid_, const Source& source)
    : cells(cellsNear(grid_, source)),
      direction(normalized(source.spec.velocity_m_s)),
      speed_m_s(length(source.spec.velocity_m_s)),
      grid(grid_),
      shape(source.shape)
{
    if (cells.empty() || speed_m_s == 0) return;
    measureRays(boundsInDomain(grid, source));
    fitArea();
}

double Nozzle::shapeDistance(Vec3 p_m) const
{
    double d = shape->signedDistance(p_m);
    const int pieces = int(std::ceil(4 * longer_m / grid.h));
    for (int n = 1; n <= pieces; ++n) d = std::min(d, shape->signedDistance(p_m + (longer_m * n / pieces) * direction));
    return d;
}

Nozzle::StreamLevel Nozzle::streamLevel(Vec3 p_m) const
{
    const auto levelBehind = [&](double back_m) { return shapeDistance(p_m - back_m * direction); };
    double here = levelBehind(0);
    StreamLevel least{here, 0};
    // A distance changes by at most the length of the step, and only values within `near_m` of the surface matter.
    const double step_m = grid.h, near_m = 2 * grid.h, end_m = dot(direction, p_m) - upstream_m;
    for (double back_m = step_m; back_m < end_m && least.level_m > -near_m;) {
        here = levelBehind(back_m);
        if (here < least.level_m) least = {here, back_m};
        back_m += std::max({step_m, here - least.level_m, here - near_m});
    }
    if (std::abs(least.level_m) > near_m || end_m <= 0) return least;
    for (double finer_m = 0.5 * step_m; finer_m > 0.005 * grid.h; finer_m *= 0.5)
        for (const double back_m : {std::max(0.0, least.back_m - finer_m), least.back_m + finer_m}) {
            const double level_m = levelBehind(back_m);
            if (level_m < least.level_m) least = {level_m, back_m};
        }
    return least;
}

// The level is the least of many distances, which inside an edge of the shape is too small: by a factor of 0.7 where a
// box pours along its diagonal. Its slope has the same factor.
double Nozzle::streamShapeDistance(Vec3 p_m) const
{
    const StreamLevel here = streamLevel(p_m);
    const double step_m = 0.1 * grid.h;
    if (here.back_m == 0 || std::abs(here.level_m) > 2 * grid.h) return here.level_m;
    Vec3 slope;
    for (int a = 0; a < (grid.cells.z == 1 ? 2 : 3); ++a) {
        Vec3 step;
        step[a] = step_m;
        slope[a] = (streamLevel(p_m + step).level_m - streamLevel(p_m - step).level_m) / (2 * step_m);
    }
    return here.level_m / std::clamp(length(slope), 0.5, 1.0);
}

// The area of a source is that of its projection along U, within the domain.
void Nozzle::measureRays(const Bounds& bounds)
{
    const bool flat = grid.cells.z == 1 && direction.z == 0;
    Vec3 s, t;
    if (flat)
        s = {-direction.y, direction.x, 0}, t = {0, 0, 1};
    else
        directionsAcross(direction, s, t);
    const Range along = alongDirection(bounds, direction), across = alongDirection(bounds, s),
                other = flat ? Range{0, grid.h} : alongDirection(bounds, t);
    const double finest = grid.h / rays_per_cell;
    const int ns = int(std::clamp(std::ceil((across.hi - across.lo) / finest), 1.0, most_rays)),
              nt = flat ? 1 : int(std::clamp(std::ceil((other.hi - other.lo) / finest), 1.0, most_rays));
    const double ds = (across.hi - across.lo) / ns, dt = (other.hi - other.lo) / nt;
    ray_area_m2 = ds * dt;
    const Vec3 top = grid.h * Vec3{double(grid.cells.x), double(grid.cells.y), double(grid.cells.z)};
    Range length_m;
    std::vector<double> entries;
    for (int m = 0; m < nt; ++m)
        for (int n = 0; n < ns; ++n) {
            const Vec3 start = (across.lo + (n + 0.5) * ds) * s + (other.lo + (m + 0.5) * dt) * t;
            double first = 1e300, last = -1e300;
            for (double at = along.lo; at <= along.hi;) {
                const Vec3 p = start + at * direction;
                const double d = shape->signedDistance(p);
                if (d <= 0 && max(p, {}) == p && min(p, top) == p) first = std::min(first, at), last = at - d;
                at += std::max(std::abs(d), 0.25 * finest);
            }
            if (last < first) continue;
            entries.push_back(first);
            length_m.add(first), length_m.add(last);
        }
    area_m2 = double(entries.size()) * ray_area_m2;
    if (entries.empty()) return;
    longer_m = std::max(0.0, least_length_cells * grid.h - (length_m.hi - length_m.lo));
    upstream_m = length_m.lo - longer_m;
    downstream_m = length_m.hi;
    for (double e : entries) entries_m.push_back(e - length_m.lo);
}

// The part of a cube between cell centres that is in the stream: the mean over smaller cubes, with a surface that is
// plane in each.
double Nozzle::partInStream(Int3 lowest) const
{
    constexpr int per_axis = 4;
    const int layers = grid.cells.z == 1 ? 1 : per_axis;
    double inside = 0;
    forEachCell({{0, 0, 0}, {per_axis, per_axis, layers}}, [&](int i, int j, int k) {
        const Vec3 at{(i + 0.5) / per_axis, (j + 0.5) / per_axis, grid.cells.z == 1 ? 0 : (k + 0.5) / per_axis};
        inside += std::clamp(0.5 - per_axis / grid.h * streamShapeDistance(cellPosition(grid.h, lowest) + grid.h * at),
                             0.0, 1.0);
    });
    return inside / (per_axis * per_axis * layers);
}

// Between cell centres a disk is a polygon: one of 8 cells across is 1 % too small. The sides are shifted so that the
// volume between the ends is right, where the stream has its full width.
void Nozzle::fitArea()
{
    constexpr double step_cells = 0.05, most_cells = 24;  // of a wider nozzle the error is below 0.1 %
    const double width_m = grid.cells.z == 1 ? area_m2 / grid.h : std::sqrt(area_m2);
    if (width_m > most_cells * grid.h) return;
    double wanted = 0, now = 0, wider = 0;  // [cubes]
    forEachCell({cells.lo, cells.hi - Int3{1, 1, grid.cells.z == 1 ? 0 : 1}}, [&](int i, int j, int k) {
        float v[8], w[8];
        bool cut = false;
        for (int n = 0; n < 8; ++n) {
            const Vec3 p =
                cellPosition(grid.h, Int3{i + (n & 1), j + (n >> 1 & 1), grid.cells.z == 1 ? k : k + (n >> 2)});
            if (!isBetweenEnds(p)) return;
            v[n] = float(streamShapeDistance(p));
            const double ahead_m = streamLevel(p + grid.h * direction).level_m;
            if (streamLevel(p).level_m - ahead_m > 0.02 * grid.h) return;  // it still widens here
            w[n] = v[n] - float(step_cells * grid.h);
            cut |= std::abs(v[n]) < 2 * grid.h;
        }
        now += negativePartOfCube(v);
        wider += negativePartOfCube(w);
        wanted += cut ? partInStream({i, j, k}) : v[0] < 0;
    });
    if (wider > now) wider_m = std::clamp((wanted - now) / (wider - now), -2.0, 2.0) * step_cells * grid.h;
}

}  // namespace flotsam
