#include "grid/poisson.h"

#include "grid/poisson_kernels.h"
#include "grid/sealed_pockets.h"

namespace flotsam {

using namespace poisson;

namespace {

void clear(IndexBox box, View3<float> v)
{
    forEachCell(box, [&](int i, int j, int k) { v(i, j, k) = 0; });
}

// Zeroes what the bricks that leave the set hold, so that everything outside the set stays zero.
void replaceActive(PoissonLevel& level, const BrickSet& set, Field3<float>* further)
{
    const BrickSet leaving(level.bricks, without(level.bricks, level.active.list, set.list));
    parallelBoxes("pressure.clear", leaving, [&](IndexBox box) {
        for (auto* f : {&level.coupling[0], &level.coupling[1], &level.coupling[2], &level.d, &level.inverse_diagonal,
                        &level.r, &level.z_black, &level.z})
            clear(box, *f);
        if (further) clear(box, *further);
    });
    for (int brick : leaving.list) level.eights[size_t(brick)].fill({});
    level.active = set;
}

BrickSet parents(const PoissonLevel& fine, const PoissonLevel& coarse)
{
    std::vector<uint8_t> marks(size_t(coarse.bricks.total()), 0);
    for (int brick : fine.active.list) {
        const Int3 b = fine.bricks.at(brick);
        marks[size_t(coarse.bricks.index({b.x / 2, b.y / 2, b.z / 2}))] = 1;
    }
    return {coarse.bricks, listOf(marks)};
}

// (A v) of eight cells.
Float8 apply(PoissonLevel& level, const Eight& eight, View3<const float> v, int i, int j, int k)
{
    const Star star = starAt(v, i, j, k);
    if (eight.kind == Kind::interior) return level.c0 * star.differences();
    const Float8 differences = eight.kind == Kind::uniform ? level.c0 * Links{eight}.differences(star)
                                                           : Row::of(level, i, j, k).differences(star);
    return differences + load(&level.d.view()(i, j, k)) * star.self();
}

// sum p (A p)
double energyOf(PoissonLevel& level, View3<const float> p, IndexBox strip)
{
    LaneSum sum;
    forEights(level, strip,
              [&](const Eight& eight, int i, int j, int k) { sum.add(load(&p(i, j, k)) * apply(level, eight, p, i, j, k)); });
    return sum.total();
}

// r -= alpha A p; returns |r|^2.
double descend(PoissonLevel& level, View3<const float> p, float alpha, IndexBox strip)
{
    LaneSum sum;
    const View3<float> r = level.r;
    forEights(level, strip, [&](const Eight& eight, int i, int j, int k) {
        const Float8 rest = load(&r(i, j, k)) - alpha * apply(level, eight, p, i, j, k);
        store(&r(i, j, k), rest);
        sum.add(rest * rest);
    });
    return sum.total();
}

// x += alpha p with the old direction, then p = z + beta p.
void turn(PoissonLevel& level, double alpha, float beta, View3<double> x, View3<float> p, IndexBox strip)
{
    const View3<float> z = level.z;
    forEights(level, strip, [&](const Eight&, int i, int j, int k) {
        const Float8 direction = load(&p(i, j, k));
        double* solution = &x(i, j, k);
        storeDouble(solution, loadDouble(solution) + alpha * lowHalf(direction));
        storeDouble(solution + 4, loadDouble(solution + 4) + alpha * highHalf(direction));
        store(&p(i, j, k), load(&z(i, j, k)) + beta * direction);
    });
}

double meanOver(const SealedPocket& pocket, View3<const float> v)
{
    double sum = 0;
    for (const auto& run : pocket.runs)
        for (int i = run.begin; i < run.end; ++i) sum += v(i, run.j, run.k);
    return sum / double(pocket.cells);
}

}  // namespace

PoissonLevel::PoissonLevel(Int3 cells, float interior_coupling)
    : bricks(cells),
      coupling{Field3<float>(cells), Field3<float>(cells), Field3<float>(cells)},
      d(cells),
      inverse_diagonal(cells),
      r(cells),
      z_black(cells),
      z(cells),
      eights(size_t(bricks.total())),
      c0(interior_coupling)
{
}

PoissonSolver::PoissonSolver(Int3 cells) : b(cells), p(cells), x(cells)
{
    constexpr int bottom = 4;  // cells along the longest side of the coarsest level
    for (Int3 n = cells;; n = {(n.x + 1) / 2, (n.y + 1) / 2, (n.z + 1) / 2}) {
        levels.emplace_back(n, float(1 << levels.size()));  // half of four faces' sum: doubles a level
        if (std::max({n.x, n.y, n.z}) <= bottom) break;
    }
    twice_visited = std::min<size_t>(2, levels.size() - 1);
    for (size_t l = 1; l <= twice_visited; ++l) first_visit.emplace_back(levels[l].bricks.cells);
}

void PoissonSolver::expectDense()
{
    x.expectDense();
    for (Field3<float>* f : {&b, &p}) f->expectDense();
    for (PoissonLevel& level : levels)
        for (Field3<float>* f : {&level.coupling[0], &level.coupling[1], &level.coupling[2], &level.d,
                                 &level.inverse_diagonal, &level.r, &level.z_black, &level.z})
            f->expectDense();
}

void PoissonSolver::activate(const BrickSet& set)
{
    const BrickSet leaving(fine().bricks, without(fine().bricks, fine().active.list, set.list));
    parallelBoxes("pressure.clear", leaving, [&](IndexBox box) {
        clear(box, b);
        forEachCell(box, [v = x.view()](int i, int j, int k) { v(i, j, k) = 0; });
    });
    replaceActive(fine(), set, &p);
}

void PoissonSolver::build()
{
    for (size_t l = 0; l < levels.size(); ++l) {
        PoissonLevel& level = levels[l];
        if (l > 0) {
            replaceActive(level, parents(levels[l - 1], level), l <= twice_visited ? &first_visit[l - 1] : nullptr);
            parallelBoxes("pressure.coarsen", level.active,
                          [&](IndexBox strip) { coarsen(levels[l - 1], level, strip); });
        }
        parallelBoxes("pressure.diagonal", level.active, [&](IndexBox strip) { invertDiagonal(level, strip); });
        parallelBoxes("pressure.classify", level.active, [&](IndexBox strip) { classify(level, strip); });
    }
    const KernelTimer timer("pressure.pockets");
    pockets = findSealedPockets(fine());
}

void PoissonSolver::cycle(size_t l)
{
    PoissonLevel& level = levels[l];
    if (l + 1 == levels.size()) {
        const KernelTimer timer("pressure.bottom");
        solveBottom(level);
        return;
    }
    PoissonLevel& coarse = levels[l + 1];
    parallelBoxes("pressure.smooth down", level.active, [&](IndexBox strip) { smoothBlackFromZero(level, strip); });
    parallelBoxes("pressure.restrict", coarse.active, [&](IndexBox strip) { restrictResidual(level, coarse, strip); });
    cycle(l + 1);
    if (second_visits && l < twice_visited) cycleAgain(l + 1);
    parallelBoxes("pressure.correct", level.active, [&](IndexBox strip) { correctBlack(level, coarse, strip); });
    if (l > 0) parallelBoxes("pressure.smooth up", level.active, [&](IndexBox strip) { smoothRed(level, strip); });
}

// A damped cycle and another on what it left: 2 w B - w^2 B A B, as symmetric as B, and positive while w times the
// largest eigenvalue of B A is below 2. Over-correction makes that up to 3 at the edges of a liquid that cut aggregates
// in half: undamped (w = 1), a dam break of 112 to 136 cells a side did not converge.
void PoissonSolver::cycleAgain(size_t l)
{
    PoissonLevel& level = levels[l];
    constexpr float damping = 0.6f;
    const View3<float> first = first_visit[l - 1], z = level.z;
    parallelBoxes("pressure.again", level.active, [&](IndexBox strip) {
        forEights(level, strip, [&](const Eight&, int i, int j, int k) { store(&first(i, j, k), load(&z(i, j, k))); });
    });
    parallelBoxes("pressure.again", level.active, [&](IndexBox strip) { descend(level, first, damping, strip); });
    cycle(l);
    parallelBoxes("pressure.again", level.active, [&](IndexBox strip) {
        forEights(level, strip, [&](const Eight&, int i, int j, int k) {
            store(&z(i, j, k), damping * (load(&z(i, j, k)) + load(&first(i, j, k))));
        });
    });
}

double PoissonSolver::residualInto(View3<float> out)
{
    const View3<const double> sol = x;
    const View3<const float> rhs = b, d = fine().d, cx = fine().c(0), cy = fine().c(1), cz = fine().c(2);
    return parallelSum<double>("pressure.residual", fine().active, [=](IndexBox box) {
        double sum = 0;
        forEachCell(box, [&](int i, int j, int k) {
            const double s = sol(i, j, k);
            const double r = double(rhs(i, j, k)) - double(d(i, j, k)) * s - cx(i, j, k) * (s - sol(i - 1, j, k)) -
                             cx(i + 1, j, k) * (s - sol(i + 1, j, k)) - cy(i, j, k) * (s - sol(i, j - 1, k)) -
                             cy(i, j + 1, k) * (s - sol(i, j + 1, k)) - cz(i, j, k) * (s - sol(i, j, k - 1)) -
                             cz(i, j, k + 1) * (s - sol(i, j, k + 1));
            out(i, j, k) = float(r);
            sum += r * r;
        });
        return sum;
    });
}

void PoissonSolver::takeMeansOut(View3<float> v)
{
    for (const SealedPocket& pocket : pockets) {
        const float mean = float(meanOver(pocket, v));
        for (const auto& run : pocket.runs)
            for (int i = run.begin; i < run.end; ++i) v(i, run.j, run.k) -= mean;
    }
}

double PoissonSolver::normOfB()
{
    const View3<const float> rhs = b;
    return parallelSum<double>("pressure.norm", fine().active, [=](IndexBox box) {
        double sum = 0;
        forEachCell(box, [&](int i, int j, int k) { sum += double(rhs(i, j, k)) * double(rhs(i, j, k)); });
        return sum;
    });
}

// Conjugate gradients from the residual in fine().r until |r|^2 is at most target; adds its iterations to `iterations`.
void PoissonSolver::iterate(double rr, double target, int max_iterations, int& iterations)
{
    PoissonLevel& level = fine();
    const View3<float> dir = p;
    const View3<double> sol = x;
    parallelFor("pressure.turn", level.active, [=](int i, int j, int k) { dir(i, j, k) = 0; });
    double rz_old = 0, alpha = 0;
    while (rr > target && iterations < max_iterations) {
        cycle(0);
        const double rz = parallelSum<double>("pressure.smooth up", level.active,
                                              [&](IndexBox strip) { return smoothRed(level, strip); });
        takeMeansOut(level.z);
        const float beta = rz_old > 0 ? float(rz / rz_old) : 0.0f;
        parallelBoxes("pressure.turn", level.active,
                      [&](IndexBox strip) { turn(level, alpha, beta, sol, dir, strip); });
        const double pAp = parallelSum<double>("pressure.energy", level.active,
                                               [&](IndexBox strip) { return energyOf(level, dir, strip); });
        alpha = pAp > 0 ? rz / pAp : 0;
        if (!(rz > 0 && alpha > 0)) {  // the cycle is not positive here, or float is exhausted: the caller goes on with
                                       // the plain cycle
            second_visits = false;
            alpha = 0;
            break;
        }
        rr = parallelSum<double>("pressure.descend", level.active,
                                 [&](IndexBox strip) { return descend(level, dir, float(alpha), strip); });
        rz_old = rz;
        ++iterations;
    }
    parallelBoxes("pressure.turn", level.active, [&](IndexBox strip) { turn(level, alpha, 0, sol, dir, strip); });
}

SolveReport PoissonSolver::solve(double tolerance_rel, int max_iterations)
{
    // Relative to what was asked for, before the means go: what is left of a pocket that is nothing but squeezed is
    // rounding.
    const double bb = normOfB(), target = tolerance_rel * tolerance_rel * bb;
    for (SealedPocket& pocket : pockets) pocket.imbalance = meanOver(pocket, b);
    takeMeansOut(b);
    SolveReport report;
    second_visits = true;
    if (bb == 0) {  // nothing to balance: the pressure is zero
        parallelFor("pressure.norm", fine().active, [v = x.view()](int i, int j, int k) { v(i, j, k) = 0; });
        return report;
    }
    // The recursive residual drifts from the true one by rounding. When the true one is still too large, go on from it.
    double rr = residualInto(fine().r);
    for (int restart = 0; rr > target && report.iterations < max_iterations && restart < 4; ++restart) {
        iterate(rr, 0.9 * target, max_iterations, report.iterations);
        rr = residualInto(fine().r);
    }
    report.residual = std::sqrt(rr / bb);
    report.converged = rr <= target;
    return report;
}

}  // namespace flotsam
