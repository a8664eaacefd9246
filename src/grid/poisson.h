// A x = b for the pressure: (A x)_i = sum over faces of c_f (x_i - x_nb) + d_i x_i, matrix-free on the bricks that hold
// unknowns. Conjugate gradients preconditioned by one cycle of aggregation multigrid, V(1,1) with second visits of the
// two largest coarse levels: docs/methods/pressure.md.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/field.h"
#include "core/parallel.h"

namespace flotsam {

// Eight cells of a row: the unit in which sweeps work and skip.
inline constexpr int cells_at_once = 8;

// What eight cells are to a sweep. A vector is zero where there is no unknown, so where every two neighbours that are
// unknowns are coupled by the same c0, sums over neighbours need no coefficients: only next to solids are they read.
// (Reading them everywhere at the surface took three quarters of the solver's time in a splash.)
enum class Kind : uint8_t {
    empty,     // no unknown
    interior,  // unknowns alone, whose neighbours and they themselves have the diagonal 6 c0
    uniform,   // couplings between unknowns are c0; the diagonal varies
    general,
};

struct Eight {
    uint8_t linked[6] = {};  // a bit for each lane: whether it is coupled to its west, east, down, up, back, front
    uint8_t unknown = 0;     // a bit for each lane
    Kind kind = Kind::empty;
};

// One level of the hierarchy. Everything outside the listed bricks is zero; so is everything at cells without an
// unknown.
struct PoissonLevel {
    PoissonLevel(Int3 cells, float interior_coupling);

    View3<float> c(int axis) { return coupling[axis]; }
    // Of the eight cells that start at i.
    const Eight& eight(int brick, int i, int j, int k) const { return eights[size_t(brick)][slot(i, j, k)]; }
    static size_t slot(int i, int j, int k) { return size_t((i >> 3 & 1) + 2 * ((j & 7) + 8 * (k & 7))); }

    Bricks bricks;
    BrickSet active;                           // bricks that hold unknowns
    Field3<float> coupling[3];                 // c_f on low faces, between two unknowns
    Field3<float> d;                           // what ties a cell to a known value (the air)
    Field3<float> inverse_diagonal;            // 1 / (sum c + d)
    Field3<float> r;                           // right-hand side of the level
    Field3<float> z_black;                     // after the smoothing of black cells; zero on red ones
    Field3<float> z;                           // the level's approximate solution
    std::vector<std::array<Eight, 128>> eights;  // by brick and slot()
    float c0;                                  // coupling of interior cells
};

struct SolveReport {
    int iterations = 0;
    double residual = 0;  // true |b - A x| / |b|, recomputed from x
    bool converged = true;
};

// Cells that are connected to each other and to no known value: there A is singular.
struct SealedPocket {
    struct Run {
        int j, k, begin, end;
    };
    std::vector<Run> runs;  // of cells along x
    long long cells = 0;
    double imbalance = 0;  // mean of b that was taken out: what no pressure can balance
};

class PoissonSolver {
public:
    explicit PoissonSolver(Int3 cells);

    // Names the bricks that hold unknowns. The caller then writes c, d and b for every cell of them.
    void activate(const BrickSet& set);
    PoissonLevel& fine() { return levels.front(); }
    View3<float> rightHandSide() { return b; }
    View3<double> solution() { return x; }

    // Completes the hierarchy from c and d, and finds the sealed pockets.
    void build();
    // Starts from what solution() holds; leaves the result there.
    SolveReport solve(double tolerance_rel, int max_iterations);

    // Most of the box will hold unknowns.
    void expectDense();

    const std::vector<SealedPocket>& sealedPockets() const { return pockets; }

private:
    void cycle(size_t level);
    void cycleAgain(size_t level);
    void iterate(double rr, double target, int max_iterations, int& iterations);
    double residualInto(View3<float> r);  // r = b - A x in double; returns |r|^2
    double normOfB();                     // |b|^2
    void takeMeansOut(View3<float> v);

    std::vector<PoissonLevel> levels;
    // The two levels below the finest are visited twice a cycle: 11 iterations at 128^3 instead of the V-cycle's 14,
    // for a sixth more work each.
    size_t twice_visited = 0;
    bool second_visits = true;               // of the solve under way
    std::vector<Field3<float>> first_visit;  // of levels 1 .. twice_visited
    Field3<float> b, p;
    Field3<double> x;
    std::vector<SealedPocket> pockets;
};

}  // namespace flotsam
