#include "grid/stress_solver.h"

#include <optional>

#include "grid/poisson_kernels.h"

namespace flotsam {

using namespace poisson;

namespace {

constexpr size_t brick_cells = BrickSlots::cells_per_brick;

// Deflation does not pay for easy solves. It starts if a solve has not done two fifths of its work (in powers of ten)
// after 24 iterations, or has not converged after 64.
constexpr int easy_iterations = 24, without_modes = 64;
constexpr double easy_part = 0.4;

// The rows around row (j, k) of a brick, in the brick to its west, itself and the brick to its east. Most lie in the
// same bricks as the row itself.
struct Rows {
    const std::array<int, 27>& around;
    int j, k;
    bool inside;
    size_t begin[3];  // of the row itself, by brick

    Rows(const std::array<int, 27>& around_, int j_, int k_) : around(around_), j(j_), k(k_)
    {
        inside = j > 0 && j + 1 < Bricks::side.y && k > 0 && k + 1 < Bricks::side.z;
        for (int x = 0; x < 3; ++x) begin[x] = beginOf(x, 0, 0);
    }
    size_t beginOf(int x, int dy, int dz) const
    {
        const int y = j + dy, z = k + dz;
        const int brick = x +
                          3 * (y < 0                ? 0
                               : y < Bricks::side.y ? 1
                                                    : 2) +
                          9 * (z < 0                ? 0
                               : z < Bricks::side.z ? 1
                                                    : 2);
        return size_t(around[size_t(brick)]) * brick_cells + BrickSlots::offset(0, y, z);
    }
    // Index of the lane group at i (0 or 8), shifted by `eights` groups, in the row at offset (dy, dz).
    size_t index(int i, int eights, int dy, int dz) const
    {
        const int at = i + cells_at_once * eights, x = at < 0 ? 0 : at < Bricks::side.x ? 1 : 2;
        const size_t row = inside               ? begin[x] + size_t(BrickSlots::row * dy + BrickSlots::plane * dz)
                           : dy == 0 && dz == 0 ? begin[x]
                                                : beginOf(x, dy, dz);
        return row + size_t(at & (Bricks::side.x - 1));
    }
};

// Eight cells and their neighbours, including diagonal ones.
struct Place {
    const Rows& rows;
    int i;

    template <int dx, int dy, int dz>
    Float8 get(const float* v) const
    {
        const Float8 here = load(v + rows.index(i, 0, dy, dz));
        if constexpr (dx < 0) return shiftedEast(load(v + rows.index(i, -1, dy, dz)), here);
        if constexpr (dx > 0) return shiftedWest(here, load(v + rows.index(i, 1, dy, dz)));
        return here;
    }
    template <int dx, int dy, int dz>
    auto get(const double* v) const
    {
        std::array<double, cells_at_once> out;
        for (int lane = 0; lane < cells_at_once; ++lane) {
            const int at = lane + dx, eights = at < 0 ? -1 : at >= cells_at_once ? 1 : 0;
            out[size_t(lane)] = v[rows.index(i, eights, dy, dz) + size_t(at - cells_at_once * eights)];
        }
        return out;
    }
};

// f(K, u_b(c) - u_b(c - e_a), sign) for the four edges of the faces along a: K times the difference is the contribution
// of the edge to (A u)_a.
template <int a, class T, class F>
inline void forEdges(const Place& place, const float* const (&k)[3], T* const (&u)[3], const F& f)
{
    constexpr int b = (a + 1) % 3, c = (a + 2) % 3;
    constexpr Int3 e = unit(a), p = unit(b), q = unit(c);
    const auto at = [&]<int dx, int dy, int dz>(auto* v) { return place.get<dx, dy, dz>(v); };
    f(place.get<0, 0, 0>(k[c]), at.template operator()<0, 0, 0>(u[b]), at.template operator()<-e.x, -e.y, -e.z>(u[b]),
      1);
    f(place.get<p.x, p.y, p.z>(k[c]), at.template operator()<p.x, p.y, p.z>(u[b]),
      at.template operator()<p.x - e.x, p.y - e.y, p.z - e.z>(u[b]), -1);
    f(place.get<0, 0, 0>(k[b]), at.template operator()<0, 0, 0>(u[c]), at.template operator()<-e.x, -e.y, -e.z>(u[c]),
      1);
    f(place.get<q.x, q.y, q.z>(k[b]), at.template operator()<q.x, q.y, q.z>(u[c]),
      at.template operator()<q.x - e.x, q.y - e.y, q.z - e.z>(u[c]), -1);
}

template <int a>
inline Float8 acrossEdges(const Place& place, const float* const (&k)[3], const float* const (&u)[3])
{
    Float8 sum{};
    forEdges<a>(place, k, u, [&](const Float8& edge, const Float8& high, const Float8& low, int sign) {
        sum += (float(sign) * edge) * (high - low);
    });
    return sum;
}

template <int a>
inline std::array<double, cells_at_once> acrossEdges(const Place& place, const float* const (&k)[3],
                                                     const double* const (&u)[3])
{
    std::array<double, cells_at_once> sum{};
    forEdges<a>(place, k, u, [&](const Float8& edge, const auto& high, const auto& low, int sign) {
        for (size_t n = 0; n < cells_at_once; ++n) sum[n] += sign * double(edge[n]) * (high[n] - low[n]);
    });
    return sum;
}

// body(eight, site, place) for the lane groups of a brick with unknowns.
template <class Body>
inline void forPlaces(const PoissonLevel& level, const std::array<int, 27>& around, int slot, const Body& body)
{
    std::optional<Rows> rows;
    forSites(level.slots, slot, [&](const LaneNeighbours& at) {
        if (at.i == 0) rows.emplace(around, at.j, at.k);
        const LaneGroup& eight = level.eightAt(at.self);
        if (eight.kind != Kind::empty) body(eight, at, Place{*rows, at.i});
    });
}

}  // namespace

StressSolver::StressSolver(Int3 cells)
    : component{PoissonSolver(cells + Int3{1, 1, 1}, DiagonalKind::mass),
                PoissonSolver(cells + Int3{1, 1, 1}, DiagonalKind::mass),
                PoissonSolver(cells + Int3{1, 1, 1}, DiagonalKind::mass)},
      edges{BrickField<float>(Bricks(cells + Int3{1, 1, 1})), BrickField<float>(Bricks(cells + Int3{1, 1, 1})),
            BrickField<float>(Bricks(cells + Int3{1, 1, 1}))},
      of_term{BrickField<double>(Bricks(cells + Int3{1, 1, 1})), BrickField<double>(Bricks(cells + Int3{1, 1, 1})),
              BrickField<double>(Bricks(cells + Int3{1, 1, 1}))},
      modes(cells + Int3{1, 1, 1})
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
    for (size_t a = 0; a < 3; ++a) {
        const double bb = component[a].normOfB(), part = bb > 0 ? std::sqrt(momentum_squared[a] / bb) : 1;
        const SolveReport one = component[a].solve(tolerance_rel * part, max_iterations);
        all.iterations += one.iterations;
        all.residual = std::max(all.residual, one.residual / part);
        all.converged = all.converged && one.converged;
    }
    return all;
}

template <int a>
double StressSolver::residualOfComponent()
{
    PoissonSolver& self = component[a];
    PoissonLevel& level = self.fine();
    const float* const k[3] = {edges[0].data(), edges[1].data(), edges[2].data()};
    const double* const x[3] = {component[0].solution().data(), component[1].solution().data(),
                                component[2].solution().data()};
    float* r = level.r.data();
    // The terms nearly cancel. Only their sum is rounded to float: otherwise solves at 1e4 m2/s stalled at 2e-6.
    return sumOverBricks("viscosity.residual", level, [&](int slot) {
        std::array<double, brick_cells> rest;
        residualOf(level, self.rightHandSide().data(), x[a], slot, rest.data());
        double sum = 0;
        forPlaces(level, around[size_t(slot)], slot,
                  [&](const LaneGroup& eight, const LaneNeighbours& at, const Place& place) {
                      const auto across = acrossEdges<a>(place, k, x);
                      for (size_t lane = 0; lane < cells_at_once; ++lane) {
                          if (!(eight.unknown >> lane & 1)) continue;
                          double both = rest[at.self % brick_cells + lane] - across[lane];
                          if (term) both -= of_term[a].data()[at.self + lane];
                          r[at.self + lane] = float(both);
                          sum += both * both;
                      }
                  });
        return sum;
    });
}

template <int a, class In, class Out>
double StressSolver::applyToComponent(const In& in, const Out& out)
{
    PoissonLevel& level = component[a].fine();
    const float* const k[3] = {edges[0].data(), edges[1].data(), edges[2].data()};
    const float* const v[3] = {in(component[0]).data(), in(component[1]).data(), in(component[2]).data()};
    float* result = out(component[a]).data();
    return sumOverBricks("viscosity.energy", level, [&](int slot) {
        LaneSum sum;
        forPlaces(level, around[size_t(slot)], slot,
                  [&](const LaneGroup& eight, const LaneNeighbours& at, const Place& place) {
                      const Float8 value =
                          apply(level, eight, at, v[a]) + only(lanes(eight.unknown), acrossEdges<a>(place, k, v));
                      store(result + at.self, value);
                      sum.add(load(v[a] + at.self) * value);
                  });
        return sum.total();
    });
}

double StressSolver::residual()
{
    double* const coupling[3] = {of_term[0].data(), of_term[1].data(), of_term[2].data()};
    if (term) term->setCoupling(coupling);
    const double rr = residualOfComponent<0>() + residualOfComponent<1>() + residualOfComponent<2>();
    if (!term) return rr;
    term->clearCoupling(coupling);
    return rr + term->residual(
                    {component[0].solution().data(), component[1].solution().data(), component[2].solution().data()});
}

// z from r; returns sum r z. With deflation it is z = M r + C (r - A M r), which is in effect symmetric if C r = 0: the
// rigid-body component of r is zero at the start of an iteration and stays so (A-DEF2 of Tang, Nabben, Vuik and
// Erlangga 2009).
double StressSolver::precondition()
{
    double rz = 0;
    for (PoissonSolver& c : component) rz += c.precondition();
    const double sz = term ? term->precondition() : 0;
    if (!with_modes) return rz + sz;
    const auto z = [](PoissonSolver& c) -> BrickField<float>& { return c.fine().z; };
    const auto black = [](PoissonSolver& c) -> BrickField<float>& { return c.fine().z_black; };
    applyToComponent<0>(z, black);
    applyToComponent<1>(z, black);
    applyToComponent<2>(z, black);
    if (term) {
        float* const out[3] = {component[0].fine().z_black.data(), component[1].fine().z_black.data(),
                               component[2].fine().z_black.data()};
        term->addCorrection(out);
    }
    modes.correctCycle({component, edges});
    rz = sz;
    for (PoissonSolver& c : component)
        rz += sumOverBricks("viscosity.modes", c.fine(), [&](int slot) {
            LaneSum sum;
            forEights(c.fine(), slot, [&](const LaneGroup&, const LaneNeighbours& at) {
                sum.add(load(c.fine().r.data() + at.self) * load(c.fine().z.data() + at.self));
            });
            return sum.total();
        });
    return rz;
}

double StressSolver::applyToDirections()
{
    const auto p = [](PoissonSolver& c) -> BrickField<float>& { return c.direction(); };
    const auto z = [](PoissonSolver& c) -> BrickField<float>& { return c.fine().z; };  // unused until the next cycle
    const double energy = applyToComponent<0>(p, z) + applyToComponent<1>(p, z) + applyToComponent<2>(p, z);
    if (!term) return energy;
    const float* const from[3] = {component[0].direction().data(), component[1].direction().data(),
                                  component[2].direction().data()};
    float* const to[3] = {component[0].fine().z.data(), component[1].fine().z.data(), component[2].fine().z.data()};
    return energy + term->multiply(from, to);
}

// The same as PoissonSolver::iterate, over three fields.
void StressSolver::iterate(double rr, double target, int max_iterations, int& iterations)
{
    const auto turn_all = [&](double alpha, float beta) {
        for (PoissonSolver& c : component)
            forBricks("viscosity.turn", c.fine(),
                      [&](int slot) { turn(c.fine(), alpha, beta, c.solution().data(), c.direction().data(), slot); });
        if (term) term->turn(alpha, double(beta));
    };
    for (PoissonSolver& c : component)
        forBricks("viscosity.turn", c.fine(),
                  [&](int slot) { std::fill_n(c.direction().brick(slot), brick_cells, 0.0f); });
    // For a solve from its start: one restarted from the true residual has nearly converged.
    const double on_course = iterations == 0 ? std::pow(rr, 1 - easy_part) * std::pow(target, easy_part) : rr;
    double rz_old = 0, alpha = 0;
    while (rr > target && iterations < max_iterations) {
        if (may_be_easy && (iterations == without_modes || (iterations == easy_iterations && rr > on_course))) {
            may_be_easy = false;
            break;
        }
        const double rz = precondition();
        turn_all(alpha, rz_old > 0 ? float(rz / rz_old) : 0.0f);
        const double pAp = applyToDirections();
        alpha = pAp > 0 ? rz / pAp : 0;
        if (!(rz > 0 && alpha > 0)) {  // the cycle is indefinite here: the caller continues with the plain cycle
            for (PoissonSolver& c : component) c.visitTwice(false);
            alpha = 0;
            break;
        }
        rr = term ? term->descend(alpha) : 0;
        for (PoissonSolver& c : component)
            rr += sumOverBricks("viscosity.descend", c.fine(), [&](int slot) {
                LaneSum sum;
                float *r = c.fine().r.data(), *ap = c.fine().z.data();
                forEights(c.fine(), slot, [&](const LaneGroup&, const LaneNeighbours& at) {
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

SolveReport StressSolver::solveTogether(double tolerance_rel, int max_iterations, StressTerm* with)
{
    term = with;
    const double whole = momentum_squared[0] + momentum_squared[1] + momentum_squared[2];
    SolveReport report;
    const double target = tolerance_rel * tolerance_rel * whole;
    for (PoissonSolver& c : component) c.visitTwice(true);
    may_be_easy = true;
    with_modes = false;
    bool tried = false;  // whether building the modes has been attempted
    double rr = residual();
    for (int restart = 0; rr > target && report.iterations < max_iterations && restart < 6; ++restart) {
        if (!may_be_easy && !tried) {
            with_modes = modes.build({component, edges});
            tried = true;
        }
        if (with_modes) {
            modes.correctSolution({component, edges});
            rr = residual();
        }
        iterate(rr, 0.9 * target, max_iterations, report.iterations);
        rr = residual();
    }
    report.residual = whole > 0 ? std::sqrt(rr / whole) : 0;
    report.converged = rr <= target;
    return report;
}

}  // namespace flotsam
