#include "liquid/pressure.h"

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/surface_cells.h"

namespace flotsam {

namespace {

// Unknown of the solver: q = p dt / (rho h) [m/s], so that u -= q_i - q_{i-1} on a face.
// (A q)_i = sum_f alpha_f beta_f (q_i - q_nb), with q = 0 on the surface, theta of the way to an air cell: alpha_f
// beta_f q_i / theta. beta_f is the liquid's density over that of what is at the face: 1 but where bodies are; then
// u -= beta_f (q_i - q_{i-1}).

constexpr float least_theta = 1e-3f;  // closer than this the surface counts as this far. 0.05, often used, moves the
                                      // surface by as much: first order

inline float theta(float inside, float outside) { return std::max(inside / (inside - outside), least_theta); }

// phi past an open side is air as far out as the cell is deep.
struct Cells {
    const Grid& grid;
    const Solids& solids;
    const BodyMarks& bodies;
    View3<const float> phi;

    // Whether a cell is an unknown of the pressure: liquid, and, in the thesis's noisy treatment, not beside the air.
    bool isUnknown(Int3 c) const
    {
        return phi(c) < 0 && (grid.treatment == SurfaceTreatment::smooth || surfaceFaces(grid, solids, phi, c) == 0);
    }
    bool inDomain(Int3 c) const { return IndexBox{{0, 0, 0}, grid.cells}.contains(c); }
    float phiAt(Int3 c, float inside) const { return inDomain(c) ? phi(c) : -inside; }
};

// The six faces of a cell: f(axis, side, neighbour, open fraction, index of the face).
template <class F>
inline void forFacesOfCell(const Solids& solids, Int3 c, const F& f)
{
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const Int3 e = unit(axis), face = side ? c + e : c;
            f(axis, side, side ? c + e : c - e, solids.openFraction(axis, face.x, face.y, face.z), face);
        }
}

void assembleCell(const Cells& cells, PoissonLevel& level, int i, int j, int k)
{
    const Int3 c{i, j, k};
    const float inside = cells.phi(c);
    float low[3] = {}, tied = 0;
    if (cells.isUnknown(c))
        forFacesOfCell(cells.solids, c, [&](int axis, int side, Int3 neighbour, float alpha, Int3 face) {
            if (alpha == 0) return;
            alpha *= cells.bodies.mobilityAt(cells.grid, axis, face);
            const float outside = cells.phiAt(neighbour, inside);
            if (outside >= 0)
                tied += alpha / theta(inside, outside);
            else if (!cells.isUnknown(neighbour))
                tied += alpha;  // the pressure of a surface cell is zero, at its centre
            else if (side == 0)
                low[axis] = alpha;
        });
    const size_t n = level.slots.index(i, j, k);
    for (int axis = 0; axis < 3; ++axis) level.coupling[axis].data()[n] = low[axis];
    level.d.data()[n] = tied;
}

void assembleBrick(const Cells& cells, PoissonLevel& level, int slot)
{
    const IndexBox box = cells.grid.bricks.box(level.slots.brickOf(slot));
    const bool deep = cells.grid.treatment == SurfaceTreatment::smooth && !cells.solids.touches(box.lo) &&
                      !cells.bodies.isNear(level.slots.brickOf(slot)) && isDeep(cells.grid, box, cells.phi);
    for (auto& c : level.coupling) std::fill_n(c.brick(slot), BrickSlots::cells_per_brick, deep ? 1.0f : 0.0f);
    std::fill_n(level.d.brick(slot), BrickSlots::cells_per_brick, 0.0f);
    if (!deep) forEachCell(box, [&](int i, int j, int k) { assembleCell(cells, level, i, j, k); });
}

// sum over faces of +-(alpha u + (1 - alpha) u_solid) [m/s]: what flows out of a cell.
double outflow(const Grid& grid, const Solids& solids, const ConstMacView& u, bool near_solid, Int3 c)
{
    if (!near_solid) {
        const Int3 x = c + unit(0), y = c + unit(1), z = c + unit(2);
        return double(u.u[0](x) - u.u[0](c)) + double(u.u[1](y) - u.u[1](c)) + double(u.u[2](z) - u.u[2](c));
    }
    double sum = 0;
    forFacesOfCell(solids, c, [&](int axis, int side, Int3, float alpha, Int3 face) {
        double through = double(alpha) * double(u.u[axis](face));
        const bool inner = face[axis] > 0 && face[axis] < grid.cells[axis];
        if (inner && alpha < 1)
            through += (1 - double(alpha)) * solids.velocityAt(facePosition(grid.h, axis, face))[axis];
        sum += side ? through : -through;
    });
    return sum;
}

// How much of a cell's surface is open: a cell that is nearly closed by solids can give little.
double openPart(const Solids& solids, Int3 c)
{
    double sum = 0;
    forFacesOfCell(solids, c, [&](int, int, Int3, float alpha, Int3) { sum += double(alpha); });
    return sum / 6;
}

// A row of the right-hand side where no solid is near.
void plainRightHandSide(const ConstMacView& u, const float* inverse, float wanted, IndexBox box, int j, int k, float* b)
{
    const float *x = u.u[0].row(j, k) + box.lo.x, *y = u.u[1].row(j, k) + box.lo.x, *z = u.u[2].row(j, k) + box.lo.x;
    const float *y_up = u.u[1].row(j + 1, k) + box.lo.x, *z_up = u.u[2].row(j, k + 1) + box.lo.x;
    const int count = box.hi.x - box.lo.x;
#pragma omp simd
    for (int i = 0; i < count; ++i) {
        const float outflow = (x[i + 1] - x[i]) + (y_up[i] - y[i]) + (z_up[i] - z[i]);
        b[i] = inverse[i] > 0 ? wanted - outflow : 0.0f;
    }
}

// The wanted divergence is the liquid's: bodies that are liquid for the moment do not swell.
void fillRightHandSide(const Grid& grid, const Solids& solids, const BodyMarks& bodies, double divergence_1_s,
                       const ConstMacView& u, int slot, PoissonSolver& solver)
{
    const PoissonLevel& level = solver.fine();
    const int brick = level.slots.brickOf(slot);
    const IndexBox box = grid.bricks.box(brick);
    const bool solid = solids.touches(box.lo), body = bodies.isNear(brick);
    const double wanted = grid.h * divergence_1_s;
    std::fill_n(solver.rightHandSide().brick(slot), BrickSlots::cells_per_brick, 0.0f);  // past the domain's end too
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j) {
            const size_t row = BrickSlots::offset(0, j, k);
            float* b = solver.rightHandSide().brick(slot) + row;
            const float* inverse = level.inverse.brick(slot) + row;
            if (!solid && !body) {
                plainRightHandSide(u, inverse, float(wanted), box, j, k, b);
                continue;
            }
            for (int i = box.lo.x; i < box.hi.x; ++i) {
                const Int3 c{i, j, k};
                const int n = i - box.lo.x;
                if (inverse[n] == 0) continue;
                const double more =
                    body && bodies.distanceAt(grid, c) < 0 ? 0 : wanted * (solid ? openPart(solids, c) : 1);
                b[n] = float(more - outflow(grid, solids, u, solid, c));
            }
        }
    std::fill_n(solver.solution().brick(slot), BrickSlots::cells_per_brick, 0.0);
}

// u -= grad q on faces.
struct Gradient {
    const Cells& cells;
    const PoissonLevel& level;
    const double* q;
    MacView u;

    double qAt(Int3 c) const { return q[level.slots.index(c.x, c.y, c.z)]; }

    // On the low face of a cell, whatever is there.
    void subtractAt(int axis, Int3 c, bool solid) const
    {
        const Int3 e = unit(axis);
        const bool outer = c[axis] == 0 || c[axis] == cells.grid.cells[axis];
        if ((outer || solid) && cells.solids.openFraction(axis, c.x, c.y, c.z) == 0) return;
        const float here = outer ? cells.phiAt(c, cells.phi(c - e)) : cells.phi(c);
        const float below = outer ? cells.phiAt(c - e, cells.phi(c)) : cells.phi(c - e);
        if (here >= 0 && below >= 0) return;
        const double beta = double(cells.bodies.mobilityAt(cells.grid, axis, c));
        if (cells.grid.treatment == SurfaceTreatment::noisy) {  // no unknown is beside the air
            float& v = u.u[axis](c);
            v = float(double(v) - beta * (qAt(c) - qAt(c - e)));
            return;
        }
        double difference;
        if (here < 0 && below < 0)
            difference = qAt(c) - qAt(c - e);
        else if (here < 0)
            difference = qAt(c) / double(theta(here, below));
        else
            difference = -qAt(c - e) / double(theta(below, here));
        float& v = u.u[axis](c);
        v = float(double(v) - beta * difference);
    }

    // On the low faces of eight cells between two unknowns: the lanes of a mask.
    void subtractBetweenUnknowns(int axis, Int3 c, unsigned lanes) const
    {
        const Int3 e = unit(axis);
        const double *here = q + level.slots.index(c.x, c.y, c.z),
                     *below = axis == 0 ? here - 1 : q + level.slots.index(c.x - e.x, c.y - e.y, c.z - e.z);
        float* v = &u.u[axis](c);
        const double first = axis == 0 ? qAt(c - e) : below[0];
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
    void subtractAtEight(int axis, Int3 c, int count, bool solid) const
    {
        const Int3 e = unit(axis);
        const Eight& eight = level.eightAt(level.slots.index(c.x, c.y, c.z));
        unsigned below = level.eightAt(level.slots.index(c.x - e.x, c.y - e.y, c.z - e.z)).unknown;
        if (axis == 0) below = (below >> 7 | unsigned(eight.unknown) << 1) & 0xff;
        unsigned rest = eight.unknown | below;
        if (rest == 0) return;
        if (eight.kind == Kind::interior || eight.kind == Kind::uniform) {
            subtractBetweenUnknowns(axis, c, eight.linked[2 * axis]);
            rest &= ~unsigned(eight.linked[2 * axis]);
        }
        for (int n = 0; n < count; ++n)
            if (rest >> n & 1) subtractAt(axis, c + Int3{n, 0, 0}, solid);
    }

    // On the faces of a brick's cells: all low ones, and the high ones at the end of the domain.
    void subtractInBrick(IndexBox brick, bool solid) const
    {
        const Int3 b = level.slots.bricks.ofCell(brick.lo);
        for (int axis = 0; axis < 3; ++axis) {
            const bool any = level.slots.slotOf(b) != 0;
            if (any || level.slots.slotOf(b - unit(axis)) != 0)
                for (int k = brick.lo.z; k < brick.hi.z; ++k)
                    for (int j = brick.lo.y; j < brick.hi.y; ++j)
                        for (int i = brick.lo.x; i < brick.hi.x; i += cells_at_once)
                            subtractAtEight(axis, {i, j, k}, std::min(cells_at_once, brick.hi.x - i), solid);
            if (!any || brick.hi[axis] != cells.grid.cells[axis]) continue;
            IndexBox end = brick;
            end.lo[axis] = end.hi[axis]++;
            forEachCell(end, [&](int i, int j, int k) { subtractAt(axis, {i, j, k}, solid); });
        }
    }
};

}  // namespace

void setUpPressure(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const View3<const float> phi = s.phi;
    w.liquid = BrickSet(grid.bricks, bricksWhere(grid, s.active, "pressure.find",
                                                 [=](int i, int j, int k) { return phi(i, j, k) < 0; }));
    w.pressure.activate(w.liquid.list);
    const Cells cells{grid, solids, w.bodies, phi};
    PoissonLevel& level = w.pressure.fine();
    parallelTasks("pressure.assemble", int(w.liquid.list.size()), [&](int n) { assembleBrick(cells, level, n + 1); });
    w.pressure.build();
}

void project(const Grid& grid, const PressureParams& prm, const Solids& solids, double divergence_1_s, LiquidState& s,
             LiquidScratch& w, PressureReport& report)
{
    if (grid.treatment == SurfaceTreatment::noisy) enforceContinuity(grid, solids, s);
    fillLayers(grid, s.active, s.u);
    const ConstMacView u = s.u;
    parallelTasks("pressure.divergence", int(w.liquid.list.size()),
                  [&](int n) { fillRightHandSide(grid, solids, w.bodies, divergence_1_s, u, n + 1, w.pressure); });
    const SolveReport solve = w.pressure.solve(prm.tolerance_rel, prm.max_iterations);
    const Cells cells{grid, solids, w.bodies, s.phi};
    const Gradient gradient{cells, w.pressure.fine(), w.pressure.solution().data(), s.u};
    parallelBoxes("pressure.gradient", s.active, [&](IndexBox strip) {
        solids.forBricks(strip, [&](IndexBox box, bool solid) { gradient.subtractInBrick(box, solid); });
    });
    if (grid.treatment == SurfaceTreatment::noisy) enforceContinuity(grid, solids, s);
    report.solves += 1;
    report.iterations += solve.iterations;
    if (report.converged) report.residual = solve.residual;  // of the last solve, or of the one that failed
    report.converged = report.converged && solve.converged;
    report.sealed_pockets = int(w.pressure.sealedPockets().size());
    for (const SealedPocket& pocket : w.pressure.sealedPockets())
        report.sealed_imbalance = std::max(report.sealed_imbalance, std::abs(pocket.imbalance) / grid.h);
}

double maxDivergence(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const PoissonLevel& level = w.pressure.fine();
    const ConstMacView u = s.u;
    return parallelMax("measure.divergence", w.liquid, 0.0, [&](IndexBox strip) {
        double most = 0;
        solids.forBricks(strip, [&](IndexBox box, bool solid) {
            forEachCell(box, [&](int i, int j, int k) {
                if (level.inverse.data()[level.slots.index(i, j, k)] > 0)
                    most = std::max(most, std::abs(outflow(grid, solids, u, solid, {i, j, k})) / grid.h);
            });
        });
        return most;
    });
}

double pressureAt(const Grid& grid, double density_kg_m3, double dt_s, LiquidScratch& w, int i, int j, int k)
{
    return w.pressure.solution().data()[w.pressure.fine().slots.index(i, j, k)] * density_kg_m3 * grid.h / dt_s;
}

}  // namespace flotsam
