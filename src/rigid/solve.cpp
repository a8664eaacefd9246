// Inelastic contact: projected Gauss-Seidel over the points, in colours of pairs that share no moving body, so that the
// result is bitwise independent of the number of threads.
#include "rigid/solve.h"

#include <algorithm>
#include <bit>
#include <numeric>

#include "core/parallel.h"
#include "rigid/contact_lanes.h"
#include "rigid/disjoint_sets.h"
#include "rigid/solve_joined.h"

namespace flotsam {

Vec3 tangentTo(Vec3 n)
{
    const Vec3 other = std::abs(n.x) < 0.6 ? Vec3{1, 0, 0} : std::abs(n.y) < 0.6 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    return normalized(cross(n, other));
}

namespace {

constexpr int pairs_per_task = 64, pairs_per_group = 64;
constexpr int most_rounds = 3;  // of sweeps over contacts of joints whose limits or motors reach their bounds
constexpr double same_point_of_inner = 0.2;  // a contact is recognised if it moved less than this

}  // namespace

namespace {

std::span<SolverPoint> pointsOf(const ContactPair& pair, RigidScratch& w)
{
    return {&w.solver_points[size_t(pair.first)], size_t(pair.count)};
}

// Rolling and spinning friction of a pair.
void solveTurning(const ContactPair& pair, std::span<const SolverPoint> points, Vec3& turning, SolverBody& a,
                  SolverBody& b)
{
    const SymMat3 &ia = a.inverse.inertia_1_kg_m2, &ib = b.inverse.inertia_1_kg_m2;
    const SymMat3 mobility{ia.xx + ib.xx, ia.yy + ib.yy, ia.zz + ib.zz, ia.xy + ib.xy, ia.xz + ib.xz, ia.yz + ib.yz};
    const Vec3 next = nextTurning(pair, points, a.w - b.w, mobility, turning), d = next - turning;
    turning = next;
    a.w += ia * d;
    b.w -= ib * d;
}

// Pairs in index order, each in the first colour not yet used by its moving bodies. Joined bodies count as one. Small
// groups of pairs around joined bodies that share bodies only with each other are kept apart: one thread solves each.
void color(int moving, Joints& joints, RigidScratch& w)
{
    std::vector<uint32_t> used(size_t(moving), 0);
    std::vector<int> parent(size_t(moving), 0), size(size_t(moving), 0);
    std::iota(parent.begin(), parent.end(), 0);
    for (const ContactPair& pair : w.pairs)
        if (pair.b < moving) unite(joints.firstOf(pair.a), joints.firstOf(pair.b), parent);
    const auto groupOf = [&](int body) { return rootOf(parent, joints.firstOf(body)); };
    for (const ContactPair& pair : w.pairs) ++size[size_t(groupOf(pair.a))];
    std::vector<char> is_apart(size_t(moving), 0);
    for (const JointIsland& island : joints.all()) {
        const size_t group = size_t(groupOf(island.bodies().front()));
        is_apart[group] = size[group] > 0 && size[group] <= pairs_per_group;  // with no pairs it floats
    }
    w.colors.resize(most_colors);
    for (ContactColor& c : w.colors) c.pairs.clear();
    w.color.resize(w.pairs.size());
    w.by_color_rest.clear();
    w.grouped.clear();
    for (size_t i = 0; i < w.pairs.size(); ++i) {
        const int a = joints.firstOf(w.pairs[i].a), b = joints.firstOf(w.pairs[i].b), group = groupOf(a);
        const uint32_t taken = used[size_t(a)] | (b < moving ? used[size_t(b)] : 0);
        const int free = w.color[i] = std::countr_one(taken);
        if (free < most_colors) {
            used[size_t(a)] |= 1u << free;
            if (b < moving) used[size_t(b)] |= 1u << free;
        }
        if (is_apart[size_t(group)])
            w.grouped.push_back({group, free, int(i)});
        else if (free < most_colors)
            w.colors[size_t(free)].pairs.push_back(int(i));
        else
            w.by_color_rest.push_back(int(i));
    }
    std::sort(w.grouped.begin(), w.grouped.end());
    w.grouped_islands.clear();
    w.other_islands.clear();
    for (JointIsland& island : joints.all()) {
        if (!island.near) continue;
        const int group = groupOf(island.bodies().front());
        (is_apart[size_t(group)] ? w.grouped_islands : w.other_islands).push_back({group, &island});
    }
    std::stable_sort(w.grouped_islands.begin(), w.grouped_islands.end(),
                     [](const GroupedIsland& l, const GroupedIsland& r) { return l.group < r.group; });
}

// Distributes the pairs of each color to lanes, pairs with the same number of points together. Joined bodies and
// rolling friction are solved pair by pair.
void fillLanes(const Joints& joints, RigidScratch& w)
{
    w.lanes.groups.clear();
    for (ContactColor& color : w.colors) {
        std::vector<int>& all = color.pairs;
        const auto end = std::stable_partition(all.begin(), all.end(), [&](int k) {
            const ContactPair& pair = w.pairs[size_t(k)];
            return !pair.resistsTurning() && !joints.isJoined(pair.a) && !joints.isJoined(pair.b);
        });
        std::stable_sort(all.begin(), end,
                         [&](int l, int r) { return w.pairs[size_t(l)].count > w.pairs[size_t(r)].count; });
        color.first = w.lanes.groups.size();
        const size_t count = size_t(end - all.begin());
        for (size_t done = 0; done < count; done += PairLanes::most)
            addLanes(std::span(all).subspan(done, std::min(PairLanes::most, count - done)), w);
        color.end = w.lanes.groups.size();
        color.others.assign(end, all.end());
    }
}

// Pairs and islands that one thread solves, color by color.
struct SmallGroup {
    std::span<const GroupedPair> pairs;
    std::span<const GroupedIsland> islands;

    template <class F>
    void forPairs(const F& f) const
    {
        for (const GroupedPair& pair : pairs) f(size_t(pair.index));
    }
    template <class G, class F>
    void forLanes(const G&, const F& f) const
    {
        forPairs(f);
    }
    template <class F>
    void forIslands(const F& f) const
    {
        for (const GroupedIsland& island : islands) f(*island.island);
    }
};

// All others: threads share the pairs of each color.
struct LargeGroups {
    RigidScratch& w;
    std::span<const GroupedIsland> islands;

    template <class F>
    void forPairs(const F& f) const
    {
        for (const ContactColor& color : w.colors) {
            if (color.pairs.empty()) break;
            forParts(color.pairs.size(), pairs_per_task, [&](size_t i) { f(size_t(color.pairs[i])); });
        }
        for (const int i : w.by_color_rest) f(size_t(i));
    }
    // g(group of pairs in lanes), and f(pair) for the others.
    template <class G, class F>
    void forLanes(const G& g, const F& f) const
    {
        for (const ContactColor& color : w.colors) {
            if (color.pairs.empty()) break;
            const size_t groups = color.end - color.first;
            forParts(groups + color.others.size(), pairs_per_task / PairLanes::most, [&](size_t i) {
                i < groups ? g(w.lanes.groups[color.first + i]) : f(size_t(color.others[i - groups]));
            });
        }
        for (const int i : w.by_color_rest) f(size_t(i));
    }
    template <class F>
    void forIslands(const F& f) const
    {
        parallelTasks("rigid.joints", int(islands.size()), [&](int n) { f(*islands[size_t(n)].island); });
    }

private:
    template <class F>
    static void forParts(size_t count, size_t per_task, const F& f)
    {
        parallelTasks("rigid.contact", int((count + per_task - 1) / per_task), [&](int task) {
            const size_t end = std::min(count, size_t(task + 1) * per_task);
            for (size_t i = size_t(task) * per_task; i < end; ++i) f(i);
        });
    }
};

std::vector<SmallGroup> smallGroups(const RigidScratch& w)
{
    std::vector<SmallGroup> groups;
    const auto& pairs = w.grouped;
    size_t island = 0;
    for (size_t first = 0, end = 0; first < pairs.size(); first = end) {
        while (end < pairs.size() && pairs[end].group == pairs[first].group) ++end;
        const size_t first_island = island;
        while (island < w.grouped_islands.size() && w.grouped_islands[island].group == pairs[first].group) ++island;
        groups.push_back({std::span(pairs).subspan(first, end - first),
                          std::span(w.grouped_islands).subspan(first_island, island - first_island)});
    }
    return groups;
}

Vec3 turnedAbout(Vec3 n, double angle_rad, Vec3 v)
{
    return angle_rad == 0 ? v : std::cos(angle_rad) * v + std::sin(angle_rad) * cross(n, v);
}

// Spin about the normal of the body whose surface gives the normal. Friction turns with it: otherwise the share of each
// point would turn relative to a body on a turntable until the points that bear little load slide.
double spinOfFace(const ContactPair& pair, const ContactPoint& c, const std::vector<Body>& bodies,
                  const RigidScratch& w)
{
    const size_t face = size_t(c.face == ContactPoint::Face::of_a ? pair.a : pair.b);
    return bodies[face].collider->kind == ColliderKind::sphere ? 0 : dot(w.solver[face].w, c.normal);
}

// Starts points with the forces of the last substep, as impulses over this substep. Each force goes to the nearest
// point: where two points have become one, it receives both.
void recall(const ContactPair& pair, const std::vector<Body>& bodies, double dt_s,
            std::span<const RememberedContact> remembered, RigidScratch& w)
{
    const double same_m = same_point_of_inner * bodies[size_t(pair.a)].collider->inner_m;
    for (const RememberedContact& r : remembered) {
        const Vec3 arm = w.world_from_body[size_t(pair.a)] * r.local_m;
        int nearest = -1;
        double least = same_m * same_m;
        for (int i = pair.first; i < pair.first + pair.count; ++i) {
            const Vec3 d = w.solver_points[size_t(i)].ra - arm;
            if (dot(d, d) >= least) continue;
            least = dot(d, d);
            nearest = i;
        }
        if (nearest < 0) continue;
        SolverPoint& p = w.solver_points[size_t(nearest)];
        const Vec3 friction_N =
            turnedAbout(p.n, dt_s * spinOfFace(pair, w.points[size_t(nearest)], bodies, w), r.friction_N);
        p.impulse += dt_s * Vec3{r.normal_N, dot(friction_N, p.t), dot(friction_N, cross(p.n, p.t))};
    }
}

// The range of remembered contacts of each pair; both are sorted.
std::vector<std::span<const RememberedContact>> remembranceOf(const RigidState& state, const RigidScratch& w)
{
    std::vector<std::span<const RememberedContact>> parts(w.pairs.size());
    size_t at = 0;
    const auto& all = state.remembered;
    for (size_t i = 0; i < w.pairs.size(); ++i) {
        const std::pair key(w.pairs[i].a, w.pairs[i].b);
        while (at < all.size() && std::pair(all[at].a, all[at].b) < key) ++at;
        size_t end = at;
        while (end < all.size() && std::pair(all[end].a, all[end].b) == key) ++end;
        parts[i] = std::span(all).subspan(at, end - at);
    }
    return parts;
}

std::vector<ContactAge> agesOf(std::span<const std::span<const RememberedContact>> remembrance, const RigidScratch& w)
{
    std::vector<ContactAge> ages(w.pairs.size(), ContactAge::begins);
    for (size_t i = 0; i < ages.size(); ++i)
        if (!remembrance[i].empty()) ages[i] = ContactAge::lasts;
    for (const std::pair<int, int>& bounced : w.bounced) {
        const auto it = std::lower_bound(w.pairs.begin(), w.pairs.end(), bounced,
                                         [](const ContactPair& l, const auto& r) { return std::pair(l.a, l.b) < r; });
        if (it != w.pairs.end() && std::pair(it->a, it->b) == bounced)
            ages[size_t(it - w.pairs.begin())] = ContactAge::collides;
    }
    return ages;
}

}  // namespace

void solveContacts(const RigidParams& params, const std::vector<Body>& bodies, int moving, double dt_s,
                   const RigidState& state, Joints& joints, RigidScratch& w)
{
    const KernelTimer timer("rigid.contact");
    w.turning.assign(w.pairs.size(), {});
    color(moving, joints, w);
    fillLanes(joints, w);
    const auto remembrance = remembranceOf(state, w);
    preparePoints(bodies, moving, dt_s, agesOf(remembrance, w), state, w);
    JoinedContacts joined(joints, moving, w);
    // Threads share bodies with infinite mass: each works on a copy.
    const auto other = [&](const ContactPair& pair, SolverBody& copy) -> SolverBody& {
        return pair.b < moving ? w.solver[size_t(pair.b)] : copy = w.solver[size_t(pair.b)];
    };
    const auto solve = [&](const auto& group) {
        group.forPairs([&](size_t k) {
            const ContactPair& pair = w.pairs[k];
            SolverBody copy, &a = w.solver[size_t(pair.a)], &b = other(pair, copy);
            recall(pair, bodies, dt_s, remembrance[k], w);
            for (const SolverPoint& p : pointsOf(pair, w)) applyImpulse(impulseOf(p), p, a, b);
        });
        group.forIslands([&](JointIsland& island) { joints.start(bodies, dt_s, state, island); });
        group.forLanes(
            [&](PairLanes& four) {
                PairMasses masses[PairLanes::most];
                for (size_t l = 0; l < four.size; ++l)
                    masses[l] = {w.solver[size_t(four.a[l])].inverse, w.solver[size_t(four.b[l])].inverse};
                loadLanes(masses, four, w);
            },
            [&](size_t k) {
                const ContactPair& pair = w.pairs[k];
                for (SolverPoint& p : pointsOf(pair, w))
                    setMasses(w.solver[size_t(pair.a)].inverse, w.solver[size_t(pair.b)].inverse, p);
            });
        for (int round = 0; joined.start(round == 0, group) && round < most_rounds; ++round)
            for (int n = 0; n < params.iterations; ++n)
                group.forLanes(
                    [&](const PairLanes& four) {
                        if (round == 0) sweepLanes(four, moving, w);
                    },
                    [&](size_t k) {
                        if (joined.contains(k)) return joined.sweep(k);
                        if (round > 0) return;
                        const ContactPair& pair = w.pairs[k];
                        SolverBody copy, &a = w.solver[size_t(pair.a)], &b = other(pair, copy);
                        for (int sweep = 0; sweep < sweepsOf(pair); ++sweep) {
                            for (SolverPoint& p : pointsOf(pair, w)) solvePoint(pair.friction, p, a, b);
                            if (pair.resistsTurning()) solveTurning(pair, pointsOf(pair, w), w.turning[k], a, b);
                        }
                    });
        group.forIslands([&](JointIsland& island) { island.countSolved(w.before); });
        group.forLanes([&](const PairLanes& four) { storeLanes(four, w); }, [](size_t) {});
        group.forPairs([&](size_t k) {
            const ContactPair& pair = w.pairs[k];
            addImpulses(pair.a, pair.b, pointsOf(pair, w), 1, &ImpulsesByKind::contacts, w.impulses);
            w.impulses[size_t(pair.a)].contacts.angular_N_m_s += w.turning[k];
            if (pair.b < moving) w.impulses[size_t(pair.b)].contacts.angular_N_m_s -= w.turning[k];
        });
    };
    const std::vector<SmallGroup> small = smallGroups(w);
    parallelTasks("rigid.contact", int(small.size()), [&](int n) { solve(small[size_t(n)]); });
    solve(LargeGroups{w, w.other_islands});
}

}  // namespace flotsam
