#include "liquid/inflow.h"

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

}  // namespace

IndexBox Inflow::cellsNear(const Grid& grid, const Source& source)
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

Inflow::Inflow(const Grid& grid_, const Source& source_)
    : grid(grid_),
      source(source_),
      direction(normalized(source.spec.velocity_m_s)),
      speed_m_s(length(source.spec.velocity_m_s)),
      box(cellsNear(grid, source))
{
    if (box.empty()) return;
    if (speed_m_s > 0) {
        measureRays();
        fitArea();
    }
    listCells();
    listFaces();
    if (speed_m_s > 0) listBeside();
}

// The cells that it fills: in a cell filled but not held, next to air, the liquid would fall freely for ever.
void Inflow::listCells()
{
    const size_t count = size_t(product(box.size()));
    nozzle_cells.assign(count, 0);
    stream_m.assign(count, grid.band);
    size_t nearest = 0;
    double least = 1e300;
    bool any = false;
    forEachCell(box, [&](int i, int j, int k) {
        const Vec3 p = centerOf({i, j, k});
        const double d = nozzleDistance(p) - wider_m;
        const size_t at = indexOf({i, j, k});
        if (d < least) least = d, nearest = at;
        nozzle_cells[at] = d < 0;
        if (speed_m_s > 0) stream_m[at] = float(streamDistance(p) - wider_m);
        any |= d < 0;
    });
    if (!any && speed_m_s > 0) nozzle_cells[nearest] = 1;  // thinner than a cell: use the cell it is in
}

// The part of a cube between cell centres that is in the stream: the mean over smaller cubes, with a surface that is
// plane in each.
double Inflow::partInStream(Int3 lowest) const
{
    constexpr int per_axis = 4;
    const int layers = grid.cells.z == 1 ? 1 : per_axis;
    double inside = 0;
    forEachCell({{0, 0, 0}, {per_axis, per_axis, layers}}, [&](int i, int j, int k) {
        const Vec3 at{(i + 0.5) / per_axis, (j + 0.5) / per_axis, grid.cells.z == 1 ? 0 : (k + 0.5) / per_axis};
        inside += std::clamp(0.5 - per_axis / grid.h * streamDistance(centerOf(lowest) + grid.h * at), 0.0, 1.0);
    });
    return inside / (per_axis * per_axis * layers);
}

// Between cell centres a disk is a polygon: one of 8 cells across is 1 % too small. The sides are shifted so that the
// volume between the ends is right, where the stream has its full width.
void Inflow::fitArea()
{
    constexpr double step_cells = 0.05, most_cells = 24;  // of a wider nozzle the error is below 0.1 %
    const double width_m = grid.cells.z == 1 ? area_m2 / grid.h : std::sqrt(area_m2);
    if (width_m > most_cells * grid.h) return;
    double wanted = 0, now = 0, wider = 0;  // [cubes]
    forEachCell({box.lo, box.hi - Int3{1, 1, grid.cells.z == 1 ? 0 : 1}}, [&](int i, int j, int k) {
        float v[8], w[8];
        bool cut = false;
        for (int n = 0; n < 8; ++n) {
            const Vec3 p = centerOf(Int3{i + (n & 1), j + (n >> 1 & 1), grid.cells.z == 1 ? k : k + (n >> 2)});
            if (!isBetweenEnds(p)) return;
            v[n] = float(streamDistance(p));
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

double Inflow::nozzleDistance(Vec3 p_m) const
{
    double d = source.shape->signedDistance(p_m);
    const int pieces = int(std::ceil(4 * longer_m / grid.h));
    for (int n = 1; n <= pieces; ++n)
        d = std::min(d, source.shape->signedDistance(p_m + (longer_m * n / pieces) * direction));
    return d;
}

Inflow::StreamLevel Inflow::streamLevel(Vec3 p_m) const
{
    const auto levelBehind = [&](double back_m) { return nozzleDistance(p_m - back_m * direction); };
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
double Inflow::streamDistance(Vec3 p_m) const
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
void Inflow::measureRays()
{
    const Bounds bounds = boundsInDomain(grid, source);
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
                const double d = source.shape->signedDistance(p);
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

bool Inflow::isNozzle(Int3 c) const
{
    return box.contains(c) && nozzle_cells[indexOf(c)] != 0;
}

// Faces to the stream ahead of the nozzle let U through, in either direction: where the end is not perpendicular to U,
// liquid that has left one cell of the nozzle passes through the next. All others are closed. A nozzle whose stream is
// thinner than a cell emits wherever U points outwards.
void Inflow::listFaces()
{
    const auto streamIn = [&](Int3 c) { return box.contains(c) && stream_m[indexOf(c)] < 0; };
    double emitted_m_s = 0, into_boundary_m_s = 0;
    const auto listAll = [&](bool is_thin) {
        faces.clear();
        ends.clear();
        emitted_m_s = into_boundary_m_s = 0;
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            if (!isNozzle(c)) return;
            for (int n = 0; n < 6; ++n) {
                const int axis = n / 2;
                const Int3 q = n & 1 ? c + unit(axis) : c - unit(axis), face = n & 1 ? q : c;
                const double out_m_s = (n & 1 ? 1 : -1) * source.spec.velocity_m_s[axis];
                if (face[axis] == 0 || face[axis] == grid.cells[axis]) {
                    into_boundary_m_s += std::max(out_m_s, 0.0);
                    if (out_m_s > 0) ends.push_back(c);
                    continue;
                }
                if (isNozzle(q)) {
                    if (n & 1) faces.push_back({axis, face, c, q, false});
                    continue;
                }
                const bool emits = is_thin ? out_m_s > 1e-9 * speed_m_s : streamIn(q);
                if (emits) emitted_m_s += out_m_s, ends.push_back(c);
                faces.push_back({axis, face, c, q, emits});
            }
        });
    };
    listAll(false);
    if (emitted_m_s <= 0 && into_boundary_m_s == 0 && speed_m_s > 0) listAll(true);
    emitted_m3_s = emitted_m_s * grid.h * grid.h;
    into_boundary_m3_s = into_boundary_m_s * grid.h * grid.h;
}

// The share of the end of the nozzle from which liquid can flow into the domain: not the part against its boundary or
// in a solid.
double Inflow::openShare(const Solids& solids) const
{
    double open_m3_s = 0;
    for (const NozzleFace& f : faces) {
        if (!f.emits || solids.covers(f.inside) || solids.covers(f.outside)) continue;
        const double sign = f.outside[f.axis] > f.inside[f.axis] ? 1 : -1;
        open_m3_s += sign * source.spec.velocity_m_s[f.axis] * grid.h * grid.h;
    }
    const double all_m3_s = emitted_m3_s + into_boundary_m3_s;
    return all_m3_s > 0 ? std::clamp(open_m3_s / all_m3_s, 0.0, 1.0) : 0;
}

// Lists the cells beside the stream, within two cells of the faces that emit.
void Inflow::listBeside()
{
    for (const NozzleFace& f : faces) {
        if (!f.emits) continue;
        for (int n = 0; n < 6; ++n) {
            if (n / 2 == f.axis) continue;
            Int3 c = f.outside;
            for (int steps = 0; steps < 2; ++steps) {
                c = n & 1 ? c + unit(n / 2) : c - unit(n / 2);
                if (!IndexBox{{0, 0, 0}, grid.cells}.contains(c)) break;
                const float d = box.contains(c) ? stream_m[indexOf(c)] : grid.band;
                if (d >= 0) beside.push_back({c, d});
            }
        }
    }
}

float Inflow::nozzlePhi(Int3 c, double t_s) const
{
    if (speed_m_s == 0) return grid.band;
    return std::max(float(nozzleDistance(centerOf(c)) - wider_m), frontDistance(c, t_s));
}

std::optional<float> Inflow::streamPhi(Int3 c, double t_s) const
{
    if (speed_m_s == 0 || !isBetweenEnds(centerOf(c))) return {};
    return std::max(stream_m[indexOf(c)], frontDistance(c, t_s));
}

// Whether the end of the nozzle is surrounded by liquid that is not its own stream: 0 in air, 1 under water, in between
// at the surface.
double Inflow::underWater(const Solids& solids, View3<const float> phi) const
{
    int around = 0, liquid = 0;
    for (const BesideCell& b : beside) {
        if (solids.covers(b.cell)) continue;
        ++around;
        liquid += phi(b.cell) < b.stream_m - 0.5f * float(grid.h);
    }
    const double share = around == 0 ? 1 : double(liquid) / around;
    return std::clamp(2 * share - 1, 0.0, 1.0);
}

void Inflow::addLocks(const Solids& solids, View3<const float> phi, std::vector<FaceLock>& locks) const
{
    if (faces.empty()) return;
    const double share = underWater(solids, phi), wanted_m3_s = area_m2 * speed_m_s;
    const double factor = emitted_m3_s > 0 ? 1 + share * (wanted_m3_s / emitted_m3_s - 1) : 0;
    for (const NozzleFace& f : faces) {
        const float u = float(source.spec.velocity_m_s[f.axis]);
        const bool emits = f.emits && phi(f.inside) < 0;
        locks.push_back({f.axis, f.face, FaceLock::Inflow{emits ? float(factor) * u : 0.0f, u}});
    }
}

// Where the liquid at the upstream end of the nozzle borders on air, the surface there moves on with the stream, and
// filling the nozzle again adds the volume. Where it borders on liquid, the stream adds it.
double Inflow::rateIntoLiquid(const Solids& solids, View3<const float> phi) const
{
    double all = 0, wet = 0;
    for (const NozzleFace& f : faces) {
        const double in = (f.inside[f.axis] > f.outside[f.axis] ? 1 : -1) * source.spec.velocity_m_s[f.axis];
        if (f.emits || isNozzle(f.outside) || in <= 0) continue;
        all += in;
        if (phi(f.outside) < 0) wet += in;
    }
    const double share = all > 0 ? wet / all : faces.empty() ? 0 : underWater(solids, phi);
    return share * openShare(solids) * area_m2 * speed_m_s;
}

// A ray pours once the front enters the nozzle on it; if its end is already under water, from the start. Where the end
// is blocked, the nozzle is filled and nothing else.
double Inflow::poured(const Solids& solids, View3<const float> phi, double from_s, double to_s) const
{
    if (faces.empty() || speed_m_s == 0) return 0;
    const auto wet = std::count_if(ends.begin(), ends.end(), [&](Int3 c) { return phi(c) < 0; });
    const double active = ends.empty() ? 0 : double(wet) / double(ends.size());
    const double begin = front(from_s), end = front(std::min(to_s, source.spec.to_s));
    double filled_m = 0;
    for (double entry : entries_m) filled_m += std::max(end - std::max(begin, entry), 0.0);
    return active * openShare(solids) * area_m2 * std::max(end - begin, 0.0) + (1 - active) * ray_area_m2 * filled_m;
}

}  // namespace flotsam
