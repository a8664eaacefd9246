#include "liquid/inflow.h"

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
    // The cells that it fills: in a cell filled but not held, next to air, the liquid would fall freely for ever.
    nozzle_cells.assign(size_t(product(box.size())), 0);
    const Int3 n = box.size();
    Int3 nearest = box.lo;
    double least = 1e300;
    bool any = false;
    forEachCell(box, [&](int i, int j, int k) {
        const double d = nozzleDistance(centerOf({i, j, k})) - wider_m;
        if (d < least) least = d, nearest = {i, j, k};
        if (d >= 0) return;
        any = true;
        nozzle_cells[size_t((i - box.lo.x) + n.x * ((j - box.lo.y) + n.y * (k - box.lo.z)))] = 1;
    });
    if (!any && speed_m_s > 0) {  // thinner than a cell: use the cell it is in
        const Int3 c = nearest - box.lo;
        nozzle_cells[size_t(c.x + n.x * (c.y + n.y * c.z))] = 1;
    }
    listFaces();
}

// The volume of the nozzle between its ends, for the surface that is linear between cell centres.
double Inflow::measuredVolume(double wider) const
{
    double cubes = 0;
    forEachCell({box.lo, box.hi - Int3{1, 1, grid.cells.z == 1 ? 0 : 1}}, [&](int i, int j, int k) {
        float v[8];
        for (int n = 0; n < 8; ++n) {
            const Vec3 p = centerOf(Int3{i + (n & 1), j + (n >> 1 & 1), grid.cells.z == 1 ? k : k + (n >> 2)});
            if (!isBetweenEnds(p)) return;
            v[n] = float(nozzleDistance(p) - wider);
        }
        cubes += negativePartOfCube(v);
    });
    return cubes * grid.h * grid.h * grid.h;
}

// Between cell centres a disk is a polygon: one of 8 cells across is 1 % too small. If U is along a grid axis, the
// sides are shifted so that the volume between the ends is right.
void Inflow::fitArea()
{
    Range cubes_m;  // along U: cell centres between the ends
    for (int a = 0; a < 3; ++a) {
        if (std::abs(std::abs(direction[a]) - 1) > 1e-9) continue;
        for (int c = box.lo[a]; c < box.hi[a]; ++c) {
            Vec3 p;
            p[a] = grid.h * (c + 0.5);
            if (isBetweenEnds(p)) cubes_m.add(dot(direction, p));
        }
    }
    double wanted_m3 = 0;
    for (size_t n = 0; n < entries_m.size(); ++n)
        wanted_m3 += ray_area_m2 * std::max(0.0, std::min(cubes_m.hi, upstream_m + exits_m[n]) -
                                                     std::max(cubes_m.lo, upstream_m + entries_m[n]));
    const double step_m = 0.05 * grid.h, now_m3 = measuredVolume(0), more_m3 = measuredVolume(step_m);
    if (wanted_m3 == 0 || more_m3 <= now_m3) return;
    wider_m = std::clamp((wanted_m3 - now_m3) / (more_m3 - now_m3), -2.0, 2.0) * step_m;
}

double Inflow::nozzleDistance(Vec3 p_m) const
{
    double d = source.shape->signedDistance(p_m);
    const int pieces = int(std::ceil(4 * longer_m / grid.h));
    for (int n = 1; n <= pieces; ++n)
        d = std::min(d, source.shape->signedDistance(p_m + (longer_m * n / pieces) * direction));
    return d;
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
    std::vector<double> entries, exits;
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
            exits.push_back(last);
            length_m.add(first), length_m.add(last);
        }
    area_m2 = double(entries.size()) * ray_area_m2;
    if (entries.empty()) return;
    longer_m = std::max(0.0, least_length_cells * grid.h - (length_m.hi - length_m.lo));
    upstream_m = length_m.lo - longer_m;
    downstream_m = length_m.hi;
    for (double e : entries) entries_m.push_back(e - length_m.lo);
    for (double e : exits) exits_m.push_back(e - upstream_m);
}

bool Inflow::isNozzle(Int3 c) const
{
    const Int3 n = box.size(), o = c - box.lo;
    return box.contains(c) && nozzle_cells[size_t(o.x + n.x * (o.y + n.y * o.z))] != 0;
}

void Inflow::listFaces()
{
    // Downstream of its end the distance to the nozzle increases; along a side that crosses the grid in steps it does
    // not. At the front of a ball it increases more slowly, but it has increased before the foremost point.
    const auto isAtEnd = [&](Vec3 p) {
        const double here_m = nozzleDistance(p), to_end_m = downstream_m - dot(direction, p);
        return nozzleDistance(p + 1.5 * grid.h * direction) - here_m > 0.7 * grid.h ||
               (to_end_m > 0 && nozzleDistance(p + to_end_m * direction) - here_m > 0.4 * grid.h);
    };
    bool any = false;
    const auto listAll = [&](bool everywhere) {
        faces.clear();
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            if (!isNozzle(c)) return;
            for (int n = 0; n < 6; ++n) {
                const int axis = n / 2;
                const Int3 q = n & 1 ? c + unit(axis) : c - unit(axis), face = n & 1 ? q : c;
                if (face[axis] == 0 || face[axis] == grid.cells[axis]) continue;
                if (isNozzle(q)) {
                    if (n & 1) faces.push_back({axis, face, c, q, false});
                    continue;
                }
                const double out = (n & 1 ? 1 : -1) * source.spec.velocity_m_s[axis];
                const bool emits = out > 1e-9 * speed_m_s && (everywhere || isAtEnd(facePosition(grid.h, axis, face)));
                any = any || emits;
                faces.push_back({axis, face, c, q, emits});
            }
        });
    };
    listAll(false);
    if (!any && speed_m_s > 0) listAll(true);  // shapes without a distinct end
    emitted_m3_s = 0;
    for (const NozzleFace& f : faces)
        if (f.emits) emitted_m3_s += std::abs(source.spec.velocity_m_s[f.axis]) * grid.h * grid.h;
}

double Inflow::signedDistance(Vec3 p_m, double t_s) const
{
    if (speed_m_s == 0) return double(grid.band);
    return std::max(nozzleDistance(p_m) - wider_m, dot(direction, p_m) - upstream_m - front(t_s));
}

// Whether the end of the nozzle is surrounded by liquid: 0 in air, 1 under water, in between at the surface.
double Inflow::underWater(const Solids& solids, View3<const float> phi) const
{
    int around = 0, liquid = 0;
    for (const NozzleFace& f : faces) {
        if (!f.emits) continue;
        for (int n = 0; n < 6; ++n) {
            if (n / 2 == f.axis) continue;
            const Int3 q = n & 1 ? f.outside + unit(n / 2) : f.outside - unit(n / 2),
                       behind = q + (f.inside - f.outside);
            if (!IndexBox{{0, 0, 0}, grid.cells}.contains(q) || isNozzle(q) || isNozzle(behind) || solids.covers(q))
                continue;
            ++around;
            liquid += phi(q) < 0;
        }
    }
    const double share = around == 0 ? 1 : double(liquid) / around;
    return std::clamp(2 * share - 1, 0.0, 1.0);  // there is some liquid near the rim of a free stream too
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

double Inflow::rateUnderWater(const Solids& solids, View3<const float> phi) const
{
    return faces.empty() ? 0 : underWater(solids, phi) * area_m2 * speed_m_s;
}

// A ray pours once the front enters the nozzle on it; if its end is already under water, from the start.
double Inflow::poured(View3<const float> phi, double from_s, double to_s) const
{
    if (faces.empty() || speed_m_s == 0) return 0;
    int emit = 0, wet = 0;
    for (const NozzleFace& f : faces)
        if (f.emits) ++emit, wet += phi(f.inside) < 0;
    const double active = emit > 0 ? double(wet) / emit : 0;
    const double begin = front(from_s), end = front(std::min(to_s, source.spec.to_s));
    double filled_m = 0;
    for (double entry : entries_m) filled_m += std::max(end - entry, 0.0) - std::max(begin - entry, 0.0);
    return active * area_m2 * std::max(end - begin, 0.0) + (1 - active) * ray_area_m2 * filled_m;
}

}  // namespace flotsam
