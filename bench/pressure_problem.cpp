#include "bench/pressure_problem.h"

#include <numbers>
#include <numeric>

#include "liquid/pressure.h"
#include "liquid/surface.h"

namespace flotsam {

namespace {

constexpr int max_iterations = 200;
constexpr double pi = std::numbers::pi;

DomainParams unitBox(int cells_along_side)
{
    DomainParams domain;
    domain.cells = {cells_along_side, cells_along_side, cells_along_side};
    return domain;
}

double surfaceHeight(double x_m, double z_m)
{
    return 0.5 + 0.04 * std::cos(3 * pi * x_m) + 0.03 * std::cos(2 * pi * z_m + 1);
}

// dt g with the time step that crosses one cell at 1 m/s, plus eddies in all directions with nonzero divergence.
float velocity(int axis, Vec3 p, double dt_g_m_s)
{
    const double wave =
        0.1 * std::sin(2 * pi * (p[axis] + 0.7 * p[(axis + 1) % 3])) * std::cos(3 * pi * p[(axis + 2) % 3]);
    return float(wave + (axis == 1 ? dt_g_m_s : 0));
}

void fillSurface(const Grid& grid, LiquidState& s, LiquidScratch& w)
{
    BrickList all(size_t(grid.bricks.total()));
    std::iota(all.begin(), all.end(), 0);
    const BrickSet everywhere(grid.bricks, all);
    s.initialised = all;
    parallelFor("bench.fill", everywhere, [&, phi = s.phi.view(), h = grid.h](int i, int j, int k) {
        phi(i, j, k) = float((j + 0.5) * h - surfaceHeight((i + 0.5) * h, (k + 0.5) * h));
    });
    redistance(grid, everywhere, s, w);
}

void fillVelocity(const Grid& grid, LiquidState& s)
{
    const double h = grid.h, dt_g = -9.81 * h;
    for (int axis = 0; axis < 3; ++axis)
        parallelFor("bench.fill", s.active, [=, u = s.u.u[axis].view()](int i, int j, int k) {
            Vec3 p = h * Vec3{i + 0.5, j + 0.5, k + 0.5};
            p[axis] -= 0.5 * h;
            u(i, j, k) = velocity(axis, p, dt_g);
        });
}

}  // namespace

PressureProblem::PressureProblem(int cells_along_side)
    : grid(unitBox(cells_along_side), TimeParams{}), solids(grid, {}), state(grid), scratch(grid)
{
    fillSurface(grid, state, scratch);
    fillVelocity(grid, state);
}

void PressureProblem::setUp() { setUpPressure(grid, solids, state, scratch); }

void PressureProblem::fillRightHandSide()
{
    PressureReport report;
    const PressureParams rough{
        1, 0};  // no iterations: project() writes the right-hand side, and the velocity is unchanged
    project(grid, rough, solids, 0, state, scratch, report);
}

SolveReport PressureProblem::solve()
{
    parallelTasks("bench.clear", scratch.pressure.fine().slots.count(), [&](int n) {
        std::fill_n(scratch.pressure.solution().brick(n + 1), BrickSlots::cells_per_brick, 0.0);
    });
    return scratch.pressure.solve(tolerance_rel, max_iterations);
}

IndexBox PressureProblem::boxOfUnknowns()
{
    IndexBox box{grid.cells, {0, 0, 0}};
    const View3<const float> phi = state.phi;
    forEachCell({{0, 0, 0}, grid.cells}, [&](int i, int j, int k) {
        if (phi(i, j, k) >= 0) return;
        box = {min(box.lo, {i, j, k}), max(box.hi, {i + 1, j + 1, k + 1})};
    });
    return box;
}

LinearSystem PressureProblem::system()
{
    const IndexBox box = boxOfUnknowns();
    LinearSystem result(box.size());
    PoissonLevel& level = scratch.pressure.fine();
    const float *b = scratch.pressure.rightHandSide().data(), *d = level.d.data();
    forEachCell({{0, 0, 0}, box.size()}, [&](int i, int j, int k) {
        const Int3 c = box.lo + Int3{i, j, k};
        const size_t n = result.index(i, j, k);
        const size_t from = level.slots.index(c.x, c.y, c.z);
        for (int axis = 0; axis < 3; ++axis) result.coupling[axis][n] = level.coupling[axis].data()[from];
        result.tied[n] = d[from];
        result.rhs[n] = b[from];
    });
    return result;
}

std::vector<double> PressureProblem::solution()
{
    const IndexBox box = boxOfUnknowns();
    const double* x = scratch.pressure.solution().data();
    std::vector<double> values;
    values.reserve(size_t(product(box.size())));
    forEachCell(box, [&](int i, int j, int k) { values.push_back(x[scratch.pressure.fine().slots.index(i, j, k)]); });
    return values;
}

}  // namespace flotsam
