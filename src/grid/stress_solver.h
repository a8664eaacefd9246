// A u = b for the velocity under viscosity, all on faces: three components, each coupled to itself as a PoissonSolver
// couples cells, and to the other two across the edges of cells where the full stress is wanted:
// docs/methods/viscosity.md.
#pragma once

#include "grid/rigid_modes.h"

namespace flotsam {

class StressSolver {
public:
    // Faces are counted as cells of a box one larger along each axis, the same for the three components.
    explicit StressSolver(Int3 cells);

    // As PoissonSolver's, for the three at once: the caller then writes c, d, b and the first guess of every component,
    // and, for the full stress, the edges.
    void activate(const BrickList& list);
    const BrickSlots& slots() { return component[0].fine().slots; }

    // K of the edge at the low faces of a cell along the two axes other than n, a = n + 1 and b = n + 2: the energy
    // has K (u_a(c) - u_a(c - e_b)) (u_b(c) - u_b(c - e_a)).
    BrickField<float>& edge(int n) { return edges[n]; }

    // |M u|^2 of each component, from the caller: what residuals are relative to. As A is no less than M, an error of
    // the velocity is then no larger a part of it than the residual. |b| would not do: beside a wall or an inflow that
    // moves it holds the tie to that, which is dt nu / h^2 times as large.
    double momentum_squared[3] = {};

    void build();
    // Three solves, one after the other: the edges are not read.
    SolveReport solveComponents(double tolerance_rel, int max_iterations);
    // The three together; preconditioned by a cycle of each without the edges. For a wave in an endless liquid the
    // eigenvalues of that lie between 2/3 and 3/2 whatever its direction.
    SolveReport solveTogether(double tolerance_rel, int max_iterations);

    PoissonSolver component[3];

private:
    double residual();  // r = b - A u in double; returns |r|^2
    template <int a>
    double residualOfComponent();
    // A v: of the directions into z, of z into z_black. Returns the component's sum v (A v).
    template <int a, class In, class Out>
    double applyToComponent(const In& in, const Out& out);
    double precondition();
    void iterate(double rr, double target, int max_iterations, int& iterations);

    BrickField<float> edges[3];
    RigidModes modes;
    bool may_be_easy = true, with_modes = false;  // of the solve under way
    std::vector<std::array<int, 27>> around;  // by slot: the slots of the bricks around it, x fastest
};

}  // namespace flotsam
