// A x = b for the pressure and for one component of the viscosity: (A x)_i = sum over faces of c_f (x_i - x_nb) + d_i
// x_i, matrix-free on the bricks with unknowns. Conjugate gradients preconditioned by one cycle of aggregation
// multigrid: V(1,1) with a partial W-cycle, in which the two largest coarse levels are visited twice
// (docs/methods/pressure.md).
#pragma once

#include <cstdint>
#include <vector>

#include "core/brick_field.h"
#include "core/parallel.h"
#include "grid/pocket_means.h"

namespace flotsam {

// A lane group is eight cells of a row: the unit that sweeps process or skip.
inline constexpr int cells_at_once = 8;

// How a sweep treats a lane group. A vector is zero where there is no unknown. So where all neighbouring unknowns are
// coupled by the same c0, sums over neighbours need no coefficients: these are read only next to solids.
enum class Kind : uint8_t {
    empty,     // no unknown
    interior,  // all eight are unknowns; they and their neighbours have the diagonal 6 c0
    uniform,   // couplings between unknowns are c0; the diagonal varies
    general,
};

struct LaneGroup {
    uint8_t linked[6] = {};  // one bit per lane: whether it is coupled to its west, east, down, up, back, front
    uint8_t unknown = 0;     // one bit per lane
    Kind kind = Kind::empty;
};

// One level of the hierarchy. Vectors are zero at cells without an unknown.
struct PoissonLevel {
    PoissonLevel(Int3 cells, float interior_coupling);

    // By index of the slots, which is zero for cells outside the listed bricks.
    const LaneGroup& eightAt(size_t index) const { return eights[index / cells_at_once]; }

    BrickSlots slots;               // of the bricks with unknowns
    BrickField<float> coupling[3];  // c_f on low faces, between two unknowns
    BrickField<float> d;            // coupling of a cell to a known value (the air)
    BrickField<float> inverse;      // 1 / (sum c + d), the inverse diagonal
    BrickField<float> r;            // right-hand side of the level
    BrickField<float> z_black;      // after the smoothing of black cells; zero on red ones
    BrickField<float> z;            // the level's approximate solution
    std::vector<LaneGroup> eights;  // by index / cells_at_once
    float c0;                       // coupling of interior cells
};

struct SolveReport {
    int iterations = 0;
    double residual = 0;  // true |b - A x|, recomputed from x, over the norm below
    double norm = 0;      // what the tolerance is relative to
    bool converged = true;
};

// Contents of d. `air`: some cells are adjacent to a known value. `mass`: every unknown has one, d = mass + coupling to
// adjacent known values, as in 1 - dt div(nu grad); no region is sealed.
enum class DiagonalKind { air, mass };

// The initial contents of the solution.
enum class Guess { given, zero };

// A symmetric, positive semi-definite term of the operator besides A: moving bodies, of which every cell of the liquid
// at their surface feels all others. Vectors are indexed by the slots of the finest level; the term is zero where there
// is no unknown.
class PoissonTerm {
public:
    virtual ~PoissonTerm() = default;
    virtual double multiply(const float* v) = 0;  // keeps T v; returns v . T v
    virtual void multiply(const double* v) = 0;
    virtual void subtract(double scale, float* r) const = 0;  // r -= scale T v, of the v that was multiplied last

    // A coarse space with basis Z for the preconditioner, K = A + T, E = Z^T K Z. Called before the iterations; returns
    // whether there is one. pockets: where A is singular. build: changes where A has changed.
    virtual bool prepareCoarse(const PoissonLevel&, const std::vector<SealedPocket>& /*pockets*/, int /*build*/)
    {
        return false;
    }
    // x += Z y, r -= K Z y, with y = E^-1 Z^T r.
    virtual void correctSolution(double* /*x*/, float* /*r*/) {}
    // z += Z E^-1 Z^T (r - K z); returns the change of r . z.
    virtual double correct(const float* /*r*/, float* /*z*/) { return 0; }
};

class PoissonSolver {
public:
    explicit PoissonSolver(Int3 cells, DiagonalKind ties = DiagonalKind::air);

    // Sets the bricks with unknowns. The caller then writes c and d for every cell of them (zero past the end of the
    // domain), calls build(), and writes b and an initial guess of the solution, both zero where there is no unknown.
    void activate(const BrickList& list) { fine().slots.assign(list); }
    PoissonLevel& fine() { return levels.front(); }
    const PoissonLevel& fine() const { return levels.front(); }
    BrickField<float>& rightHandSide() { return b; }
    BrickField<double>& solution() { return x; }
    const BrickField<double>& solution() const { return x; }
    BrickField<float>& direction() { return p; }  // of the current conjugate gradient iteration

    // Builds the hierarchy from c and d, and finds the sealed regions.
    void build();
    // Starts from the contents of solution() and leaves the result there. A zero guess need not be multiplied by A.
    // term: of the operator besides A, or none. The tolerance is relative to |b|, or to least_norm if that is larger.
    SolveReport solve(double tolerance_rel, int max_iterations, Guess guess = Guess::given, PoissonTerm* term = nullptr,
                      double least_norm = 0);

    // One cycle as preconditioner of an external iteration: fine().z from fine().r. Returns sum r z.
    double precondition();
    // The second visits can make the cycle indefinite: cycleAgain(). solve() then drops them by itself.
    void visitTwice(bool twice) { second_visits = twice; }
    double normOfB();  // |b|^2

    const std::vector<SealedPocket>& sealedPockets() const { return pockets; }

private:
    void cycle(size_t level);
    void cycleAgain(size_t level);
    void iterate(double rr, double target, int max_iterations, PoissonTerm* term, int& iterations);
    void groupPockets(PoissonTerm* term);
    Eigen::MatrixXd pocketCoupling(PoissonTerm& term);  // e_i . T e_j
    void subtractTerm(double scale, PoissonTerm& term);
    double correctSolution(PoissonTerm& term);  // returns |r|^2
    double precondition(PoissonTerm* term);     // with the coarse space of the term, if it has one
    double residual(PoissonTerm* term);         // r = b - A x - T x in double; returns |r|^2
    double residualOfZero();                    // the same for x = 0

    DiagonalKind ties;
    std::vector<PoissonLevel> levels;
    // The two levels below the finest are visited twice per cycle: 11 iterations at 128^3 instead of the 14 of the
    // V-cycle, for a sixth more work each.
    size_t twice_visited = 0;
    int builds = 0;
    bool second_visits = true;                   // of the current solve
    bool has_coarse_space = false;               // the term, in the current solve
    std::vector<BrickField<float>> first_visit;  // of levels 1 .. twice_visited
    BrickField<float> b, p;
    BrickField<double> x;
    std::vector<SealedPocket> pockets;
    PocketMeans pocket_means;
};

}  // namespace flotsam
