// The only file of the benchmarks that includes the sparse solvers of Eigen, which are slow to compile.
#include <Eigen/IterativeLinearSolvers>
#include <Eigen/SparseCore>

#include "bench/benchmark.h"
#include "bench/rivals.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

using Matrix = Eigen::SparseMatrix<double>;
using Preconditioner = Eigen::IncompleteCholesky<double, Eigen::Lower, Eigen::NaturalOrdering<int>>;
using Solver = Eigen::ConjugateGradient<Matrix, Eigen::Lower | Eigen::Upper, Preconditioner>;

// Index of the unknown of each cell in natural order; -1: none.
std::vector<int> numberUnknowns(const LinearSystem& system)
{
    std::vector<int> number(system.size(), -1);
    int count = 0;
    forEachCell({{0, 0, 0}, system.cells}, [&](int i, int j, int k) {
        if (system.diagonal({i, j, k}) > 0) number[system.index(i, j, k)] = count++;
    });
    return number;
}

Matrix assemble(const LinearSystem& system, const std::vector<int>& number, int count)
{
    std::vector<Eigen::Triplet<double>> entries;
    entries.reserve(size_t(count) * 7);
    forEachCell({{0, 0, 0}, system.cells}, [&](int i, int j, int k) {
        const int row = number[system.index(i, j, k)];
        if (row < 0) return;
        entries.emplace_back(row, row, system.diagonal({i, j, k}));
        for (int axis = 0; axis < 3; ++axis) {
            const double c = system.low(axis, {i, j, k});
            if (c == 0) continue;
            const Int3 below = Int3{i, j, k} - unit(axis);
            const int column = number[system.index(below.x, below.y, below.z)];
            entries.emplace_back(row, column, -c);
            entries.emplace_back(column, row, -c);
        }
    });
    Matrix matrix(count, count);
    matrix.setFromTriplets(entries.begin(), entries.end());
    return matrix;
}

}  // namespace

RivalResult solveWithEigen(const LinearSystem& system, double tolerance_rel)
{
    const std::vector<int> number = numberUnknowns(system);
    const int count = int(countUnknowns(system));
    const Matrix matrix = assemble(system, number, count);
    Eigen::VectorXd b(count), x;
    for (size_t n = 0; n < number.size(); ++n)
        if (number[n] >= 0) b[number[n]] = double(system.rhs[n]);
    Solver solver;
    solver.setTolerance(tolerance_rel);
    RivalResult result;
    result.set_up_seconds = secondsOf([&] { solver.compute(matrix); });
    result.seconds = secondsOf([&] { x = solver.solve(b); });
    result.iterations = int(solver.iterations());
    result.residual = (b - matrix * x).norm() / b.norm();
    return result;
}

}  // namespace flotsam
