#include "grid/poisson.h"

#include <algorithm>

#include "grid/poisson_kernels.h"
#include "grid/sealed_pockets.h"

namespace flotsam {

using namespace poisson;

namespace {

constexpr size_t brick_cells = BrickSlots::cells_per_brick;

BrickList parents(const PoissonLevel& fine, const PoissonLevel& coarse)
{
    std::vector<uint8_t> marks(size_t(coarse.slots.bricks.total()), 0);
    for (int brick : fine.slots.list) {
        const Int3 b = fine.slots.bricks.at(brick);
        marks[size_t(coarse.slots.bricks.index({b.x / 2, b.y / 2, b.z / 2}))] = 1;
    }
    return listOf(marks);
}

// sum p (A p)
double energyOf(const PoissonLevel& level, const float* p, int slot)
{
    LaneSum sum;
    forEights(level, slot, [&](const LaneGroup& eight, const LaneNeighbours& at) {
        sum.add(load(p + at.self) * apply(level, eight, at, p));
    });
    return sum.total();
}

// r -= alpha A p; returns |r|^2.
double descend(PoissonLevel& level, const float* p, float alpha, int slot)
{
    LaneSum sum;
    float* r = level.r.data();
    forEights(level, slot, [&](const LaneGroup& eight, const LaneNeighbours& at) {
        const Float8 rest = load(r + at.self) - alpha * apply(level, eight, at, p);
        store(r + at.self, rest);
        sum.add(rest * rest);
    });
    return sum.total();
}

// |v|^2 of a brick.
double squaresOf(const float* v)
{
    LaneSum sum;
    for (size_t n = 0; n < brick_cells; n += cells_at_once) sum.addSquare(load(v + n));
    return sum.total();
}

}  // namespace

PoissonLevel::PoissonLevel(Int3 cells, float interior_coupling)
    : slots(cells),
      coupling{BrickField<float>(slots.bricks), BrickField<float>(slots.bricks), BrickField<float>(slots.bricks)},
      d(slots.bricks),
      inverse(slots.bricks),
      r(slots.bricks),
      z_black(slots.bricks),
      z(slots.bricks),
      eights(brick_cells / cells_at_once),
      c0(interior_coupling)
{
}

PoissonSolver::PoissonSolver(Int3 cells, DiagonalKind ties_)
    : ties(ties_), b(Bricks(cells)), p(Bricks(cells)), x(Bricks(cells))
{
    constexpr int bottom = 4;  // cells along the longest axis of the coarsest level
    for (Int3 n = cells;; n = {(n.x + 1) / 2, (n.y + 1) / 2, (n.z + 1) / 2}) {
        levels.emplace_back(n, float(1 << levels.size()));  // half of the sum of four faces: doubles per level
        if (std::max({n.x, n.y, n.z}) <= bottom) break;
    }
    twice_visited = std::min<size_t>(2, levels.size() - 1);
    for (size_t l = 1; l <= twice_visited; ++l) first_visit.emplace_back(levels[l].slots.bricks);
}

void PoissonSolver::build()
{
    ++builds;
    // Of d = mass + walls, the walls should be scaled by a half like the couplings, and the mass by one. 64^3, three
    // components of a stiff liquid: 48 iterations with 0.5, 43 with 0.75, 52 with 1.
    const float part_of_d = ties == DiagonalKind::mass ? 0.75f : 0.5f;
    for (size_t l = 0; l < levels.size(); ++l) {
        PoissonLevel& level = levels[l];
        if (l > 0) {
            level.slots.assign(parents(levels[l - 1], level));
            forBricks("pressure.coarsen", level, [&](int slot) { coarsen(levels[l - 1], part_of_d, level, slot); });
        }
        level.eights.resize((level.slots.list.size() + 1) * brick_cells / cells_at_once);
        forBricks("pressure.diagonal", level, [&](int slot) { invertDiagonal(level, slot); });
        forBricks("pressure.classify", level, [&](int slot) {
            classify(level, slot);
            if (l > 0 && l <= twice_visited) std::fill_n(first_visit[l - 1].brick(slot), brick_cells, 0.0f);
        });
    }
    if (ties == DiagonalKind::mass) return;
    const KernelTimer timer("pressure.pockets");
    pockets = findSealedPockets(fine());
    pocket_means.divide(pockets);
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
    forBricks("pressure.smooth down", level, [&](int slot) { smoothBlackFromZero(level, slot); });
    forBricks("pressure.restrict", level, [&](int slot) { restrictResidual(level, slot, coarse); });
    cycle(l + 1);
    if (second_visits && l < twice_visited) cycleAgain(l + 1);
    forBricks("pressure.correct", level, [&](int slot) { correctBlack(level, slot, coarse); });
    if (l > 0) forBricks("pressure.smooth up", level, [&](int slot) { smoothRed(level, slot); });
}

// A damped cycle and another on its residual: 2 w B - w^2 B A B, as symmetric as B, and positive while w times the
// largest eigenvalue of B A is below 2. Over-correction raises that eigenvalue to 3 at boundaries of the liquid that
// cut aggregates in half: undamped (w = 1), a dam break of 112 to 136 cells per side did not converge.
void PoissonSolver::cycleAgain(size_t l)
{
    PoissonLevel& level = levels[l];
    constexpr float damping = 0.6f;
    float *first = first_visit[l - 1].data(), *z = level.z.data();
    forBricks("pressure.again", level, [&](int slot) {
        forEights(level, slot,
                  [&](const LaneGroup&, const LaneNeighbours& at) { store(first + at.self, load(z + at.self)); });
    });
    forBricks("pressure.again", level, [&](int slot) { descend(level, first, damping, slot); });
    cycle(l);
    forBricks("pressure.again", level, [&](int slot) {
        forEights(level, slot, [&](const LaneGroup&, const LaneNeighbours& at) {
            store(z + at.self, damping * (load(z + at.self) + load(first + at.self)));
        });
    });
}

// A is singular on each sealed pocket: the pressure there has an arbitrary constant. Moving bodies at its surface make
// it definite: water under a piston carries it. What decides is e_i . T e_j for the pockets' indicator vectors e: its
// eigenvectors with eigenvalues below a thousandth of an open face count as sealed. Pockets that bodies couple form a
// group. Usually one constant for all of it is sealed, but between bodies in contact it can be any combination.
void PoissonSolver::groupPockets(PoissonTerm* term)
{
    constexpr double least_coupling = 1e-3;
    const size_t count = pockets.size();
    for (size_t n = 0; n < count; ++n) pockets[n].group = int(n);
    Eigen::MatrixXd coupling;
    if (term && count > 0) coupling = pocketCoupling(*term);
    for (size_t n = 0; n < count && term; ++n)
        for (size_t m = 0; m < n; ++m)
            if (std::abs(coupling(int(n), int(m))) > least_coupling) {
                const int from = pockets[n].group, to = pockets[m].group;
                if (from == to) continue;
                for (SealedPocket& pocket : pockets)
                    if (pocket.group == from) pocket.group = to;
            }
    std::vector<std::vector<int>> members(count);
    for (size_t n = 0; n < count; ++n) members[size_t(pockets[n].group)].push_back(int(n));
    std::vector<PocketMeans::Group> sealed;
    for (const std::vector<int>& group : members) {
        if (group.empty()) continue;
        Eigen::VectorXd cells(Eigen::Index(group.size()));
        for (Eigen::Index n = 0; n < cells.size(); ++n) cells[n] = double(pockets[size_t(group[size_t(n)])].cells);
        Eigen::MatrixXd block = Eigen::MatrixXd::Zero(cells.size(), cells.size());
        if (term) block = coupling(group, group);
        const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> eigen(block);
        const double least = std::max(least_coupling, 1e-6 * eigen.eigenvalues().maxCoeff());  // of float sums
        const auto count_sealed = (eigen.eigenvalues().array() < least).count();
        const Eigen::MatrixXd w = eigen.eigenvectors().leftCols(count_sealed);
        if (count_sealed > 0)
            sealed.push_back({group, w * (w.transpose() * cells.asDiagonal() * w).inverse() * w.transpose()});
        const bool is_constant_sealed = w.colwise().sum().squaredNorm() > 0.5 * double(group.size());
        if (!is_constant_sealed)
            for (const int n : group) pockets[size_t(n)].group = -1;
    }
    pocket_means.setGroups(std::move(sealed));
}

Eigen::MatrixXd PoissonSolver::pocketCoupling(PoissonTerm& term)
{
    const int count = int(pockets.size());
    PoissonLevel& level = fine();
    Eigen::MatrixXd coupling(count, count);
    const auto fill = [&](const SealedPocket& pocket, float value) {
        for (const SealedPocket::Run& run : pocket.runs)
            for (int i = run.begin; i < run.end; ++i) p.data()[level.slots.index(i, run.j, run.k)] = value;
    };
    forBricks("pressure.pockets", level, [&](int slot) { std::fill_n(p.brick(slot), brick_cells, 0.0f); });
    for (int n = 0; n < count; ++n) {
        forBricks("pressure.pockets", level, [&](int slot) { std::fill_n(level.r.brick(slot), brick_cells, 0.0f); });
        fill(pockets[size_t(n)], 1);
        term.multiply(p.data());
        term.subtract(-1, level.r.data());
        fill(pockets[size_t(n)], 0);
        coupling.row(n) = pocket_means.sumsOf(pockets, level.slots, level.r).transpose();
    }
    return 0.5 * (coupling + coupling.transpose());
}

// r -= scale T p for the p last multiplied, without its means over pockets that count as sealed: A p has none, and the
// iteration stays that of a symmetric matrix where T is small there but not zero. With these means it diverged to 46
// km/s where thirty light balls met at the surface.
void PoissonSolver::subtractTerm(double scale, PoissonTerm& term)
{
    term.subtract(scale, fine().r.data());
    pocket_means.subtractMeans(pockets, fine().slots, fine().r);
}

double PoissonSolver::residual(PoissonTerm* term)
{
    const double rr = sumOverBricks("pressure.residual", fine(),
                                    [&](int slot) { return residualOf(fine(), b.data(), x.data(), slot); });
    if (!term) return rr;
    term->multiply(x.data());
    subtractTerm(1, *term);
    return sumOverBricks("pressure.norm", fine(), [&](int slot) { return squaresOf(fine().r.brick(slot)); });
}

double PoissonSolver::residualOfZero()
{
    return sumOverBricks("pressure.residual", fine(), [&](int slot) {
        std::copy_n(b.brick(slot), brick_cells, fine().r.brick(slot));
        return squaresOf(b.brick(slot));
    });
}

double PoissonSolver::normOfB()
{
    return sumOverBricks("pressure.norm", fine(), [&](int slot) { return squaresOf(b.brick(slot)); });
}

double PoissonSolver::precondition()
{
    cycle(0);
    return sumOverBricks("pressure.smooth up", fine(), [&](int slot) { return smoothRed(fine(), slot); });
}

double PoissonSolver::correctSolution(PoissonTerm& term)
{
    term.correctSolution(x.data(), fine().r.data());
    pocket_means.subtractMeans(pockets, fine().slots, fine().r);
    return sumOverBricks("pressure.norm", fine(), [&](int slot) { return squaresOf(fine().r.brick(slot)); });
}

// The multigrid cycle B, then the coarse space of the term: with y = E^-1 Z^T (r - K B r) the result is B r + Z y.
// Where Z^T r = 0, as after correctSolution() and in every iteration that follows but for rounding, that is the
// symmetric P^T B P r with P = 1 - K Z E^-1 Z^T (A-DEF2 of Tang, Nabben, Vuik, Erlangga 2009).
double PoissonSolver::precondition(PoissonTerm* term)
{
    double rz = precondition();
    pocket_means.subtractMeans(pockets, fine().slots, fine().z);
    if (!has_coarse_space) return rz;
    rz += term->correct(fine().r.data(), fine().z.data());
    pocket_means.subtractMeans(pockets, fine().slots, fine().z);
    return rz;
}

// Conjugate gradients from the residual in fine().r until |r|^2 is at most target; adds its iterations to `iterations`.
void PoissonSolver::iterate(double rr, double target, int max_iterations, PoissonTerm* term, int& iterations)
{
    PoissonLevel& level = fine();
    forBricks("pressure.turn", level, [&](int slot) { std::fill_n(p.brick(slot), brick_cells, 0.0f); });
    double rz_old = 0, alpha = 0;
    if (has_coarse_space && rr > target) rr = correctSolution(*term);
    const double runaway = 1e4 * rr;
    while (rr > target && iterations < max_iterations) {
        const double rz = precondition(term);
        const float beta = rz_old > 0 ? float(rz / rz_old) : 0.0f;
        forBricks("pressure.turn", level, [&](int slot) { turn(level, alpha, beta, x.data(), p.data(), slot); });
        double pAp = sumOverBricks("pressure.energy", level, [&](int slot) { return energyOf(level, p.data(), slot); });
        if (term) pAp += term->multiply(p.data());
        alpha = pAp > 0 ? rz / pAp : 0;
        if (!(rz > 0 && alpha > 0 && rr < runaway)) {  // the cycle is indefinite here, or float is exhausted: the
                                                       // caller continues with the plain cycle
            second_visits = false;
            alpha = 0;
            break;
        }
        if (term) subtractTerm(alpha, *term);
        rr = sumOverBricks("pressure.descend", level,
                           [&](int slot) { return descend(level, p.data(), float(alpha), slot); });
        rz_old = rz;
        ++iterations;
    }
    forBricks("pressure.turn", level, [&](int slot) { turn(level, alpha, 0, x.data(), p.data(), slot); });
}

SolveReport PoissonSolver::solve(double tolerance_rel, int max_iterations, Guess guess, PoissonTerm* term,
                                 double least_norm)
{
    // Relative to the given b, before its means are subtracted: in a sealed region that is only compressed, the
    // remainder is rounding.
    const double own = normOfB(), bb = std::max(own, least_norm * least_norm);
    const double target = tolerance_rel * tolerance_rel * bb;
    groupPockets(term);
    const Eigen::VectorXd imbalance = pocket_means.meansOf(pockets, fine().slots, b);
    for (size_t n = 0; n < pockets.size(); ++n) pockets[n].imbalance = imbalance[Eigen::Index(n)];
    pocket_means.subtractMeans(pockets, fine().slots, b);
    SolveReport report;
    report.norm = std::sqrt(bb);
    second_visits = true;
    if (own == 0) {  // nothing to balance: the pressure is zero
        forBricks("pressure.norm", fine(), [&](int slot) { std::fill_n(x.brick(slot), brick_cells, 0.0); });
        return report;
    }
    // The recursive residual drifts from the true one by rounding. If the true one is still too large, restart from it.
    double rr = guess == Guess::zero ? residualOfZero() : residual(term);
    has_coarse_space = term && rr > target && term->prepareCoarse(fine(), pockets, builds);
    for (int restart = 0; rr > target && report.iterations < max_iterations && restart < 4; ++restart) {
        iterate(rr, 0.9 * target, max_iterations, term, report.iterations);
        rr = residual(term);
    }
    report.residual = std::sqrt(rr / bb);
    report.converged = rr <= target;
    return report;
}

}  // namespace flotsam
