// Conduction by the locally one-dimensional method: implicit along x, then y, then z (thesis eqs. 51-55).
#include <algorithm>
#include <cmath>

#include "liquid/heat.h"
#include "liquid/heat_rounding.h"
#include "liquid/liquid_fraction.h"

namespace flotsam {

namespace {

// Columns of active bricks along an axis, one for each position in the plane across it.
std::vector<BrickList> columnsOf(const Bricks& bricks, const BrickList& list, int axis)
{
    std::vector<BrickList> columns;
    std::vector<int> column_of(size_t(bricks.total()), -1);
    for (int brick : list) {
        Int3 base = bricks.at(brick);
        base[axis] = 0;
        int& column = column_of[size_t(bricks.index(base))];
        if (column < 0) {
            column = int(columns.size());
            columns.emplace_back();
        }
        columns[size_t(column)].push_back(brick);
    }
    return columns;
}

// All data for the rows along one axis.
struct Conduction {
    const Grid& grid;
    const Solids& barriers;  // solids and bodies: no heat passes
    const Solids& solids;    // the fixed ones alone: they have the temperature of the walls
    int axis;
    double r;      // k dt / h^2
    double air;    // Newton cooling of a full face in one step, over the heat capacity of a full cell
    double walls;  // r, or 0: insulated
    double air_K, walls_K;
    Melting melting;
    View3<const float> phi, fraction;
    View3<const uint8_t> fixed;
    View3<float> e;
    uint64_t step;

    float open(Int3 face) const { return barriers.uncoveredFraction(axis, face); }

    float rounded(double v, Int3 c) const { return roundByChance(v, step, uint64_t(&e(c) - e.origin), uint64_t(axis)); }

    // Between a cell and the next one: the open and wet fraction of the face.
    double between(Int3 c) const
    {
        const Int3 next = c + unit(axis);
        return r * double(open(next)) * double(belowSurface(0.5f * (phi(c) + phi(next)), float(grid.h)));
    }

    // |n_a| of the surface at the face between two cells, from differences across it.
    double normalAt(Int3 c, Int3 q) const
    {
        const double across = phi(q) - phi(c);
        double sum = across * across;
        for (int a = 0; a < 3; ++a) {
            const Int3 t = unit(a);
            const double along =
                a == axis || grid.cells[a] == 1 ? 0 : 0.25 * ((phi(c + t) - phi(c - t)) + (phi(q + t) - phi(q - t)));
            sum += along * along;
        }
        return sum > 0 ? std::abs(across) / std::sqrt(sum) : 0;
    }

    // The area of the surface in a cell that faces along the axis, in faces: the decrease of the liquid fraction
    // towards the neighbours times |n_a|. Over a plane that sums to its area whatever its slope; complete faces would
    // give up to sqrt(3) times as much.
    double surface(Int3 c) const
    {
        const float h = float(grid.h), here = belowSurface(phi(c), h);
        double faces = 0;
        for (int side = 0; side < 2; ++side) {
            const Int3 q = side ? c + unit(axis) : c - unit(axis);
            const float drop = here - belowSurface(phi(q), h);
            if (drop > 0) faces += double(drop) * double(open(side ? q : c)) * normalAt(c, q);
        }
        return faces;
    }

    // The fraction of a face that is open to liquid with heat: zero if the other cell centre is in a solid.
    double openToLiquid(Int3 face, Int3 other) const
    {
        return solids.touches(other) && solids.distance(other.x, other.y, other.z) <= 0
                   ? 0
                   : double(solids.uncoveredFraction(axis, face));
    }

    // The contribution of a solid to wall(): its area in the cell that faces along the axis, times |n_a|, divided by
    // its distance in cells.
    double solidWall(Int3 c) const
    {
        const Int3 next = c + unit(axis);
        const double faces = std::abs(openToLiquid(next, next) - openToLiquid(c, c - unit(axis)));
        if (faces == 0) return 0;
        const Float3 g = solids.gradient(c.x, c.y, c.z);
        const double norm = std::sqrt(double(g.x * g.x + g.y * g.y + g.z * g.z));
        const double away = std::clamp(double(solids.distance(c.x, c.y, c.z)) / grid.h, 0.05, 1.0);
        return norm > 0 ? faces * std::abs(double(g[axis])) / (norm * away) : 2 * faces;
    }

    // Conductance to walls over r: of the closed boundaries of the tank, half a cell away, and of solids.
    double wall(Int3 c) const
    {
        const bool first = c[axis] == 0, last = c[axis] == grid.cells[axis] - 1;
        double sum = 2 * ((first && !grid.open[axis][0]) + (last && !grid.open[axis][1]));
        if (!first && !last && solids.touches(c)) sum += solidWall(c);
        return sum * double(belowSurface(phi(c), float(grid.h)));
    }

    void load(Int3 first, int n, HeatLine& line) const
    {
        line.resize(size_t(n));
        Int3 c = first;
        for (size_t m = 0; m < size_t(n); ++m, ++c[axis]) {
            line.mass[m] = fraction(c);
            line.e[m] = e(c);
            line.fixed[m] = fixed(c);
            line.between[m] = m + 1 < size_t(n) ? between(c) : 0;
            const double to_wall = walls > 0 ? walls * wall(c) : 0, to_air = air > 0 ? air * surface(c) : 0;
            line.sink[m] = to_wall + to_air;
            line.sink_K[m] = to_wall * walls_K + to_air * air_K;
        }
    }

    // The runs of liquid cells in [from, to) of a line.
    void conductLine(Int3 c, int from, int to, HeatLine& line) const
    {
        for (int begin = from; begin < to;) {
            c[axis] = begin;
            if (fraction(c) == 0) {
                ++begin;
                continue;
            }
            int end = begin;
            for (; end < to && fraction(c) > 0; c[axis] = ++end) {
            }
            c[axis] = begin;
            load(c, end - begin, line);
            conductAlong(melting, line);
            for (int m = begin; m < end; c[axis] = ++m) e(c) = rounded(line.e[size_t(m - begin)], c);
            begin = end;
        }
    }

    // All lines through the bricks of a column; a gap between two bricks separates them.
    void conductColumn(const BrickList& column, HeatLine& line) const
    {
        const int b = (axis + 1) % 3, c = (axis + 2) % 3;
        for (size_t n = 0; n < column.size();) {
            const IndexBox first = grid.bricks.box(column[n]);
            int to = first.hi[axis];
            for (++n; n < column.size() && grid.bricks.box(column[n]).lo[axis] == to; ++n)
                to = grid.bricks.box(column[n]).hi[axis];
            for (int q = first.lo[c]; q < first.hi[c]; ++q)
                for (int p = first.lo[b]; p < first.hi[b]; ++p) {
                    Int3 start = first.lo;
                    start[b] = p, start[c] = q;
                    conductLine(start, first.lo[axis], to, line);
                }
        }
    }
};

}  // namespace

void conductHeat(const Grid& grid, const Solids& barriers, const LiquidParams& liquid, const HeatParams& heat,
                 double dt_s, LiquidState& s, LiquidScratch& w)
{
    const double r = heat.diffusivity_m2_s * dt_s / (grid.h * grid.h);
    const double capacity_J_m3_K = liquid.density_kg_m3 * heat.specific_heat_J_kg_K;
    for (int axis = 0; axis < 3; ++axis) {
        if (grid.cells[axis] == 1) continue;  // no heat flows across a slab
        const Conduction conduction{grid,
                                    barriers,
                                    barriers.fixedSolids(),
                                    axis,
                                    r,
                                    heat.air_transfer_W_m2_K * dt_s / (capacity_J_m3_K * grid.h),
                                    heat.walls_K ? r : 0,
                                    heat.air_K,
                                    heat.walls_K.value_or(0),
                                    Melting(heat),
                                    s.phi,
                                    w.heat.fraction,
                                    w.heat.fixed.view(),
                                    w.heat.e,
                                    uint64_t(s.step)};
        const std::vector<BrickList> columns = columnsOf(grid.bricks, s.active.list, axis);
        if (w.heat.lines.size() < columns.size()) w.heat.lines.resize(columns.size());
        parallelTasks("heat.conduct", int(columns.size()),
                      [&](int n) { conduction.conductColumn(columns[size_t(n)], w.heat.lines[size_t(n)]); });
    }
}

void updateHeat(const Grid& grid, const Solids& barriers, const LiquidParams& liquid, const HeatParams& heat,
                const std::vector<HeatSource>& sources, double dt_s, LiquidState& s, LiquidScratch& w)
{
    fillLiquidFractions(grid, barriers, s, w);
    loadEnthalpy(grid, heat, s, w.heat.e);
    applyHeatSources(liquid, heat, sources, dt_s, s, w);
    conductHeat(grid, barriers, liquid, heat, dt_s, s, w);
    extendHeat(grid, barriers, heat, s, w);
}

}  // namespace flotsam
