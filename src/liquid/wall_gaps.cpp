#include "liquid/wall_gaps.h"

#include "liquid/boundary.h"
#include "liquid/pressure.h"
#include "liquid/wall_film.h"

namespace flotsam {

namespace {

// A surface steeper against the wall than this moves along the wall rather than towards it.
constexpr float least_slope = 0.3f;

// Whether a cell is adjacent to a domain boundary.
bool isOutermost(const Grid& grid, Int3 c) { return !grown({{0, 0, 0}, grid.cells}, -1).contains(c); }

// f(cell) for the cells of a strip at the domain boundaries and in bricks near solids.
template <class F>
void forCellsAtWalls(const Grid& grid, const Solids& solids, IndexBox strip, const F& f)
{
    solids.forBricks(strip, [&](IndexBox box, bool near_solid) {
        bool at_wall = false;
        for (int a = 0; a < 3; ++a) at_wall |= box.lo[a] == 0 || box.hi[a] == grid.cells[a];
        if (!near_solid && !at_wall) return;
        forEachCell(box, [&](int i, int j, int k) {
            if (near_solid || isOutermost(grid, {i, j, k})) f(Int3{i, j, k});
        });
    });
}

}  // namespace

// The speed scale: liquid falls through the height of a cell at sqrt(2 g h).
WallGaps::WallGaps(const Grid& grid_, const Solids& solids_, double gravity_m_s2, LiquidState& s)
    : grid(grid_), solids(solids_), phi(s.phi), u(s.u), least_speed_m_s(0.05f * float(std::sqrt(gravity_m_s2 * grid.h)))
{
}

float WallGaps::inflowAlong(int across, Int3 c) const
{
    if (phi(c) >= 0) return 0;
    float inflow = 0;
    for (int a = 0; a < 3; ++a)
        if (a != across) inflow += flow(a, c) - flow(a, c + unit(a));
    return inflow;
}

// An upper bound on the flow through any of its faces.
float WallGaps::fastestFace(Int3 c) const
{
    float fastest = 0;
    for (int a = 0; a < 3; ++a) fastest = std::max({fastest, std::abs(u.u[a](c)), std::abs(u.u[a](c + unit(a)))});
    return fastest;
}

WallGaps::Gap WallGaps::atWall(Int3 c) const
{
    const float h = float(grid.h);
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            if (grid.open[a][side] || grid.cells[a] == 1 || c[a] != (side == 0 ? 0 : grid.cells[a] - 1)) continue;
            const Int3 in = side == 0 ? c + unit(a) : c - unit(a);
            const Int3 face = side == 0 ? in : c;
            if (solids.uncoveredFraction(a, face) == 0) continue;
            const float closing = (side == 0 ? -1.0f : 1.0f) * flow(a, face) + inflowAlong(a, c);
            const float slope = phi(c) - phi(in);
            if (closing <= least_speed_m_s || phi(in) >= 0 || slope < least_slope * h) continue;
            const float width = h * (phi(c) / slope + 0.5f);
            const float sign = side == 0 ? 1.0f : -1.0f;
            const Float3 away{a == 0 ? sign : 0, a == 1 ? sign : 0, a == 2 ? sign : 0};
            if (width > 0) return {width, std::min(closing, fastestFace(c)), -phi(c) / slope, away};
        }
    return {};
}

WallGaps::Gap WallGaps::atSolid(Int3 c) const
{
    const float h = float(grid.h), away = solids.distance(c.x, c.y, c.z);
    if (solids.covers(c) || away <= 0 || away > h) return {};
    const Float3 n = solids.gradient(c.x, c.y, c.z);
    const float norm = std::sqrt(n.x * n.x + n.y * n.y + n.z * n.z);
    if (norm == 0) return {};
    float towards = 0, closing = 0;  // the change of phi per cell into the solid; the liquid velocity in that direction
    for (int a = 0; a < 3; ++a) {
        const Int3 e = unit(a);
        const bool high = c[a] + 1 >= grid.cells[a] || !solids.isBlocked(a, c + e), low = !solids.isBlocked(a, c);
        const float change = (high ? phi(c + e) - phi(c) : 0) + (low ? phi(c) - phi(c - e) : 0);
        towards -= (high && low ? 0.5f : 1.0f) * change * n[a] / norm;
        const float from_liquid = n[a] > 0 ? u.u[a](c + e) : u.u[a](c);
        closing -= from_liquid * n[a] / norm;
    }
    if (closing <= least_speed_m_s || towards < least_slope * h) return {};
    const float width = h * phi(c) / towards + away;
    if (width <= 0 || width >= h) return {};
    return {width, std::min(closing, fastestFace(c)), -phi(c) / towards, (1 / norm) * n};
}

void freeFromWalls(const Grid& grid, const Solids& solids, const WallGaps& gaps, const BrickSet& set, LiquidState& s,
                   View3<Float4> velocity)
{
    const View3<const float> phi = s.phi;
    const ConstMacView u = s.u;
    const auto isOpen = [&](int axis, Int3 face) {
        if (face[axis] == 0 || face[axis] == grid.cells[axis]) return grid.open[axis][face[axis] != 0];
        return solids.letsThrough(axis, face);
    };
    const auto freeCell = [&](Int3 c) {
        if (phi(c) >= grid.band || !(isOutermost(grid, c) || solids.isNear(c))) return;
        if ((phi(c) < 0 && gaps.at(c).width_m == 0) || solids.covers(c)) return;
        const WallFilm film = filmAt(grid, phi, c);
        if (film) velocity(c)[film.axis] = float(film.inwards[film.axis]) * filmGrowth(film, phi, u, velocity(c), c);
        for (int a = 0; a < 3; ++a) {
            if (grid.cells[a] == 1 || a == film.axis) continue;
            const bool low = isOpen(a, c), high = isOpen(a, c + unit(a));
            if (low == high) continue;
            velocity(c)[a] = low ? u.u[a](c) + gaps.inflowAlong(a, c) : u.u[a](c + unit(a)) - gaps.inflowAlong(a, c);
        }
    };
    parallelBoxes("surface.walls", set, [&](IndexBox strip) { forCellsAtWalls(grid, solids, strip, freeCell); });
}

std::vector<GapCell> openWallGaps(const Grid& grid, const Solids& solids, const WallGaps& gaps, double dt_s,
                                  LiquidState& s, LiquidScratch& w)
{
    struct Found {
        Int3 cell;
        WallGaps::Gap gap;
    };
    std::vector<std::vector<Found>> found(s.active.strips.size());
    parallelTasks("pressure.gaps", int(found.size()), [&](int n) {
        forCellsAtWalls(grid, solids, s.active.strips[size_t(n)], [&](Int3 c) {
            const WallGaps::Gap gap = gaps.at(c);
            if (gap.width_m > 0) found[size_t(n)].push_back({c, gap});
        });
    });
    const View3<float> phi = s.phi;
    const float h = float(grid.h), dt = float(dt_s);
    std::vector<GapCell> cells;
    w.gap_flows.clear();
    for (const auto& list : found)
        for (const Found& f : list) {
            const float fills = f.gap.width_m / dt, theta = std::max(f.gap.theta, least_theta);
            const bool wet = phi(f.cell) < 0, is_filled = f.gap.closing_m_s >= fills;
            if (!wet && !is_filled) continue;
            w.gap_flows.push_back({f.cell, f.gap.away, fills, wet ? theta : 0, is_filled});
            if (wet) continue;
            cells.push_back({f.cell, phi(f.cell)});
            phi(f.cell) = -0.25f * h;
        }
    if (!cells.empty()) fillGhostCells(grid, s.active, phi);
    return cells;
}

void restoreWallGaps(const Grid& grid, const std::vector<GapCell>& cells, LiquidState& s)
{
    for (const GapCell& c : cells) s.phi.view()(c.cell) = c.phi_m;
    if (!cells.empty()) fillGhostCells(grid, s.active, s.phi.view());
}

}  // namespace flotsam
