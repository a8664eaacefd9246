// A u = b for the velocity under viscosity, with all unknowns on faces. Each of the three components is coupled to
// itself as in a PoissonSolver and, for the full stress, to the other two across cell edges: docs/methods/viscosity.md.
#pragma once

#include "grid/rigid_modes.h"

namespace flotsam {

// Unknowns y that are not on faces, the velocities of rigid bodies, and their coupling B to the faces:
//     A u + B y = b,   B^T u + C y = c.
// Vectors over the faces are indexed by the slots; B is zero where there is no unknown.
class StressTerm {
public:
    virtual ~StressTerm() = default;
    virtual void setCoupling(double* const (&out)[3]) const = 0;    // out = B y where B is not zero
    virtual void clearCoupling(double* const (&out)[3]) const = 0;  // out = 0 there
    virtual double residual(const double* const (&u)[3]) = 0;       // s = c - B^T u - C y, p = 0; returns |s|^2
    virtual double precondition() = 0;                              // z from s; returns s . z
    virtual void turn(double alpha, double beta) = 0;               // y += alpha p, p = z + beta p
    // (A p)_u += B p_y and keeps (A p)_y; returns what y adds to p . A p.
    virtual double multiply(const float* const (&p)[3], float* const (&ap)[3]) = 0;
    virtual double descend(double alpha) = 0;                      // s -= alpha (A p)_y; returns |s|^2
    virtual void addCorrection(float* const (&out)[3]) const = 0;  // out += B z
};

class StressSolver {
public:
    // Faces are indexed as cells of a box one larger along each axis, the same for the three components.
    explicit StressSolver(Int3 cells);

    // As in PoissonSolver, for the three at once: the caller then writes c, d, b and the initial guess of every
    // component and, for the full stress, the edges.
    void activate(const BrickList& list);
    const BrickSlots& slots() { return component[0].fine().slots; }

    // K of the edge at the low faces of a cell along the two axes other than n, a = n + 1 and b = n + 2. The energy has
    // the term K (u_a(c) - u_a(c - e_b)) (u_b(c) - u_b(c - e_a)).
    BrickField<float>& edge(int n) { return edges[n]; }

    // |M u|^2 of each component, set by the caller: residuals are relative to it. As A >= M, the relative error of the
    // velocity is then at most the relative residual. |b| is not suitable: next to a moving wall or an inflow it
    // contains the boundary coupling term, which is dt nu / h^2 times as large.
    double momentum_squared[3] = {};
    double unit_mass = 1;  // of a face with a full control volume; set by the caller

    void build();
    // Three separate solves; the edges are not used.
    SolveReport solveComponents(double tolerance_rel, int max_iterations);
    // Solves for all three together, preconditioned by a cycle of each without the edges. For a plane wave in an
    // unbounded liquid the eigenvalues of the preconditioned system lie between 2/3 and 3/2 for any direction.
    // term: further unknowns of the system, or none; momentum_squared contains theirs.
    SolveReport solveTogether(double tolerance_rel, int max_iterations, StressTerm* with = nullptr);

    // The residual at the current solution, into r of the finest levels.
    double startResidual(StressTerm* with)
    {
        term = with;
        return residual();
    }
    // A p of the directions, into z of the finest levels; returns p . A p. With the term of the last solve.
    double applyToDirections();

    PoissonSolver component[3];

private:
    double residual();  // r = b - A u in double, and that of the term; returns the sum of squares
    template <int a>
    double residualOfComponent();
    // A v: from the directions into z, or from z into z_black. Returns the component's sum v (A v).
    template <int a, class In, class Out>
    double applyToComponent(const In& in, const Out& out);
    double precondition();
    void iterate(double rr, double target, int max_iterations, int& iterations);

    BrickField<float> edges[3];
    StressTerm* term = nullptr;     // of the current solve
    BrickField<double> of_term[3];  // B y while the residual is computed, else zero
    RigidModes modes;
    bool may_be_easy = true, with_modes = false;  // of the current solve
    std::vector<std::array<int, 27>> around;      // by slot: the slots of the bricks around it, x fastest
};

}  // namespace flotsam
