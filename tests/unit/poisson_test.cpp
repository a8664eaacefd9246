// The solver alone, on systems written by hand.
#include "grid/poisson.h"

#include <gtest/gtest.h>

#include <functional>

#include "core/random.h"
#include "coupling/pocket_pressure.h"

namespace flotsam {
namespace {

template <class T>
T& at(PoissonSolver& solver, BrickField<T>& field, Int3 c)
{
    return field.data()[solver.fine().slots.index(c.x, c.y, c.z)];
}

// All cells of a box are unknowns with couplings of one; the upper boundary (+y) is coupled to zero where `tied`.
// Inactive cells are left out.
void fillBox(PoissonSolver& solver, Int3 cells, double tie, const std::function<bool(Int3)>& exists)
{
    const Bricks bricks(cells);
    solver.activate(listOf(std::vector<uint8_t>(size_t(bricks.total()), 1)));
    PoissonLevel& level = solver.fine();
    const IndexBox box{{0, 0, 0}, cells};
    forEachCell(box, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        for (int a = 0; a < 3; ++a)
            at(solver, level.coupling[a], c) =
                exists(c) && box.contains(c - unit(a)) && exists(c - unit(a)) ? 1.0f : 0.0f;
        at(solver, level.d, c) = exists(c) && j == cells.y - 1 ? float(tie) : 0.0f;
    });
    solver.build();
}

// b = A x for a random x; returns the largest error of the solution from a zero guess, up to a constant if `free`.
double errorOfRandomSolution(PoissonSolver& solver, Int3 cells, bool free, SolveReport& report)
{
    PoissonLevel& level = solver.fine();
    const IndexBox box{{0, 0, 0}, cells};
    const auto exact = [&](Int3 c) {
        return box.contains(c) ? randomUnit(3, uint64_t(c.x + 1000 * c.y), uint64_t(c.z)) : 0.0;
    };
    forEachCell(box, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        double sum = double(at(solver, level.d, c)) * exact(c);
        for (int a = 0; a < 3; ++a)
            for (const Int3 e : {unit(a), Int3{} - unit(a)}) {
                const Int3 face = e == unit(a) ? c + e : c;
                if (box.contains(c + e)) sum += double(at(solver, level.coupling[a], face)) * (exact(c) - exact(c + e));
            }
        at(solver, solver.rightHandSide(), c) = float(sum);
        at(solver, solver.solution(), c) = 0;
    });
    report = solver.solve(1e-7, 100);
    double shift = 0, worst = 0;
    if (free) shift = at(solver, solver.solution(), {0, 0, 0}) - exact({0, 0, 0});
    forEachCell(box, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        if (at(solver, level.inverse, c) > 0)
            worst = std::max(worst, std::abs(at(solver, solver.solution(), c) - exact(c) - shift));
    });
    return worst;
}

TEST(Poisson, FindsARandomSolutionOnGridsOfAnyShape)
{
    for (const Int3 cells : {Int3{16, 16, 16}, {20, 20, 20}, {33, 7, 5}, {64, 48, 1}, {3, 40, 2}, {1, 1, 1}}) {
        PoissonSolver solver(cells);
        fillBox(solver, cells, 2, [](Int3) { return true; });
        SolveReport report;
        EXPECT_LT(errorOfRandomSolution(solver, cells, false, report), 1e-4)
            << cells.x << " " << cells.y << " " << cells.z;
        EXPECT_TRUE(report.converged);
        EXPECT_LE(report.residual, 1e-7);
    }
}

TEST(Poisson, AGuessThatIsSaidToBeZeroGivesTheBitsOfOneThatIs)
{
    const Int3 cells{40, 20, 12};
    const IndexBox box{{0, 0, 0}, cells};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 2, [](Int3 c) { return c.x + c.y < 30; });
    std::vector<double> found[2];
    for (const Guess guess : {Guess::given, Guess::zero}) {
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            const bool unknown = at(solver, solver.fine().inverse, c) > 0;
            at(solver, solver.rightHandSide(), c) =
                unknown ? float(randomUnit(5, uint64_t(i + 100 * j), uint64_t(k))) : 0;
            at(solver, solver.solution(), c) = 0;
        });
        EXPECT_TRUE(solver.solve(1e-6, 100, guess).converged);
        forEachCell(box, [&](int i, int j, int k) {
            found[guess == Guess::zero].push_back(at(solver, solver.solution(), {i, j, k}));
        });
    }
    EXPECT_EQ(found[0], found[1]);
}

TEST(Poisson, FindsASolutionUpToAConstantInASealedBox)
{
    const Int3 cells{24, 24, 24};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 0, [](Int3) { return true; });
    ASSERT_EQ(solver.sealedPockets().size(), 1u);
    EXPECT_EQ(solver.sealedPockets()[0].cells, 24 * 24 * 24);
    SolveReport report;
    EXPECT_LT(errorOfRandomSolution(solver, cells, true, report), 1e-4);
    EXPECT_TRUE(report.converged);
}

TEST(Poisson, FindsEverySealedPocketAndOnlyThose)
{
    // Walls at i = 10 and i = 20; the region beyond 20 has a free top.
    const Int3 cells{32, 16, 16};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 1, [](Int3 c) { return c.x != 10 && c.x != 20 && (c.x > 20 || c.y < 15); });
    ASSERT_EQ(solver.sealedPockets().size(), 2u);
    EXPECT_EQ(solver.sealedPockets()[0].cells, 10 * 15 * 16);
    EXPECT_EQ(solver.sealedPockets()[1].cells, 9 * 15 * 16);
}

TEST(Poisson, WhatNoPressureCanBalanceIsTakenOutAndSaid)
{
    const Int3 cells{16, 16, 16};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 0, [](Int3) { return true; });
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        at(solver, solver.rightHandSide(), {i, j, k}) = 0.5f + (i < 8 ? 1.0f : -1.0f);
        at(solver, solver.solution(), {i, j, k}) = 0;
    });
    const SolveReport report = solver.solve(1e-6, 100);
    EXPECT_TRUE(report.converged) << report.residual;
    EXPECT_NEAR(solver.sealedPockets()[0].imbalance, 0.5, 1e-6);
}

// Two pockets of 28 800 and 12 800 cells: several tasks each.
TEST(Poisson, SealedPocketsLargerThanAPieceOfWorkGiveTheSameBitsForAnyThreads)
{
    const Int3 cells{54, 32, 25};
    std::vector<double> found[3];
    for (int n = 0; n < 3; ++n) {
        backend::setThreads(n == 0 ? 1 : n == 1 ? 2 : 5);
        PoissonSolver solver(cells);
        fillBox(solver, cells, 0, [](Int3 c) { return c.x < 36 || c.x >= 38; });
        ASSERT_EQ(solver.sealedPockets().size(), 2u);
        forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
            const double random = randomUnit(5, uint64_t(i + 1000 * j), uint64_t(k));
            const bool exists = i < 36 || i >= 38;
            at(solver, solver.rightHandSide(), {i, j, k}) = exists ? float(random + (i < 36 ? 0.25 : -1.5)) : 0.0f;
            at(solver, solver.solution(), {i, j, k}) = 0;
        });
        EXPECT_TRUE(solver.solve(1e-6, 100).converged);
        EXPECT_NEAR(solver.sealedPockets()[0].imbalance, 0.75, 0.01);  // the mean of a random number is 0.5
        EXPECT_NEAR(solver.sealedPockets()[1].imbalance, -1, 0.01);
        for (const SealedPocket& pocket : solver.sealedPockets()) found[n].push_back(pocket.imbalance);
        forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
            found[n].push_back(at(solver, solver.solution(), {i, j, k}));
        });
    }
    backend::setThreads(0);
    EXPECT_EQ(found[0], found[1]);
    EXPECT_EQ(found[0], found[2]);
}

TEST(Poisson, ARightHandSideThatIsAllImbalanceGivesNoPressure)
{
    const Int3 cells{16, 16, 16};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 0, [](Int3) { return true; });
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {  // constant up to rounding, as after a first projection
        at(solver, solver.rightHandSide(), {i, j, k}) = 0.1f * (1 + 3e-7f * float(i % 3));
        at(solver, solver.solution(), {i, j, k}) = 0;
    });
    const SolveReport report = solver.solve(1e-6, 100);
    EXPECT_TRUE(report.converged) << report.residual;
    double most = 0;
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        most = std::max(most, std::abs(at(solver, solver.solution(), {i, j, k})));
    });
    EXPECT_LT(most, 1e-4);
}

// T v = w (w . v), as of a body with one velocity.
struct OneBody : PoissonTerm {
    OneBody(PoissonSolver& solver, std::vector<std::pair<Int3, double>> list)
    {
        for (const auto& [c, w] : list) cells.emplace_back(solver.fine().slots.index(c.x, c.y, c.z), w);
    }
    template <class T>
    double multiplyBy(const T* v)
    {
        product = 0;
        for (const auto& [cell, w] : cells) product += w * double(v[cell]);
        return product * product;
    }
    double multiply(const float* v) override { return multiplyBy(v); }
    void multiply(const double* v) override { multiplyBy(v); }
    void subtract(double scale, float* r) const override
    {
        for (const auto& [cell, w] : cells) r[cell] -= float(scale * w * product);
    }
    std::vector<std::pair<size_t, double>> cells;
    double product = 0;
};

// The body fits into the box but for 2 % of a face: the box counts as sealed, and the term must not bring back the mean
// that was taken out of the right-hand side.
TEST(Poisson, ABodyThatHardlyChangesTheVolumeOfAPocketDoesNotKeepItFromConverging)
{
    const Int3 cells{24, 12, 1};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 0, [](Int3) { return true; });
    OneBody body(solver, {{{5, 5, 0}, 1}, {{8, 5, 0}, -0.98}, {{5, 6, 0}, 1}, {{8, 6, 0}, -1}});
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        at(solver, solver.rightHandSide(), {i, j, k}) = float(randomUnit(5, uint64_t(i + 100 * j), 0));
        at(solver, solver.solution(), {i, j, k}) = 0;
    });
    const SolveReport report = solver.solve(1e-6, 100, Guess::zero, &body);
    EXPECT_TRUE(report.converged);
    EXPECT_LT(report.iterations, 30);
}

// The left half is sealed, and the right one has a known pressure at its top.
TEST(Poisson, ASealedPocketTakesThePressureOfTheLiquidNextToIt)
{
    const Int3 cells{16, 8, 1};
    PoissonSolver solver(cells);
    fillBox(solver, cells, 1, [](Int3) { return true; });
    for (int j = 0; j < cells.y; ++j) at(solver, solver.fine().coupling[0], {8, j, 0}) = 0;
    for (int i = 0; i < 8; ++i) at(solver, solver.fine().d, {i, cells.y - 1, 0}) = 0;
    solver.build();
    const Vec3 gravity{0, -1, 0};
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        // The outflow of a velocity of gravity: zero but at the floor and under closed tops.
        const double flow = j == 0 ? 1 : j == cells.y - 1 && i < 8 ? -1 : 0;
        at(solver, solver.rightHandSide(), {i, j, k}) = float(flow);
        at(solver, solver.solution(), {i, j, k}) = 0;
    });
    ASSERT_TRUE(solver.solve(1e-6, 100, Guess::zero).converged);
    settlePockets(gravity, solver);
    for (int j = 0; j < cells.y; ++j)
        EXPECT_NEAR(at(solver, solver.solution(), {3, j, 0}), at(solver, solver.solution(), {12, j, 0}), 1e-4) << j;
}

TEST(Poisson, BricksThatLeaveTheSetLeaveNothingBehind)
{
    const Int3 cells{32, 32, 32};
    PoissonSolver used(cells), fresh(cells);
    fillBox(used, cells, 2, [](Int3) { return true; });
    SolveReport first, again;
    errorOfRandomSolution(used, cells, false, first);
    fillBox(used, cells, 2, [](Int3 c) { return c.x < 16; });
    fillBox(fresh, cells, 2, [](Int3 c) { return c.x < 16; });
    errorOfRandomSolution(used, cells, false, first);
    errorOfRandomSolution(fresh, cells, false, again);
    EXPECT_EQ(first.iterations, again.iterations);
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        ASSERT_EQ(at(used, used.solution(), {i, j, k}), at(fresh, fresh.solution(), {i, j, k}));
    });
}

}  // namespace
}  // namespace flotsam
