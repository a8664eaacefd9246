// Shock propagation, level by level above the ground (Guendelman et al. 2003, section 6).
#include <algorithm>

#include "core/profile.h"
#include "rigid/contact_lanes.h"
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
PairMasses shockMasses(const ContactPair& pair, Vec3 up, const RigidScratch& w)
{
    const int la = w.level[size_t(pair.a)], lb = w.level[size_t(pair.b)];
    PairMasses m{w.solver[size_t(pair.a)].inverse, w.solver[size_t(pair.b)].inverse};
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
        if (const int level = upperLevel(w.pairs[i], w); level > 0) w.by_level.push_back({level, w.color[i], int(i)});
    std::sort(w.by_level.begin(), w.by_level.end());
}

// f(pairs) for the ranges of pairs of which no successive two differ by `differ`.
template <class Differ, class F>
void forRanges(std::span<const LeveledPair> pairs, const Differ& differ, const F& f)
{
    for (size_t first = 0, end = 0; first < pairs.size(); first = end) {
        do ++end;
        while (end < pairs.size() && !differ(pairs[end - 1], pairs[end]));
        f(pairs.subspan(first, end - first));
    }
}

// Adds the impulses of a pair, times s. A body treated as having infinite mass receives nothing.
void addImpulses(const ContactPair& pair, const PairMasses& m, double s, RigidScratch& w)
{
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        const SolverPoint& p = w.solver_points[size_t(i)];
        const Vec3 j = s * impulseOf(p);
        if (m.a.mass_1_kg > 0) w.impulses[size_t(pair.a)].contacts += impulseAt(p.ra, j);
        if (m.b.mass_1_kg > 0) w.impulses[size_t(pair.b)].contacts += impulseAt(p.rb, -j);
    }
}

// The pairs of a level in lanes, those of a color together, and their masses.
void fillLanes(std::span<const LeveledPair> level, Vec3 up, std::vector<PairMasses>& masses, RigidScratch& w)
{
    w.lanes.groups.clear();
    masses.clear();
    for (const LeveledPair& pair : level) masses.push_back(shockMasses(w.pairs[size_t(pair.index)], up, w));
    const auto differ = [](const LeveledPair& l, const LeveledPair& r) {
        return l.color != r.color || r.color == most_colors;
    };
    size_t done = 0;
    forRanges(level, differ, [&](std::span<const LeveledPair> together) {
        for (size_t first = 0; first < together.size(); first += PairLanes::most) {
            int pairs[PairLanes::most];
            const size_t size = std::min(PairLanes::most, together.size() - first);
            for (size_t l = 0; l < size; ++l) pairs[l] = together[first + l].index;
            addLanes({pairs, size}, w);
            loadLanes(std::span(masses).subspan(done, size), w.lanes.groups.back(), w);
            done += size;
        }
    });
}

// Sweeps over the pairs in lanes until no speed changes by more than the tolerance; returns whether that was reached.
// Only bodies changed by the last sweep are visited again. Friction that amplifies itself is left alone. The changes of
// speed are those by single points: that by all points of a pair is smaller, but a heap that ends with it is left with
// three times the speed.
bool settle(int moving, double tolerance_m_s, RigidScratch& w)
{
    std::fill(w.changed.begin(), w.changed.end(), 0);
    double first_change = 0, last_change = 0;
    for (int sweep = 0; sweep == 0 || (sweep < most_sweeps && last_change >= tolerance_m_s); ++sweep) {
        last_change = 0;
        for (const PairLanes& group : w.lanes.groups) {
            bool visit = sweep == 0;
            for (size_t l = 0; l < group.size; ++l)
                visit |= w.changed[size_t(group.a[l])] >= sweep || w.changed[size_t(group.b[l])] >= sweep;
            if (!visit) continue;
            const Double4 change = sweepLanes(group, moving, w);
            for (size_t l = 0; l < group.size; ++l) {
                last_change = std::max(last_change, change[l]);
                if (change[l] < tolerance_m_s) continue;
                w.changed[size_t(group.a[l])] = sweep + 1;
                if (group.b[l] < moving) w.changed[size_t(group.b[l])] = sweep + 1;
            }
        }
        if (sweep == 0) first_change = last_change;
        if (last_change > 2 * first_change) break;
    }
    return last_change < tolerance_m_s;
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
    std::vector<PairMasses> masses;  // by pair of the level
    const auto differ = [](const LeveledPair& l, const LeveledPair& r) { return l.level != r.level; };
    forRanges(w.by_level, differ, [&](std::span<const LeveledPair> level) {
        fillLanes(level, up, masses, w);
        const auto addAll = [&](double s) {
            for (size_t i = 0; i < level.size(); ++i) addImpulses(w.pairs[size_t(level[i].index)], masses[i], s, w);
        };
        addAll(-1);
        cut_off += !settle(moving, tolerance_m_s, w);
        for (const PairLanes& group : w.lanes.groups) storeLanes(group, w);
        addAll(1);
    });
    return cut_off;
}

}  // namespace flotsam
