#include "liquid/pressure.h"

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/pressure_bodies.h"
#include "liquid/pressure_divergence.h"
#include "liquid/surface_cells.h"

namespace flotsam {

namespace {

// Unknown of the solver: q = p dt / (rho h) [m/s], so that u -= q_i - q_{i-1} on a face.
// (A q)_i = sum_f alpha_f (q_i - q_nb). q = 0 on the surface, at fraction theta of the distance to the centre of an air
// cell, gives the term alpha_f q_i / theta.

inline float theta(float inside, float outside, float least) { return std::max(inside / (inside - outside), least); }

// Past an open boundary, phi is minus the phi of the outermost cell.
struct Cells {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    float least_theta = leastTheta(solids);

    // Whether a cell is a pressure unknown: liquid and, in the noisy treatment of the thesis, not adjacent to air.
    bool isUnknown(Int3 c) const
    {
        return phi(c) < 0 && (grid.treatment == SurfaceTreatment::smooth || surfaceFaces(grid, solids, phi, c) == 0);
    }
    bool isSolidNear(Int3 brick) const { return solids.touches(grid.bricks.box(grid.bricks.index(brick)).lo); }
    bool inDomain(Int3 c) const { return IndexBox{{0, 0, 0}, grid.cells}.contains(c); }
    float phiAt(Int3 c, float inside) const { return inDomain(c) ? phi(c) : -inside; }
};

// alpha of the faces of the cells of a brick. A face belongs to the brick of its upper cell. Solids near it and near
// the three next bricks are looked up once, not for each face (the assembly took 5 % of gears_and_bunnies).
class BrickFaces {
public:
    BrickFaces(const Cells& cells_, int brick)
        : cells(cells_), hi(cells.grid.bricks.box(brick).hi), here(cells.isSolidNear(cells.grid.bricks.at(brick)))
    {
        for (int a = 0; a < 3; ++a) {
            const Int3 next = cells.grid.bricks.at(brick) + unit(a);
            beyond[a] = cells.grid.bricks.contains(next) ? cells.isSolidNear(next) : here;
        }
    }
    float weight(int axis, Int3 face, bool outer) const
    {
        const bool near_solid = face[axis] < hi[axis] ? here : beyond[axis];
        return outer        ? cells.solids.openFraction(axis, face.x, face.y, face.z)
               : near_solid ? cells.solids.innerOpenFraction(axis, face)
                            : 1.0f;
    }

private:
    const Cells& cells;
    Int3 hi;
    bool here, beyond[3];
};

void assembleCell(const Cells& cells, const BrickFaces& faces, PoissonLevel& level, int slot, Int3 c)
{
    const float inside = cells.phi(c);
    float low[3] = {}, tied = 0;
    const auto addFaces = [&](auto axis) {
        for (int side = 0; side < 2; ++side) {
            const Int3 e = unit(axis), face = side ? c + e : c, neighbour = side ? c + e : c - e;
            const bool outer = face[axis] == 0 || face[axis] == cells.grid.cells[axis];
            const float weight = faces.weight(axis, face, outer);
            if (weight == 0) continue;
            const float outside = outer ? -inside : cells.phi(neighbour);
            if (outside >= 0)
                tied += weight / theta(inside, outside, cells.least_theta);
            else if (!cells.isUnknown(neighbour))
                tied += weight;  // the pressure of a surface cell is zero, at its centre
            else if (side == 0)
                low[axis] = weight;
        }
    };
    if (cells.isUnknown(c))
        for (int axis = 0; axis < 3; ++axis) withAxis(axis, addFaces);
    const size_t n = BrickSlots::offset(c.x, c.y, c.z);
    for (int axis = 0; axis < 3; ++axis) level.coupling[axis].brick(slot)[n] = low[axis];
    level.d.brick(slot)[n] = tied;
}

void assembleBrick(const Cells& cells, PoissonLevel& level, int slot)
{
    const int brick = level.slots.brickOf(slot);
    const IndexBox box = cells.grid.bricks.box(brick);
    const bool deep = cells.grid.treatment == SurfaceTreatment::smooth &&
                      !cells.isSolidNear(cells.grid.bricks.at(brick)) && isDeep(cells.grid, box, cells.phi);
    for (auto& c : level.coupling) std::fill_n(c.brick(slot), BrickSlots::cells_per_brick, deep ? 1.0f : 0.0f);
    std::fill_n(level.d.brick(slot), BrickSlots::cells_per_brick, 0.0f);
    if (deep) return;
    const BrickFaces faces(cells, brick);
    forEachCell(box, [&](int i, int j, int k) { assembleCell(cells, faces, level, slot, {i, j, k}); });
}

// u -= grad q on faces.
struct Gradient {
    const Cells& cells;
    const PoissonLevel& level;
    const double* q;
    MacView u;

    double qAt(Int3 c) const { return q[level.slots.index(c.x, c.y, c.z)]; }

    // On the low face of a cell of any kind; near_solid: its brick; q of the two adjacent cells.
    void subtractAt(int axis, Int3 c, bool near_solid, double q_here, double q_below) const
    {
        const Int3 e = unit(axis);
        const bool outer = c[axis] == 0 || c[axis] == cells.grid.cells[axis];
        if (outer && cells.solids.openFraction(axis, c.x, c.y, c.z) == 0) return;
        if (!outer && near_solid && cells.solids.innerOpenFraction(axis, c) == 0) return;
        const float here = outer ? cells.phiAt(c, cells.phi(c - e)) : cells.phi(c);
        const float below = outer ? cells.phiAt(c - e, cells.phi(c)) : cells.phi(c - e);
        if (here >= 0 && below >= 0) return;
        if (cells.grid.treatment == SurfaceTreatment::noisy) {  // no unknown is adjacent to air
            float& v = u.u[axis](c);
            v = float(double(v) - (q_here - q_below));
            return;
        }
        double difference;
        if (here < 0 && below < 0)
            difference = q_here - q_below;
        else if (here < 0)
            difference = q_here / double(theta(here, below, cells.least_theta));
        else
            difference = -q_below / double(theta(below, here, cells.least_theta));
        float& v = u.u[axis](c);
        v = float(double(v) - difference);
    }

    // On the low faces of eight cells between two unknowns, for the lanes of a mask. here, below: q of those cells and
    // of those below; first: q below the first cell, which is stored elsewhere along x.
    void subtractBetweenUnknowns(float* v, unsigned lanes, const double* here, const double* below, double first) const
    {
        if (lanes & 1) v[0] = float(double(v[0]) - (here[0] - first));
        if (lanes == 0xff) {
#pragma omp simd
            for (int n = 1; n < cells_at_once; ++n) v[n] = float(double(v[n]) - (here[n] - below[n]));
            return;
        }
        for (int n = 1; n < cells_at_once; ++n)
            if (lanes >> n & 1) v[n] = float(double(v[n]) - (here[n] - below[n]));
    }

    // On the low faces of eight cells.
    void subtractAtEight(int axis, Int3 c, int count, bool near_solid) const
    {
        const Int3 e = unit(axis);
        const size_t self = level.slots.index(c.x, c.y, c.z),
                     neighbour = level.slots.index(c.x - e.x, c.y - e.y, c.z - e.z);
        const LaneGroup& eight = level.eightAt(self);
        unsigned unknown_below = level.eightAt(neighbour).unknown;
        if (axis == 0) unknown_below = (unknown_below >> 7 | unsigned(eight.unknown) << 1) & 0xff;
        unsigned rest = eight.unknown | unknown_below;
        if (rest == 0) return;
        const double *here = q + self, *below = axis == 0 ? here - 1 : q + neighbour, first = q[neighbour];
        // Where alpha varies, a coupling of 1 may be a coincidence.
        if (eight.kind != Kind::general || !near_solid) {
            subtractBetweenUnknowns(&u.u[axis](c), eight.linked[2 * axis], here, below, first);
            rest &= ~unsigned(eight.linked[2 * axis]);
        }
        for (int n = 0; n < count; ++n)
            if (rest >> n & 1) subtractAt(axis, c + Int3{n, 0, 0}, near_solid, here[n], n == 0 ? first : below[n]);
    }

    // On the faces of the cells of a brick: all low ones, and the high ones at the end of the domain.
    void subtractInBrick(IndexBox brick) const
    {
        const Int3 b = level.slots.bricks.ofCell(brick.lo);
        const bool near_solid = cells.isSolidNear(b);
        for (int axis = 0; axis < 3; ++axis) {
            const bool any = level.slots.slotOf(b) != 0;
            if (any || level.slots.slotOf(b - unit(axis)) != 0)
                for (int k = brick.lo.z; k < brick.hi.z; ++k)
                    for (int j = brick.lo.y; j < brick.hi.y; ++j)
                        for (int i = brick.lo.x; i < brick.hi.x; i += cells_at_once)
                            subtractAtEight(axis, {i, j, k}, std::min(cells_at_once, brick.hi.x - i), near_solid);
            if (!any || brick.hi[axis] != cells.grid.cells[axis]) continue;
            IndexBox end = brick;
            end.lo[axis] = end.hi[axis]++;
            forEachCell(end, [&](int i, int j, int k) {
                const Int3 c{i, j, k};
                subtractAt(axis, c, near_solid, qAt(c), qAt(c - unit(axis)));
            });
        }
    }
};

// The flow towards the wall from the liquid side of a cell with a gap.
float flowTowardsWall(const LiquidScratch::GapFlow& gap, const ConstMacView& u)
{
    float flow = 0;
    for (int a = 0; a < 3; ++a) flow -= gap.away[a] * u.u[a](gap.away[a] > 0 ? gap.cell + unit(a) : gap.cell);
    return flow;
}

size_t indexOf(const LiquidScratch::GapFlow& gap, const PoissonLevel& level)
{
    return level.slots.index(gap.cell.x, gap.cell.y, gap.cell.z);
}

// A surface theta past the centre: the flow at the wall is the previous one plus q / theta.
void tieToGap(const LiquidScratch::GapFlow& gap, PoissonLevel& level)
{
    level.d.data()[indexOf(gap, level)] = gap.other_ties + (gap.is_filled ? 0 : 1 / gap.theta);
}

// Whether a cell has a coefficient before it is tied to its gap. A cell without one would be an unknown only as long as
// its gap is open.
bool hasCoupling(Int3 c, const PoissonLevel& level)
{
    const size_t n = level.slots.index(c.x, c.y, c.z);
    if (level.d.data()[n] > 0) return true;
    for (int axis = 0; axis < 3; ++axis) {
        if (level.coupling[axis].data()[n] > 0) return true;
        const Int3 above = c + unit(axis);
        if (above[axis] >= level.slots.bricks.cells[axis]) continue;
        if (level.coupling[axis].data()[level.slots.index(above.x, above.y, above.z)] > 0) return true;
    }
    return false;
}

}  // namespace

void setUpPressure(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const View3<const float> phi = s.phi;
    w.liquid = BrickSet(grid.bricks, bricksWhere(grid, s.active, "pressure.find",
                                                 [=](int i, int j, int k) { return phi(i, j, k) < 0; }));
    w.pressure.activate(w.liquid.list);
    const Cells cells{grid, solids, phi};
    PoissonLevel& level = w.pressure.fine();
    parallelTasks("pressure.assemble", int(w.liquid.list.size()), [&](int n) { assembleBrick(cells, level, n + 1); });
    std::erase_if(w.gap_flows, [&](const LiquidScratch::GapFlow& gap) {
        return !cells.isUnknown(gap.cell) || !hasCoupling(gap.cell, level);
    });
    for (LiquidScratch::GapFlow& gap : w.gap_flows) {
        gap.other_ties = level.d.data()[indexOf(gap, level)];
        tieToGap(gap, level);
    }
    w.pressure.build();
}

namespace {

// Returns whether the projection must be repeated: the acting contacts have changed. norm [m/s]: of the right-hand side
// that the tolerance is relative to.
bool projectOnce(const Grid& grid, const PressureParams& prm, const Solids& solids, double divergence_1_s,
                 LiquidState& s, LiquidScratch& w, double& norm, PressureReport& report)
{
    if (grid.treatment == SurfaceTreatment::noisy) enforceContinuity(grid, solids, s);
    fillGhostCells(grid, s.active, s.u);
    const ConstMacView u = s.u;
    parallelTasks("pressure.divergence", int(w.liquid.list.size()),
                  [&](int n) { fillRightHandSide(grid, solids, divergence_1_s, u, n + 1, w.pressure); });
    const PoissonLevel& level = w.pressure.fine();
    for (LiquidScratch::GapFlow& gap : w.gap_flows) {
        gap.flow_m_s = gap.is_filled ? gap.fills_m_s : flowTowardsWall(gap, u);
        w.pressure.rightHandSide().data()[indexOf(gap, level)] -= gap.flow_m_s;
    }
    if (w.pressure_bodies) w.pressure_bodies->startProjection(s, w.pressure);
    const SolveReport solve =
        w.pressure.solve(prm.tolerance_rel, prm.max_iterations, Guess::zero, w.pressure_bodies, norm);
    norm = solve.norm;
    const bool contacts_changed = w.pressure_bodies && w.pressure_bodies->endProjection(w.pressure, s);
    for (LiquidScratch::GapFlow& gap : w.gap_flows)
        if (!gap.is_filled) gap.flow_m_s += float(w.pressure.solution().data()[indexOf(gap, level)]) / gap.theta;
    const Cells cells{grid, solids, s.phi};
    const Gradient gradient{cells, w.pressure.fine(), w.pressure.solution().data(), s.u};
    parallelBoxes("pressure.gradient", s.active, [&](IndexBox strip) {
        solids.forBricks(strip, [&](IndexBox box, bool) { gradient.subtractInBrick(box); });
    });
    if (grid.treatment == SurfaceTreatment::noisy) enforceContinuity(grid, solids, s);
    solids.imposeInflows(s.u);
    report.solves += 1;
    report.iterations += solve.iterations;
    if (report.converged) report.residual = solve.residual;  // of the last solve, or of the one that failed
    report.converged = report.converged && solve.converged;
    report.sealed_pockets = int(w.pressure.sealedPockets().size());
    for (const SealedPocket& pocket : w.pressure.sealedPockets())
        report.sealed_imbalance = std::max(report.sealed_imbalance, std::abs(pocket.imbalance) / grid.h);
    return contacts_changed;
}

}  // namespace

// Projections are linear: with other contacts, a repeated one takes back what the bodies pressed out before. It solves
// for the change only, so the tolerance is that of the first solve: relative to its own right-hand side, which a single
// contact may have left, each repetition would cost as much as the first solve.
void project(const Grid& grid, const PressureParams& prm, const Solids& solids, double divergence_1_s, LiquidState& s,
             LiquidScratch& w, PressureReport& report)
{
    double norm = 0;
    while (projectOnce(grid, prm, solids, divergence_1_s, s, w, norm, report)) {
    }
}

void decideGaps(LiquidScratch& w)
{
    PoissonLevel& level = w.pressure.fine();
    bool changed = false;
    for (LiquidScratch::GapFlow& gap : w.gap_flows) {
        const double q = w.pressure.solution().data()[indexOf(gap, level)];
        const bool changes = gap.is_filled ? gap.theta > 0 && q < 0 : gap.flow_m_s > gap.fills_m_s;
        if (!changes) continue;
        gap.is_filled = !gap.is_filled;
        tieToGap(gap, level);
        changed = true;
    }
    if (changed) w.pressure.build();
}

double pressureAt(const Grid& grid, double density_kg_m3, double dt_s, LiquidScratch& w, int i, int j, int k)
{
    return w.pressure.solution().data()[w.pressure.fine().slots.index(i, j, k)] * density_kg_m3 * grid.h / dt_s;
}

}  // namespace flotsam
