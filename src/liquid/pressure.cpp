#include "liquid/pressure.h"

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"

namespace flotsam {

namespace {

// Unknown of the solver: q = p dt / (rho h) [m/s], so that u -= q_i - q_{i-1} on a face.
// (A q)_i = sum_f alpha_f (q_i - q_nb), with q = 0 on the surface, theta of the way to an air cell: alpha_f q_i /
// theta.

constexpr float least_theta = 1e-3f;  // closer than this the surface counts as this far. 0.05, often used, moves the
                                      // surface by as much: first order

inline float theta(float inside, float outside) { return std::max(inside / (inside - outside), least_theta); }

// phi past an open side is air as far out as the cell is deep.
struct Cells {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;

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
    if (inside < 0)
        forFacesOfCell(cells.solids, c, [&](int axis, int side, Int3 neighbour, float alpha, Int3) {
            if (alpha == 0) return;
            const float outside = cells.phiAt(neighbour, inside);
            if (outside >= 0)
                tied += alpha / theta(inside, outside);
            else if (side == 0)
                low[axis] = alpha;
        });
    for (int axis = 0; axis < 3; ++axis) level.c(axis)(c) = low[axis];
    level.d.view()(c) = tied;
}

void assembleBrick(const Cells& cells, PoissonLevel& level, int brick)
{
    const IndexBox box = cells.grid.bricks.box(brick);
    if (!cells.solids.touches(box.lo) && isDeep(cells.grid, box, cells.phi)) {
        for (int axis = 0; axis < 3; ++axis)
            forEachCell(box, [c = level.c(axis)](int i, int j, int k) { c(i, j, k) = 1; });
        forEachCell(box, [d = level.d.view()](int i, int j, int k) { d(i, j, k) = 0; });
        return;
    }
    forEachCell(box, [&](int i, int j, int k) { assembleCell(cells, level, i, j, k); });
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
        if (inner && alpha < 1) {
            const Vec3 p = grid.h * Vec3{face.x + (axis == 0 ? 0 : 0.5), face.y + (axis == 1 ? 0 : 0.5),
                                         face.z + (axis == 2 ? 0 : 0.5)};
            through += (1 - double(alpha)) * solids.velocityAt(p)[axis];
        }
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
void plainRightHandSide(const ConstMacView& u, View3<const float> inverse, float wanted, int begin, int end, int j,
                        int k, View3<float> b)
{
    const float *x = u.u[0].row(j, k), *y = u.u[1].row(j, k), *z = u.u[2].row(j, k), *inv = inverse.row(j, k);
    const float *y_up = u.u[1].row(j + 1, k), *z_up = u.u[2].row(j, k + 1);
    float* out = b.row(j, k);
#pragma omp simd
    for (int i = begin; i < end; ++i) {
        const float outflow = (x[i + 1] - x[i]) + (y_up[i] - y[i]) + (z_up[i] - z[i]);
        out[i] = inv[i] > 0 ? wanted - outflow : 0.0f;
    }
}

// The low faces of cells whose couplings are all one.
void subtractPlainGradient(View3<const double> q, int axis, int begin, int end, int j, int k, View3<float> u)
{
    const double* here = q.row(j, k);
    const double* below = axis == 0 ? here - 1 : axis == 1 ? q.row(j - 1, k) : q.row(j, k - 1);
    float* v = u.row(j, k);
#pragma omp simd
    for (int i = begin; i < end; ++i) v[i] = float(double(v[i]) - (here[i] - below[i]));
}

void subtractGradient(const Cells& cells, const PoissonLevel& level, View3<const double> q, MacView u, IndexBox brick,
                      bool solid)
{
    const Grid& grid = cells.grid;
    const int number = grid.bricks.index(grid.bricks.ofCell(brick.lo));
    for (int axis = 0; axis < 3; ++axis) {
        const Int3 e = unit(axis);
        IndexBox box = brick;
        box.hi[axis] += box.hi[axis] == grid.cells[axis];
        const auto subtractAt = [&, v = u.u[axis]](Int3 c) {
            const bool outer = c[axis] == 0 || c[axis] == grid.cells[axis];
            if ((outer || solid) && cells.solids.openFraction(axis, c.x, c.y, c.z) == 0) return;
            const float here = outer ? cells.phiAt(c, cells.phi(c - e)) : cells.phi(c);
            const float below = outer ? cells.phiAt(c - e, cells.phi(c)) : cells.phi(c - e);
            if (here >= 0 && below >= 0) return;
            double difference;
            if (here < 0 && below < 0)
                difference = q(c) - q(c - e);
            else if (here < 0)
                difference = q(c) / double(theta(here, below));
            else
                difference = -q(c - e) / double(theta(below, here));
            v(c) = float(double(v(c)) - difference);
        };
        for (int k = box.lo.z; k < box.hi.z; ++k)
            for (int j = box.lo.y; j < box.hi.y; ++j) {
                const bool in_brick = j < brick.hi.y && k < brick.hi.z;
                for (int i = box.lo.x; i < box.hi.x; i += cells_at_once) {
                    const int end = std::min(i + cells_at_once, box.hi.x);
                    if (in_brick && i < brick.hi.x && level.eight(number, i, j, k).kind == Kind::interior)
                        subtractPlainGradient(q, axis, i, end, j, k, u.u[axis]);
                    else
                        for (int c = i; c < end; ++c) subtractAt({c, j, k});
                }
            }
    }
}

}  // namespace

void setUpPressure(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    const View3<const float> phi = s.phi;
    w.liquid = BrickSet(grid.bricks, bricksWhere(grid, s.active, "pressure.find",
                                                 [=](int i, int j, int k) { return phi(i, j, k) < 0; }));
    w.pressure.activate(w.liquid);
    const Cells cells{grid, solids, phi};
    PoissonLevel& level = w.pressure.fine();
    parallelTasks("pressure.assemble", int(w.liquid.list.size()),
                  [&](int n) { assembleBrick(cells, level, w.liquid.list[size_t(n)]); });
    w.pressure.build();
}

void project(const Grid& grid, const PressureParams& prm, const Solids& solids, double divergence_1_s, LiquidState& s,
             LiquidScratch& w, PressureReport& report)
{
    fillLayers(grid, s.active, s.u);
    const View3<float> b = w.pressure.rightHandSide(), inverse = w.pressure.fine().inverse_diagonal;
    const View3<double> q = w.pressure.solution();
    const ConstMacView u = s.u;
    parallelBoxes("pressure.divergence", w.liquid, [&](IndexBox strip) {
        solids.forBricks(strip, [&](IndexBox box, bool solid) {
            for (int k = box.lo.z; k < box.hi.z; ++k)
                for (int j = box.lo.y; j < box.hi.y; ++j) {
                    if (!solid) {
                        plainRightHandSide(u, inverse, float(grid.h * divergence_1_s), box.lo.x, box.hi.x, j, k, b);
                        continue;
                    }
                    for (int i = box.lo.x; i < box.hi.x; ++i) {
                        const Int3 c{i, j, k};
                        const double wanted = grid.h * divergence_1_s * openPart(solids, c);
                        b(c) = inverse(c) > 0 ? float(wanted - outflow(grid, solids, u, solid, c)) : 0.0f;
                    }
                }
        });
        forEachCell(strip, [q](int i, int j, int k) { q(i, j, k) = 0; });
    });
    const SolveReport solve = w.pressure.solve(prm.tolerance_rel, prm.max_iterations);
    const Cells cells{grid, solids, s.phi};
    parallelBoxes("pressure.gradient", s.active, [&](IndexBox strip) {
        solids.forBricks(
            strip, [&](IndexBox box, bool solid) { subtractGradient(cells, w.pressure.fine(), q, s.u, box, solid); });
    });
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
    const View3<float> inverse = w.pressure.fine().inverse_diagonal;
    const ConstMacView u = s.u;
    return parallelMax("measure.divergence", w.liquid, 0.0, [&](IndexBox strip) {
        double most = 0;
        solids.forBricks(strip, [&](IndexBox box, bool solid) {
            forEachCell(box, [&](int i, int j, int k) {
                if (inverse(i, j, k) > 0)
                    most = std::max(most, std::abs(outflow(grid, solids, u, solid, {i, j, k})) / grid.h);
            });
        });
        return most;
    });
}

double pressureAt(const Grid& grid, double density_kg_m3, double dt_s, LiquidScratch& w, int i, int j, int k)
{
    return w.pressure.solution()(i, j, k) * density_kg_m3 * grid.h / dt_s;
}

}  // namespace flotsam
