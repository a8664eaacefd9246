#include "liquid/viscous_pressure.h"

#include "liquid/viscous_terms.h"

namespace flotsam {

namespace {

constexpr double inner_tolerance_rel = 1e-3;  // of the viscous solves

// Fields on all faces are MacFields; those on the unknowns of the viscous system are stored by its slots.
struct Faces {
    const ViscousTerms& terms;
    StressSolver& solver;

    float massAt(int axis, Int3 c, bool near_fixed) const
    {
        return float(solver.unit_mass) * (terms.isPlain(c, near_fixed) ? 1.0f : terms.massOf(axis, c));
    }
    // Sum of f(axis, face, index, mass) over the unknowns.
    template <class F>
    double sum(const F& f) const
    {
        const BrickSlots& slots = solver.slots();
        std::vector<double> of_slot(size_t(slots.count()), 0.0);
        parallelTasks("viscosity.together", slots.count(), [&](int task) {
            const IndexBox box = slots.bricks.box(slots.brickOf(task + 1));
            const bool near_fixed = terms.touchesSolid(box.lo);
            for (int axis = 0; axis < 3; ++axis) {
                const float* inverse = solver.component[axis].fine().inverse.data();
                forEachCell(box, [&](int i, int j, int k) {
                    const size_t n = slots.index(i, j, k);
                    if (inverse[n] > 0)
                        of_slot[size_t(task)] += f(axis, Int3{i, j, k}, n, massAt(axis, {i, j, k}, near_fixed));
                });
            }
        });
        double all = 0;
        for (const double part : of_slot) all += part;
        return all;
    }
};

// f(u, v) for all faces of the active bricks.
template <class F>
void forFaces(const Grid& grid, const LiquidState& s, MacView u, MacView v, const F& f)
{
    for (int axis = 0; axis < 3; ++axis)
        parallelBoxes("viscosity.together", s.active, [&](IndexBox strip) {
            forEachCell(grid.bricks.facesOf(axis, strip),
                        [&](int i, int j, int k) { f(axis, u.u[axis](i, j, k), v.u[axis](i, j, k)); });
        });
}

}  // namespace

// Flexible conjugate gradients for the residual r = b - A u. The projection P is orthogonal in the norm of the mass M,
// and its range are the velocities allowed by the pressure; direction = P A^-1 M P M^-1 r. One pass without corrections
// is the splitting of (1).
void solveViscosityWithPressure(const Grid& grid, const LiquidParams& prm, const PressureParams& pressure,
                                const Solids& solids, double divergence_1_s, LiquidState& s, LiquidScratch& w,
                                PressureReport& projections, ViscosityReport& report)
{
    const KernelTimer timer("viscosity.all");
    StressSolver& solver = w.viscosity;
    ViscousBodies& bodies = *w.viscous_bodies;
    const ViscousTerms terms(grid, solids, s, w, cellViscosity(prm, s));
    const Faces faces{terms, solver};
    const MacView u = s.u, base = w.u_old, p = w.u_correction;
    float *g[3], *q[3];  // M^-1 r and M^-1 A p
    for (int a = 0; a < 3; ++a) g[a] = w.viscous_residual[a].data(), q[a] = w.viscous_product[a].data();
    const auto setDirection = [&](const MacView& from) {
        faces.sum([&](int axis, Int3 c, size_t n, float) {
            solver.component[axis].direction().data()[n] = from.u[axis](c);
            return 0.0;
        });
    };
    const auto projectAgain = [&] { project(grid, pressure, solids, divergence_1_s, s, w, projections); };
    forFaces(grid, s, u, base, [](int, float& from, float& to) { to = from; });
    forFaces(grid, s, u, p, [](int, float&, float& to) { to = 0; });
    bodies.startCorrections();
    faces.sum([&](int axis, Int3 c, size_t n, float) {
        solver.component[axis].solution().data()[n] = double(u.u[axis](c));
        return 0.0;
    });
    solver.startResidual(&bodies);
    faces.sum([&](int axis, Int3, size_t n, float mass) {
        g[axis][n] = solver.component[axis].fine().r.data()[n] / mass;
        return 0.0;
    });
    bodies.keepResidual();
    setDirection(u);
    const double norm = solver.applyToDirections();
    const double target = together_tolerance_rel * together_tolerance_rel * norm;
    double pAp = 0;
    for (int n = 0; n < together_max_iterations; ++n) {
        forFaces(grid, s, base, u, [](int, float& from, float& to) { to = from; });
        faces.sum([&](int axis, Int3 c, size_t at, float) {
            u.u[axis](c) += g[axis][at];
            return 0.0;
        });
        bodies.addResidual(u);
        projectAgain();
        const double kinetic = faces.sum([&](int axis, Int3 c, size_t at, float mass) {
            const float v = u.u[axis](c) - base.u[axis](c);
            solver.component[axis].rightHandSide().data()[at] = mass * v;
            solver.component[axis].solution().data()[at] = 0;
            return double(mass * v) * double(v);
        }) + bodies.setRightHandSide(u, base);
        if (kinetic <= target) break;
        solver.momentum_squared[0] = kinetic * solver.unit_mass,
        solver.momentum_squared[1] = solver.momentum_squared[2] = 0;
        const SolveReport solve = solver.solveTogether(inner_tolerance_rel, viscosity_max_iterations, &bodies);
        report.iterations += solve.iterations;
        const double error = faces.sum([&](int axis, Int3, size_t at, float) {
            return double(solver.component[axis].rightHandSide().data()[at]) *
                   solver.component[axis].solution().data()[at];
        }) + bodies.workOfSolution();
        if (error <= target) break;
        forFaces(grid, s, base, u, [](int, float& from, float& to) { to = from; });
        faces.sum([&](int axis, Int3 c, size_t at, float) {
            u.u[axis](c) += float(solver.component[axis].solution().data()[at]);
            return 0.0;
        });
        bodies.addSolution(u);
        projectAgain();
        const double conjugate = faces.sum([&](int axis, Int3 c, size_t at, float mass) {
            return n == 0 ? 0.0 : double(mass * q[axis][at]) * double(u.u[axis](c) - base.u[axis](c));
        }) + bodies.workOfProduct();
        const double beta = pAp > 0 ? -conjugate / pAp : 0;
        forFaces(grid, s, u, p, [&](int, float& value, float& to) { to = value + float(beta) * to; });
        forFaces(grid, s, base, p, [](int, float& from, float& to) { to -= from; });
        bodies.turnDirection(beta);
        setDirection(p);
        pAp = solver.applyToDirections();
        const double work = faces.sum([&](int axis, Int3 c, size_t at, float mass) {
            q[axis][at] = solver.component[axis].fine().z.data()[at] / mass;
            return double(mass * g[axis][at]) * double(p.u[axis](c));
        }) + bodies.workOfResidual();
        if (!(pAp > 0)) break;
        const double alpha = work / pAp;
        forFaces(grid, s, p, base, [&](int, float& from, float& to) { to += float(alpha) * from; });
        faces.sum([&](int axis, Int3, size_t at, float) {
            g[axis][at] -= float(alpha) * q[axis][at];
            return 0.0;
        });
        bodies.advance(alpha);
    }
    forFaces(grid, s, base, u, [](int, float& from, float& to) { to = from; });
    bodies.endCorrections();
}

}  // namespace flotsam
