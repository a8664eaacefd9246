// Shock propagation and the pushing apart of overlaps, level by level above the ground (Guendelman et al. 2003,
// section 6).
#include <algorithm>

#include "core/profile.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

constexpr double carries = 0.1;  // a contact whose normal is at least this much upright carries weight
constexpr int most_sweeps = 50;

// The least number of bodies between a body and the ground, through contacts that carry; 0 for the ground.
void findLevels(Vec3 up, int moving, RigidScratch& w)
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
            if (from < 0 || above >= moving || (level >= 0 && level <= from + 1)) continue;
            level = from + 1;
            changed = true;
        }
    }
}

int upperLevel(const ContactPair& pair, const RigidScratch& w)
{
    return std::max(w.level[size_t(pair.a)], w.level[size_t(pair.b)]);
}

// The masses of a pair while the lower of the two is held.
struct HeldMasses {
    InverseMass a, b;
};
HeldMasses heldMasses(const ContactPair& pair, const RigidScratch& w)
{
    const int la = w.level[size_t(pair.a)], lb = w.level[size_t(pair.b)];
    HeldMasses m{w.solver[size_t(pair.a)].inverse, w.solver[size_t(pair.b)].inverse};
    if (la >= 0 && lb >= 0 && la < lb) m.a = {};
    if (la >= 0 && lb >= 0 && lb < la) m.b = {};
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

// f(first, end) for the parts of w.by_level that belong to one level.
template <class F>
void forLevels(const RigidScratch& w, const F& f)
{
    for (size_t first = 0, end = 0; first < w.by_level.size(); first = end) {
        const int level = upperLevel(w.pairs[size_t(w.by_level[first])], w);
        while (end < w.by_level.size() && upperLevel(w.pairs[size_t(w.by_level[end])], w) == level) ++end;
        f(first, end);
    }
}

// One sweep over the points of a pair. Returns the largest change of a speed along a normal [m/s].
double solveHeld(const ContactPair& pair, RigidScratch& w)
{
    const HeldMasses m = heldMasses(pair, w);
    SolverBody a = w.solver[size_t(pair.a)], b = w.solver[size_t(pair.b)];
    a.inverse = m.a;
    b.inverse = m.b;
    double change = 0;
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        SolverPoint& p = w.solver_points[size_t(i)];
        const double before = p.impulse.x;
        improve(pair.friction, p.least_speed, p, a, b);
        change = std::max(change, std::abs(p.impulse.x - before) * p.k.xx);
    }
    w.solver[size_t(pair.a)].v = a.v;
    w.solver[size_t(pair.a)].w = a.w;
    w.solver[size_t(pair.b)].v = b.v;
    w.solver[size_t(pair.b)].w = b.w;
    return change;
}

}  // namespace

void propagateShocks(const RigidParams& params, int moving, double dt_s, RigidScratch& w)
{
    const KernelTimer timer("rigid.shock");
    const double g = length(params.gravity_m_s2);
    w.by_level.clear();
    w.level.assign(w.solver.size(), -1);
    if (g == 0) return;
    w.changed.resize(w.solver.size());
    findLevels(-params.gravity_m_s2 / g, moving, w);
    sortByLevel(w);
    const double tolerance_m_s = 1e-4 * g * dt_s;
    forLevels(w, [&](size_t first, size_t end) {
        for (size_t i = first; i < end; ++i) {
            const ContactPair& pair = w.pairs[size_t(w.by_level[i])];
            const HeldMasses m = heldMasses(pair, w);
            for (int k = pair.first; k < pair.first + pair.count; ++k) setMasses(m.a, m.b, w.solver_points[size_t(k)]);
        }
        // Only bodies that the last sweep changed are asked again.
        std::fill(w.changed.begin(), w.changed.end(), 0);
        for (int sweep = 0, again = 1; sweep < most_sweeps && again; ++sweep) {
            again = 0;
            for (size_t i = first; i < end; ++i) {
                const ContactPair& pair = w.pairs[size_t(w.by_level[i])];
                int &a = w.changed[size_t(pair.a)], &b = w.changed[size_t(pair.b)];
                if (sweep > 0 && a < sweep && b < sweep) continue;
                if (solveHeld(pair, w) < tolerance_m_s) continue;
                if (pair.a < moving) a = sweep + 1;
                if (pair.b < moving) b = sweep + 1;
                again = 1;
            }
        }
    });
}

}  // namespace flotsam
