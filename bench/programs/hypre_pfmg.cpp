// bench_hypre_pfmg FILE TOLERANCE, run by mpirun: solves a system written by `flotsam bench pressure` with the
// conjugate gradients of hypre preconditioned by PFMG, and prints its cost as a line of JSON on stderr. Cells without
// an unknown are identity rows.
#include <HYPRE_struct_ls.h>
#include <fmt/format.h>
#include <mpi.h>

#include <cstdlib>

#include "bench/linear_system.h"
#include "core/error.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

constexpr int repetitions = 5;
constexpr int max_iterations = 500;
constexpr int stencil_size = 4;  // the cell and its low neighbours: the matrix is symmetric

struct Rank {
    int index = 0, count = 1;
    int lo = 0, hi = 0;  // its cells along z

    explicit Rank(int nz)
    {
        MPI_Comm_rank(MPI_COMM_WORLD, &index);
        MPI_Comm_size(MPI_COMM_WORLD, &count);
        lo = nz * index / count;
        hi = nz * (index + 1) / count;
    }
};

// The share of the system owned by a rank, as hypre objects.
class Problem {
public:
    Problem(const LinearSystem& system, const Rank& rank)
        : box{{0, 0, rank.lo}, {system.cells.x, system.cells.y, rank.hi}},
          lower{0, 0, rank.lo},
          upper{box.hi.x - 1, box.hi.y - 1, box.hi.z - 1}
    {
        HYPRE_StructGridCreate(MPI_COMM_WORLD, 3, &grid);
        HYPRE_StructGridSetExtents(grid, lower, upper);
        HYPRE_StructGridAssemble(grid);
        createMatrix(system);
        createVectors(system);
    }

    void startFromZero()
    {
        std::vector<double> zero(size_t(product(box.size())), 0.0);
        HYPRE_StructVectorSetBoxValues(x, lower, upper, zero.data());
        HYPRE_StructVectorAssemble(x);
    }

    std::vector<double> solution()
    {
        std::vector<double> values(size_t(product(box.size())));
        HYPRE_StructVectorGetBoxValues(x, lower, upper, values.data());
        return values;
    }

    HYPRE_StructMatrix matrix = nullptr;
    HYPRE_StructVector b = nullptr, x = nullptr;

private:
    void createMatrix(const LinearSystem& system)
    {
        HYPRE_StructStencil stencil;
        HYPRE_StructStencilCreate(3, stencil_size, &stencil);
        int offsets[stencil_size][3] = {{0, 0, 0}, {-1, 0, 0}, {0, -1, 0}, {0, 0, -1}};
        for (int entry = 0; entry < stencil_size; ++entry)
            HYPRE_StructStencilSetElement(stencil, entry, offsets[entry]);
        HYPRE_StructMatrixCreate(MPI_COMM_WORLD, grid, stencil, &matrix);
        HYPRE_StructMatrixSetSymmetric(matrix, 1);
        HYPRE_StructMatrixInitialize(matrix);
        std::vector<double> values;
        values.reserve(size_t(product(box.size())) * stencil_size);
        forEachCell(box, [&](int i, int j, int k) {
            const double diagonal = system.diagonal({i, j, k});
            values.push_back(diagonal > 0 ? diagonal : 1);
            for (int axis = 0; axis < 3; ++axis) values.push_back(-system.low(axis, {i, j, k}));
        });
        int entries[stencil_size] = {0, 1, 2, 3};
        HYPRE_StructMatrixSetBoxValues(matrix, lower, upper, stencil_size, entries, values.data());
        HYPRE_StructMatrixAssemble(matrix);
    }

    void createVectors(const LinearSystem& system)
    {
        std::vector<double> values;
        forEachCell(box, [&](int i, int j, int k) { values.push_back(double(system.rhs[system.index(i, j, k)])); });
        HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &b);
        HYPRE_StructVectorInitialize(b);
        HYPRE_StructVectorSetBoxValues(b, lower, upper, values.data());
        HYPRE_StructVectorAssemble(b);
        HYPRE_StructVectorCreate(MPI_COMM_WORLD, grid, &x);
        HYPRE_StructVectorInitialize(x);
    }

    IndexBox box;
    int lower[3], upper[3];
    HYPRE_StructGrid grid = nullptr;
};

struct Timing {
    double set_up_seconds = 1e300, seconds = 1e300;
    int iterations = 0;
};

template <class F>
double secondsOnAllRanks(const F& f)
{
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    f();
    MPI_Barrier(MPI_COMM_WORLD);
    return MPI_Wtime() - start;
}

void solveOnce(Problem& problem, double tolerance_rel, Timing& best)
{
    HYPRE_StructSolver pfmg, pcg;
    HYPRE_StructPFMGCreate(MPI_COMM_WORLD, &pfmg);
    HYPRE_StructPFMGSetMaxIter(pfmg, 1);
    HYPRE_StructPFMGSetTol(pfmg, 0);
    HYPRE_StructPFMGSetZeroGuess(pfmg);
    // The fastest symmetric choice, as CG needs it, of the relaxations, coarse operators and relaxed levels of hypre.
    HYPRE_StructPFMGSetRelaxType(pfmg, 2);  // symmetric red-black Gauss-Seidel
    HYPRE_StructPFMGSetRAPType(pfmg, 0);    // Galerkin
    HYPRE_StructPFMGSetSkipRelax(pfmg, 1);
    HYPRE_StructPCGCreate(MPI_COMM_WORLD, &pcg);
    HYPRE_StructPCGSetTol(pcg, tolerance_rel);
    HYPRE_StructPCGSetTwoNorm(pcg, 1);
    HYPRE_StructPCGSetMaxIter(pcg, max_iterations);
    HYPRE_StructPCGSetPrecond(pcg, HYPRE_StructPFMGSolve, HYPRE_StructPFMGSetup, pfmg);
    problem.startFromZero();
    const double set_up = secondsOnAllRanks([&] { HYPRE_StructPCGSetup(pcg, problem.matrix, problem.b, problem.x); });
    const double solve = secondsOnAllRanks([&] { HYPRE_StructPCGSolve(pcg, problem.matrix, problem.b, problem.x); });
    best.set_up_seconds = std::min(best.set_up_seconds, set_up);
    best.seconds = std::min(best.seconds, solve);
    HYPRE_StructPCGGetNumIterations(pcg, &best.iterations);
    HYPRE_StructPCGDestroy(pcg);
    HYPRE_StructPFMGDestroy(pfmg);
}

// The complete solution on rank 0: slabs along z in order.
std::vector<double> gather(const LinearSystem& system, const Rank& rank, const std::vector<double>& mine)
{
    const int plane = system.cells.x * system.cells.y;
    std::vector<int> counts, starts;
    for (int r = 0; r < rank.count; ++r) {
        starts.push_back(plane * (system.cells.z * r / rank.count));
        counts.push_back(plane * (system.cells.z * (r + 1) / rank.count) - starts.back());
    }
    std::vector<double> all(system.size());
    MPI_Gatherv(mine.data(), int(mine.size()), MPI_DOUBLE, all.data(), counts.data(), starts.data(), MPI_DOUBLE, 0,
                MPI_COMM_WORLD);
    return all;
}

void solveAndPrint(const char* file, double tolerance_rel)
{
    const LinearSystem system = readSystem(file);
    const Rank rank(system.cells.z);
    Problem problem(system, rank);
    Timing best;
    for (int n = 0; n < repetitions; ++n) solveOnce(problem, tolerance_rel, best);
    const std::vector<double> x = gather(system, rank, problem.solution());
    if (rank.index == 0)
        fmt::print(stderr, "{{\"set_up_seconds\": {}, \"seconds\": {}, \"iterations\": {}, \"residual\": {}}}\n",
                   best.set_up_seconds, best.seconds, best.iterations, trueResidual(system, x));
}

}  // namespace

}  // namespace flotsam

int main(int argc, char** argv)
{
    MPI_Init(&argc, &argv);
    HYPRE_Init();
    int code = 2;
    try {
        if (argc == 3) {
            flotsam::solveAndPrint(argv[1], std::atof(argv[2]));
            code = 0;
        }
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
    }
    HYPRE_Finalize();
    MPI_Finalize();
    return code;
}
