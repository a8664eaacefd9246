#include "liquid/inflow.h"

#include <algorithm>

namespace flotsam {

Inflow::Inflow(const Grid& grid_, const Source& source_) : grid(grid_), source(source_), nozzle(grid, source)
{
    if (cells().empty()) return;
    listCells();
    listFaces();
    if (nozzle.speed_m_s > 0) listBeside();
}

// The cells that it fills: in a cell filled but not held, next to air, the liquid would fall freely for ever.
void Inflow::listCells()
{
    const size_t count = size_t(product(cells().size()));
    nozzle_cells.assign(count, 0);
    stream_m.assign(count, grid.band);
    size_t nearest = 0;
    double least = 1e300;
    bool any = false;
    forEachCell(cells(), [&](int i, int j, int k) {
        const Vec3 p = cellPosition(grid.h, {i, j, k});
        const double d = nozzle.distance(p);
        const size_t at = indexOf({i, j, k});
        if (d < least) least = d, nearest = at;
        nozzle_cells[at] = d < 0;
        if (nozzle.speed_m_s > 0) stream_m[at] = float(nozzle.streamDistance(p));
        any |= d < 0;
    });
    if (!any && nozzle.speed_m_s > 0) nozzle_cells[nearest] = 1;  // thinner than a cell: use the cell it is in
}

bool Inflow::isNozzle(Int3 c) const { return cells().contains(c) && nozzle_cells[indexOf(c)] != 0; }

// Faces to the stream ahead of the nozzle let U through, in either direction: where the end is not perpendicular to U,
// liquid that has left one cell of the nozzle passes through the next. All others are closed. A nozzle whose stream is
// thinner than a cell emits wherever U points outwards.
void Inflow::listFaces()
{
    const auto streamIn = [&](Int3 c) { return cells().contains(c) && stream_m[indexOf(c)] < 0; };
    double emitted_m_s = 0, into_boundary_m_s = 0;
    const auto listAll = [&](bool is_thin) {
        faces.clear();
        ends.clear();
        emitted_m_s = into_boundary_m_s = 0;
        forEachCell(cells(), [&](int i, int j, int k) {
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
                const bool emits = is_thin ? out_m_s > 1e-9 * nozzle.speed_m_s : streamIn(q);
                if (emits) emitted_m_s += out_m_s, ends.push_back(c);
                faces.push_back({axis, face, c, q, emits});
            }
        });
    };
    listAll(false);
    if (emitted_m_s <= 0 && into_boundary_m_s == 0 && nozzle.speed_m_s > 0) listAll(true);
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
                const float d = cells().contains(c) ? stream_m[indexOf(c)] : grid.band;
                if (d >= 0) beside.push_back({c, d});
            }
        }
    }
}

float Inflow::nozzlePhi(Int3 c, double t_s) const
{
    if (nozzle.speed_m_s == 0) return grid.band;
    return std::max(float(nozzle.distance(cellPosition(grid.h, c))), frontDistance(c, t_s));
}

std::optional<float> Inflow::streamPhi(Int3 c, double t_s) const
{
    if (nozzle.speed_m_s == 0 || !nozzle.isBetweenEnds(cellPosition(grid.h, c))) return {};
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
    const double share = underWater(solids, phi), wanted_m3_s = nozzle.area_m2 * nozzle.speed_m_s;
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
    return share * openShare(solids) * nozzle.area_m2 * nozzle.speed_m_s;
}

// A ray pours once the front enters the nozzle on it; if its end is already under water, from the start. Where the end
// is blocked, the nozzle is filled and nothing else.
double Inflow::poured(const Solids& solids, View3<const float> phi, double from_s, double to_s) const
{
    if (faces.empty() || nozzle.speed_m_s == 0) return 0;
    const auto wet = std::count_if(ends.begin(), ends.end(), [&](Int3 c) { return phi(c) < 0; });
    const double active = ends.empty() ? 0 : double(wet) / double(ends.size());
    const double begin = front(from_s), end = front(std::min(to_s, source.spec.to_s));
    double filled_m = 0;
    for (double entry : nozzle.entries_m) filled_m += std::max(end - std::max(begin, entry), 0.0);
    return active * openShare(solids) * nozzle.area_m2 * std::max(end - begin, 0.0) +
           (1 - active) * nozzle.ray_area_m2 * filled_m;
}

}  // namespace flotsam
