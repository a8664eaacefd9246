#include "liquid/pressure_divergence.h"

#include "liquid/pressure.h"
#include "liquid/pressure_bodies.h"

namespace flotsam {

namespace {

// The faces around a row of cells with no solid near.
struct FaceRows {
    const float *x, *y, *z, *y_up, *z_up;

    FaceRows(const ConstMacView& u, int i, int j, int k)
        : x(u.u[0].row(j, k) + i),
          y(u.u[1].row(j, k) + i),
          z(u.u[2].row(j, k) + i),
          y_up(u.u[1].row(j + 1, k) + i),
          z_up(u.u[2].row(j, k + 1) + i)
    {
    }
    // Of the n-th cell.
    double outflow(int n) const { return double(x[n + 1] - x[n]) + double(y_up[n] - y[n]) + double(z_up[n] - z[n]); }
    float roundedOutflow(int n) const { return (x[n + 1] - x[n]) + (y_up[n] - y[n]) + (z_up[n] - z[n]); }
};

// The faces of a cell in a brick near a solid.
struct Sides {
    double outflow = 0;  // sum of +-(alpha u + (1 - alpha) u_solid) [m/s]
    double open = 0;     // open fraction of its surface: a cell nearly closed by solids can emit little
};

// Whether no solid closes any part of the faces of a cell, for cells away from the upper end of the brick: beyond it no
// solid may be near, and the open fractions have no value.
bool hasOpenFaces(const Grid& grid, const Solids& solids, IndexBox brick, Int3 c)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (c[axis] == 0 || c[axis] + 1 == grid.cells[axis] || c[axis] + 1 == brick.hi[axis]) return false;
        if (solids.innerOpenFraction(axis, c) != 1 || solids.innerOpenFraction(axis, c + unit(axis)) != 1) return false;
    }
    return true;
}

Sides sidesOf(const Grid& grid, const Solids& solids, const ConstMacView& u, IndexBox brick, Int3 c)
{
    if (hasOpenFaces(grid, solids, brick, c)) return {FaceRows(u, c.x, c.y, c.z).outflow(0), 1};
    Sides sides;
    for (int axis = 0; axis < 3; ++axis)
        for (int side = 0; side < 2; ++side) {
            const Int3 face = side ? c + unit(axis) : c;
            const bool inner = face[axis] > 0 && face[axis] < grid.cells[axis];
            const double alpha =
                double(inner && face[axis] < brick.hi[axis] ? solids.innerOpenFraction(axis, face)
                                                            : solids.openFraction(axis, face.x, face.y, face.z));
            double through = alpha * double(u.u[axis](face));
            if (inner && alpha < 1) through += solids.closedFlow(axis, face, alpha);
            sides.outflow += side ? through : -through;
            sides.open += alpha;
        }
    sides.open /= 6;
    return sides;
}

// A row of the right-hand side, for unknowns with no solid near.
void plainRightHandSide(const FaceRows& u, const float* inverse, float wanted, int count, float* b)
{
#pragma omp simd
    for (int n = 0; n < count; ++n) b[n] = inverse[n] > 0 ? wanted - u.roundedOutflow(n) : 0.0f;
}

}  // namespace

void fillRightHandSide(const Grid& grid, const Solids& solids, double divergence_1_s, const ConstMacView& u, int slot,
                       PoissonSolver& solver)
{
    const PoissonLevel& level = solver.fine();
    const int brick = level.slots.brickOf(slot);
    const IndexBox box = grid.bricks.box(brick);
    const bool solid = solids.touches(box.lo);
    const double wanted = grid.h * divergence_1_s;
    std::fill_n(solver.rightHandSide().brick(slot), BrickSlots::cells_per_brick, 0.0f);  // and past the domain end
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j) {
            const size_t row = BrickSlots::offset(0, j, k);
            float* b = solver.rightHandSide().brick(slot) + row;
            const float* inverse = level.inverse.brick(slot) + row;
            const int count = box.hi.x - box.lo.x;
            if (!solid)
                plainRightHandSide({u, box.lo.x, j, k}, inverse, float(wanted), count, b);
            else
                for (int n = 0; n < count; ++n) {
                    const Int3 c{box.lo.x + n, j, k};
                    if (inverse[n] == 0) continue;
                    const Sides sides = sidesOf(grid, solids, u, box, c);
                    b[n] = float(wanted * sides.open - sides.outflow);
                }
        }
    std::fill_n(solver.solution().brick(slot), BrickSlots::cells_per_brick, 0.0);
}

double maxDivergence(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w)
{
    PoissonLevel& level = w.pressure.fine();
    const ConstMacView u = s.u;
    float* of_bodies = level.r.data();  // free between solves
    for (int slot = 1; slot <= int(w.liquid.list.size()); ++slot)
        std::fill_n(level.r.brick(slot), BrickSlots::cells_per_brick, 0.0f);
    if (w.pressure_bodies) w.pressure_bodies->addOutflow(of_bodies);
    const auto mostInRow = [&](IndexBox box, bool solid, int j, int k) {
        const size_t row = level.slots.index(box.lo.x, j, k);
        const float* inverse = level.inverse.data() + row;
        const int count = box.hi.x - box.lo.x;
        double most = 0;
        if (solid) {
            for (int n = 0; n < count; ++n)
                if (inverse[n] > 0)
                    most = std::max(most, std::abs(sidesOf(grid, solids, u, box, {box.lo.x + n, j, k}).outflow +
                                                   double(of_bodies[row + size_t(n)])));
            return most;
        }
        const FaceRows faces(u, box.lo.x, j, k);
#pragma omp simd reduction(max : most)
        for (int n = 0; n < count; ++n) most = std::max(most, inverse[n] > 0 ? std::abs(faces.outflow(n)) : 0.0);
        return most;
    };
    return parallelMax("measure.divergence", w.liquid, 0.0, [&](IndexBox strip) {
        double most = 0;
        solids.forBricks(strip, [&](IndexBox box, bool solid) {
            for (int k = box.lo.z; k < box.hi.z; ++k)
                for (int j = box.lo.y; j < box.hi.y; ++j) most = std::max(most, mostInRow(box, solid, j, k));
        });
        return most / grid.h;
    });
}

}  // namespace flotsam
