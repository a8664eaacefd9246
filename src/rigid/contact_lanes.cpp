#include "rigid/contact_lanes.h"

#include "rigid/solve.h"

namespace flotsam {
namespace {

// The rows of a group start with its points in order.
const SolverPoint* pointOf(const PairLanes& group, size_t lane, int row, const RigidScratch& w)
{
    static const SolverPoint none{};
    const ContactPair& pair = w.pairs[size_t(group.pair[lane])];
    return lane < group.size && row < pair.count ? &w.solver_points[size_t(pair.first + row)] : &none;
}

template <class F>
SymMat3Of<Double4> matricesOf(const F& f)
{
    return {lanesOf([&](int l) { return f(l).xx; }), lanesOf([&](int l) { return f(l).yy; }),
            lanesOf([&](int l) { return f(l).zz; }), lanesOf([&](int l) { return f(l).xy; }),
            lanesOf([&](int l) { return f(l).xz; }), lanesOf([&](int l) { return f(l).yz; })};
}

template <class F>
InverseMassOf<Double4> massesOf(const F& f)
{
    return {lanesOf([&](int l) { return f(l).mass_1_kg; }),
            matricesOf([&](int l) -> const SymMat3& { return f(l).inertia_1_kg_m2; })};
}

SolverBodyOf<Double4, Vec3x4> bodiesOf(const int* index, const InverseMassOf<Double4>& masses,
                                       const std::vector<SolverBody>& bodies)
{
    return {vectorsOf([&](int l) -> const Vec3& { return bodies[size_t(index[l])].v; }),
            vectorsOf([&](int l) -> const Vec3& { return bodies[size_t(index[l])].w; }), masses};
}

std::span<SolverPoint> pointsOf(int pair, RigidScratch& w)
{
    const ContactPair& p = w.pairs[size_t(pair)];
    return {&w.solver_points[size_t(p.first)], size_t(p.count)};
}

// A sweep over the points of a pair that is alone.
double sweepAlone(const PairLanes& group, int moving, RigidScratch& w)
{
    SolverBody &of_a = w.solver[size_t(group.a[0])], &of_b = w.solver[size_t(group.b[0])];
    SolverBody a{of_a.v, of_a.w, group.alone.a}, b{of_b.v, of_b.w, group.alone.b};
    double change_m_s = 0;
    for (SolverPoint& p : pointsOf(group.pair[0], w))
        change_m_s = std::max(change_m_s, std::abs(solvePoint(group.friction[0], p, a, b).x) * p.k.xx);
    of_a.v = a.v;
    of_a.w = a.w;
    if (group.b[0] >= moving) return change_m_s;
    of_b.v = b.v;
    of_b.w = b.w;
    return change_m_s;
}

}  // namespace

void addLanes(std::span<const int> pairs, RigidScratch& w)
{
    ContactLanes& lanes = w.lanes;
    const int first = lanes.groups.empty() ? 0 : lanes.groups.back().first + lanes.groups.back().count;
    PairLanes& group = lanes.groups.emplace_back();
    group.size = pairs.size();
    group.first = first;
    for (size_t l = 0; l < PairLanes::most; ++l) {
        const int k = pairs[l < group.size ? l : 0];
        const ContactPair& pair = w.pairs[size_t(k)];
        group.pair[l] = k;
        group.a[l] = pair.a;
        group.b[l] = pair.b;
        group.friction[l] = pair.friction;
        group.count = std::max(group.count, pair.count);
    }
    lanes.rows.resize(std::max(lanes.rows.size(), size_t(first + group.count)));
}

void loadLanes(std::span<const PairMasses> masses, PairLanes& group, RigidScratch& w)
{
    if (group.size == 1) {
        group.alone = masses[0];
        for (SolverPoint& p : pointsOf(group.pair[0], w)) setMasses(masses[0].a, masses[0].b, p);
        return;
    }
    const auto of = [&](int l) -> const PairMasses& { return masses[size_t(l) < group.size ? size_t(l) : 0]; };
    group.mass_a = massesOf([&](int l) -> const InverseMass& { return of(l).a; });
    group.mass_b = massesOf([&](int l) -> const InverseMass& { return of(l).b; });
    for (int i = 0; i < group.count; ++i) {
        const SolverPoint* p[PairLanes::most];
        for (size_t l = 0; l < PairLanes::most; ++l) p[l] = pointOf(group, l, i, w);
        auto& row = w.lanes.rows[size_t(group.first + i)];
        row.ra = vectorsOf([&](int l) -> const Vec3& { return p[l]->ra; });
        row.rb = vectorsOf([&](int l) -> const Vec3& { return p[l]->rb; });
        row.n = vectorsOf([&](int l) -> const Vec3& { return p[l]->n; });
        row.t = vectorsOf([&](int l) -> const Vec3& { return p[l]->t; });
        row.impulse = vectorsOf([&](int l) -> const Vec3& { return p[l]->impulse; });
        row.least_speed = lanesOf([&](int l) { return p[l]->least_speed; });
        row.slip_t = lanesOf([&](int l) { return p[l]->slip_t; });
        row.slip_s = lanesOf([&](int l) { return p[l]->slip_s; });
        setMasses(group.mass_a, group.mass_b, row);
    }
}

Double4 sweepLanes(const PairLanes& group, int moving, RigidScratch& w)
{
    if (group.size == 1) return Double4{sweepAlone(group, moving, w)};
    auto a = bodiesOf(group.a, group.mass_a, w.solver), b = bodiesOf(group.b, group.mass_b, w.solver);
    Double4 change_m_s{};
    for (int i = group.first; i < group.first + group.count; ++i) {
        auto& row = w.lanes.rows[size_t(i)];
        const Double4 d = solvePoint(group.friction, row, a, b).x;
        change_m_s = most(change_m_s, most(d, -d) * row.k.xx);
    }
    for (size_t l = 0; l < group.size; ++l) {
        const auto store = [l](const SolverBodyOf<Double4, Vec3x4>& from, SolverBody& to) {
            to.v = laneOf(from.v, int(l));
            to.w = laneOf(from.w, int(l));
        };
        store(a, w.solver[size_t(group.a[l])]);
        if (group.b[l] < moving) store(b, w.solver[size_t(group.b[l])]);  // others are shared by threads
    }
    return change_m_s;
}

void storeLanes(const PairLanes& group, RigidScratch& w)
{
    if (group.size == 1) return;
    for (size_t l = 0; l < group.size; ++l) {
        const std::span<SolverPoint> points = pointsOf(group.pair[l], w);
        for (size_t i = 0; i < points.size(); ++i)
            points[i].impulse = laneOf(w.lanes.rows[size_t(group.first) + i].impulse, int(l));
    }
}

}  // namespace flotsam
