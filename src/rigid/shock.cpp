// Shock propagation, level by level above the ground (Guendelman et al. 2003, section 6).
#include <algorithm>

#include "core/profile.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

constexpr double carries = 0.1;  // a contact bears load if the vertical component of its normal is at least this
constexpr int most_sweeps = 50;

// Levels: the least number of load-bearing contacts between a body and the ground; 0 for the ground. Joined bodies have
// none: one of them, fixed, would stop all of the others.
void findLevels(Vec3 up, int moving, const Joints& joints, RigidScratch& w)
{
    w.level.assign(w.solver.size(), -1);
    for (size_t i = size_t(moving); i < w.level.size(); ++i) w.level[i] = 0;
    std::vector<std::pair<int, int>> carried;  // below, above
    for (const ContactPair& pair : w.pairs) {
        double upright = 0;
        for (int i = pair.first; i < pair.first + pair.count; ++i) {
            const SolverPoint& p = w.solver_points[size_t(i)];
            if (p.impulse.x > 0 && std::abs(dot(p.n, up)) > std::abs(upright)) upright = dot(p.n, up);
        }
        if (upright > carries) carried.emplace_back(pair.b, pair.a);
        if (upright < -carries) carried.emplace_back(pair.a, pair.b);
    }
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [below, above] : carried) {
            const int from = w.level[size_t(below)];
            int& level = w.level[size_t(above)];
            if (from < 0 || above >= moving || joints.isJoined(above) || (level >= 0 && level <= from + 1)) continue;
            level = from + 1;
            changed = true;
        }
    }
}

int upperLevel(const ContactPair& pair, const RigidScratch& w)
{
    return std::max(w.level[size_t(pair.a)], w.level[size_t(pair.b)]);
}

// The masses of a pair with the lower body treated as having infinite mass. A body that presses from above keeps its
// mass, whatever its level: a body wedged between two infinite masses would be squeezed without end.
struct ShockMasses {
    InverseMass a, b;
};
ShockMasses shockMasses(const ContactPair& pair, Vec3 up, const RigidScratch& w)
{
    const int la = w.level[size_t(pair.a)], lb = w.level[size_t(pair.b)];
    ShockMasses m{w.solver[size_t(pair.a)].inverse, w.solver[size_t(pair.b)].inverse};
    if (la < 0 || lb < 0 || la == lb) return m;
    double upwards = 0;  // on a
    for (int i = pair.first; i < pair.first + pair.count; ++i)
        upwards += w.solver_points[size_t(i)].impulse.x * dot(w.solver_points[size_t(i)].n, up);
    if (la < lb && upwards < 0) m.a = {};
    if (lb < la && upwards > 0) m.b = {};
    return m;
}

void sortByLevel(RigidScratch& w)
{
    w.by_level.clear();
    for (size_t i = 0; i < w.pairs.size(); ++i)
        if (upperLevel(w.pairs[i], w) > 0) w.by_level.push_back(int(i));
    std::stable_sort(w.by_level.begin(), w.by_level.end(), [&](int l, int r) {
        return upperLevel(w.pairs[size_t(l)], w) < upperLevel(w.pairs[size_t(r)], w);
    });
}

// f(first, end) for the ranges of w.by_level that belong to one level.
template <class F>
void forLevels(const RigidScratch& w, const F& f)
{
    for (size_t first = 0, end = 0; first < w.by_level.size(); first = end) {
        const int level = upperLevel(w.pairs[size_t(w.by_level[first])], w);
        while (end < w.by_level.size() && upperLevel(w.pairs[size_t(w.by_level[end])], w) == level) ++end;
        f(first, end);
    }
}

// One sweep over the points of a pair. Returns the largest change of a speed along a normal by one of them [m/s]. The
// change by all of them together is smaller, but a heap that ends with it is left with three times the speed.
double solveShocks(const ContactPair& pair, const ShockMasses& m, RigidScratch& w)
{
    SolverBody a = w.solver[size_t(pair.a)], b = w.solver[size_t(pair.b)];
    a.inverse = m.a;
    b.inverse = m.b;
    double change_m_s = 0;
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        SolverPoint& p = w.solver_points[size_t(i)];
        const Vec3 before = p.impulse;
        solvePoint(pair.friction, p.least_speed, p, a, b);
        const Vec3 d = p.impulse - before;
        if (d == Vec3{}) continue;
        change_m_s = std::max(change_m_s, std::abs(d.x) * p.k.xx);
        // A body treated as having infinite mass receives nothing.
        const Vec3 j = d.x * p.n + d.y * p.t + d.z * cross(p.n, p.t);
        if (m.a.mass_1_kg > 0) w.impulses[size_t(pair.a)].contacts += impulseAt(p.ra, j);
        if (m.b.mass_1_kg > 0) w.impulses[size_t(pair.b)].contacts += impulseAt(p.rb, -j);
    }
    w.solver[size_t(pair.a)].v = a.v;
    w.solver[size_t(pair.a)].w = a.w;
    w.solver[size_t(pair.b)].v = b.v;
    w.solver[size_t(pair.b)].w = b.w;
    return change_m_s;
}

}  // namespace

int propagateShocks(const RigidParams& params, int moving, double dt_s, const Joints& joints, RigidScratch& w)
{
    const KernelTimer timer("rigid.shock");
    const double g = length(params.gravity_m_s2);
    w.by_level.clear();
    w.level.assign(w.solver.size(), -1);
    if (g == 0) return 0;
    w.changed.resize(w.solver.size());
    const Vec3 up = -params.gravity_m_s2 / g;
    findLevels(up, moving, joints, w);
    sortByLevel(w);
    const double tolerance_m_s = 1e-4 * g * dt_s;
    int cut_off = 0;
    std::vector<ShockMasses> masses;  // by pair of the level
    forLevels(w, [&](size_t first, size_t end) {
        masses.clear();
        for (size_t i = first; i < end; ++i) {
            const ContactPair& pair = w.pairs[size_t(w.by_level[i])];
            const ShockMasses m = shockMasses(pair, up, w);
            for (int k = pair.first; k < pair.first + pair.count; ++k) setMasses(m.a, m.b, w.solver_points[size_t(k)]);
            masses.push_back(m);
        }
        // Only bodies changed by the last sweep are visited again. Friction that amplifies itself is left alone.
        std::fill(w.changed.begin(), w.changed.end(), 0);
        double first_change = 0, last_change = 0;
        for (int sweep = 0; sweep == 0 || (sweep < most_sweeps && last_change >= tolerance_m_s); ++sweep) {
            last_change = 0;
            for (size_t i = first; i < end; ++i) {
                const ContactPair& pair = w.pairs[size_t(w.by_level[i])];
                int &a = w.changed[size_t(pair.a)], &b = w.changed[size_t(pair.b)];
                if (sweep > 0 && a < sweep && b < sweep) continue;
                const double change = solveShocks(pair, masses[i - first], w);
                last_change = std::max(last_change, change);
                if (change < tolerance_m_s) continue;
                if (pair.a < moving) a = sweep + 1;
                if (pair.b < moving) b = sweep + 1;
            }
            if (sweep == 0) first_change = last_change;
            if (last_change > 2 * first_change) break;
        }
        cut_off += last_change >= tolerance_m_s;
    });
    return cut_off;
}

}  // namespace flotsam
