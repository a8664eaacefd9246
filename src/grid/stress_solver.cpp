#include "grid/stress_solver.h"

#include "grid/poisson_kernels.h"

namespace flotsam {

using namespace poisson;

namespace {

constexpr size_t brick_cells = BrickSlots::cells_per_brick;

// Eight cells of a brick and those around them, corners of the star included.
struct Place {
    const std::array<int, 27>& around;
    int i, j, k;  // of the first of the eight, within the brick

    // Of the eight `eights` further along x, in the row (dj, dk) further.
    size_t index(int eights, int dj, int dk) const
    {
        const int x = i + cells_at_once * eights, y = j + dj, z = k + dk;
        const auto side = [](int v, int n) { return v < 0 ? 0 : v < n ? 1 : 2; };
        const int brick = side(x, Bricks::side.x) + 3 * side(y, Bricks::side.y) + 9 * side(z, Bricks::side.z);
        return size_t(around[size_t(brick)]) * brick_cells + BrickSlots::offset(x, y, z);
    }
    Float8 get(const float* v, Int3 d) const
    {
        const Float8 here = load(v + index(0, d.y, d.z));
        if (d.x == 0) return here;
        return d.x < 0 ? shiftedEast(load(v + index(-1, d.y, d.z)), here)
                       : shiftedWest(here, load(v + index(1, d.y, d.z)));
    }
    double get(const double* v, Int3 d, int lane) const
    {
        const int at = lane + d.x;
        const int eights = at < 0 ? -1 : at >= cells_at_once ? 1 : 0;
        return v[index(eights, d.y, d.z) + size_t(at - cells_at_once * eights)];
    }
};

// sum over the four edges of a face along a: +-K (u_b(c) - u_b(c - e_a)), by what get(v, offset) and K give.
template <class T, class K, class U>
T acrossEdges(int a, const K& k_at, const U& u_at)
{
    T sum{};
    for (int b = 0; b < 3; ++b) {
        if (b == a) continue;
        const Int3 low{}, e = unit(a), up = unit(b);
        sum += k_at(3 - a - b, low) * (u_at(b, low) - u_at(b, low - e));
        sum -= k_at(3 - a - b, up) * (u_at(b, up) - u_at(b, up - e));
    }
    return sum;
}

}  // namespace

StressSolver::StressSolver(Int3 cells)
    : component{PoissonSolver(cells + Int3{1, 1, 1}, Ties::mass), PoissonSolver(cells + Int3{1, 1, 1}, Ties::mass),
                PoissonSolver(cells + Int3{1, 1, 1}, Ties::mass)},
      edges{BrickField<float>(Bricks(cells + Int3{1, 1, 1})), BrickField<float>(Bricks(cells + Int3{1, 1, 1})),
            BrickField<float>(Bricks(cells + Int3{1, 1, 1}))}
{
}

void StressSolver::activate(const BrickList& list)
{
    for (PoissonSolver& c : component) c.activate(list);
    around.resize(list.size() + 1);
    for (int slot = 1; slot <= slots().count(); ++slot) {
        const Int3 b = slots().bricks.at(slots().brickOf(slot));
        for (int n = 0; n < 27; ++n)
            around[size_t(slot)][size_t(n)] = slots().slotOf(b + Int3{n % 3 - 1, n / 3 % 3 - 1, n / 9 - 1});
    }
}

void StressSolver::build()
{
    for (PoissonSolver& c : component) c.build();
}

SolveReport StressSolver::solveComponents(double tolerance_rel, int max_iterations)
{
    SolveReport all;
    for (PoissonSolver& c : component) {
        const SolveReport one = c.solve(tolerance_rel, max_iterations);
        all.iterations += one.iterations;
        all.residual = std::max(all.residual, one.residual);
        all.converged = all.converged && one.converged;
    }
    return all;
}

double StressSolver::residual()
{
    double sum = 0;
    for (int a = 0; a < 3; ++a) {
        PoissonSolver& self = component[a];
        PoissonLevel& level = self.fine();
        float* r = level.r.data();
        sum += sumOverBricks("viscosity.residual", level, [&](int slot) {
            residualOf(level, self.rightHandSide().data(), self.solution().data(), slot);
            double part = 0;
            forEights(level, slot, [&](const Eight& eight, const Site& at) {
                const Place place{around[size_t(slot)], at.i, at.j, at.k};
                for (int lane = 0; lane < cells_at_once; ++lane) {
                    if (!(eight.unknown >> lane & 1)) continue;
                    const double rest =
                        double(r[at.self + size_t(lane)]) -
                        acrossEdges<double>(
                            a,
                            [&](int n, Int3 d) {
                                const Float8 k = place.get(edges[n].data(), d);
                                return double(k[lane]);
                            },
                            [&](int b, Int3 d) { return place.get(component[b].solution().data(), d, lane); });
                    r[at.self + size_t(lane)] = float(rest);
                    part += rest * rest;
                }
            });
            return part;
        });
    }
    return sum;
}

// The same as PoissonSolver::iterate, over three fields.
void StressSolver::iterate(double rr, double target, int max_iterations, int& iterations)
{
    const auto apply_at = [&](int a, int slot, const Eight& eight, const Site& at) {
        const Place place{around[size_t(slot)], at.i, at.j, at.k};
        const Float8 across = acrossEdges<Float8>(
            a, [&](int n, Int3 d) { return place.get(edges[n].data(), d); },
            [&](int b, Int3 d) { return place.get(component[b].direction().data(), d); });
        return apply(component[a].fine(), eight, at, component[a].direction().data()) +
               only(lanes(eight.unknown), across);
    };
    const auto turn_all = [&](double alpha, float beta) {
        for (PoissonSolver& c : component)
            forBricks("viscosity.turn", c.fine(), [&](int slot) {
                turn(c.fine(), alpha, beta, c.solution().data(), c.direction().data(), slot);
            });
    };
    for (PoissonSolver& c : component)
        forBricks("viscosity.turn", c.fine(),
                  [&](int slot) { std::fill_n(c.direction().brick(slot), brick_cells, 0.0f); });
    double rz_old = 0, alpha = 0;
    while (rr > target && iterations < max_iterations) {
        double rz = 0, pAp = 0;
        for (PoissonSolver& c : component) rz += c.precondition();
        turn_all(alpha, rz_old > 0 ? float(rz / rz_old) : 0.0f);
        for (int a = 0; a < 3; ++a)
            pAp += sumOverBricks("viscosity.energy", component[a].fine(), [&](int slot) {
                LaneSum sum;
                float *p = component[a].direction().data(), *ap = component[a].fine().z.data();
                forEights(component[a].fine(), slot, [&](const Eight& eight, const Site& at) {
                    const Float8 value = apply_at(a, slot, eight, at);
                    store(ap + at.self, value);  // z is done with until the next cycle
                    sum.add(load(p + at.self) * value);
                });
                return sum.total();
            });
        alpha = pAp > 0 ? rz / pAp : 0;
        if (!(rz > 0 && alpha > 0)) {  // float is exhausted: the caller goes on from the true residual
            alpha = 0;
            break;
        }
        rr = 0;
        for (PoissonSolver& c : component)
            rr += sumOverBricks("viscosity.descend", c.fine(), [&](int slot) {
                LaneSum sum;
                float *r = c.fine().r.data(), *ap = c.fine().z.data();
                forEights(c.fine(), slot, [&](const Eight&, const Site& at) {
                    const Float8 rest = load(r + at.self) - float(alpha) * load(ap + at.self);
                    store(r + at.self, rest);
                    sum.add(rest * rest);
                });
                return sum.total();
            });
        rz_old = rz;
        ++iterations;
    }
    turn_all(alpha, 0);
}

SolveReport StressSolver::solveTogether(double tolerance_rel, int max_iterations)
{
    double bb = 0;
    for (PoissonSolver& c : component) bb += c.normOfB();
    SolveReport report;
    const double target = tolerance_rel * tolerance_rel * bb;
    double rr = residual();
    for (int restart = 0; rr > target && report.iterations < max_iterations && restart < 6; ++restart) {
        iterate(rr, 0.9 * target, max_iterations, report.iterations);
        rr = residual();
    }
    report.residual = bb > 0 ? std::sqrt(rr / bb) : 0;
    report.converged = rr <= target;
    return report;
}

}  // namespace flotsam
