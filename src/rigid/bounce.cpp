// Collisions with restitution, in rounds, until no pair approaches (Guendelman et al. 2003, section 4). All pairs that
// approach in a round collide at the same time: the result does not depend on the order of pairs.
#include "core/profile.h"
#include "rigid/disjoint_sets.h"
#include "rigid/impact.h"

namespace flotsam {
namespace {

constexpr int most_collisions = 100;  // in a substep, times the number of pairs

// The rebound speed of a point that is still gap_m away. Falling through the gap would make it faster, and rising back
// slower: the bounce height is correct for any time step. pull: acceleration towards each other [m/s2].
double rebound(double restitution, double approach, double gap_m, double pull)
{
    const double gained = 2 * pull * std::max(gap_m, 0.0);  // square of the speed gained over the gap [m2/s2]
    return std::sqrt(std::max(0.0, restitution * restitution * (approach * approach + gained) - gained));
}

// Appends the pair and its points to `impacts` if it approaches and would overlap at the end of the substep.
void addIfApproaching(const ContactPair& pair, const std::vector<ContactPoint>& contacts, const VelocityChange& pull_a,
                      const VelocityChange& pull_b, Vec3 xa, Vec3 xb, double dt_s, const SolverBody& a,
                      const SolverBody& b, ImpactScratch& impacts)
{
    const size_t first = impacts.points.size();
    bool any = false;
    double fastest = 0;
    // Below half the speed gained in one step by acceleration, a pair is at rest and left to the contact stage. The
    // relative acceleration does not work here: it is zero for boxes of a stack, which would bounce forever.
    const double rest_m_s = 0.5 * dt_s * std::max(length(pull_a.v_m_s), length(pull_b.v_m_s));
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        const ContactPoint& c = contacts[size_t(i)];
        const Vec3 ra = c.position_m - xa, rb = c.position_m - xb;
        const double u = dot(a.v + cross(a.w, ra) - b.v - cross(b.w, rb), c.normal);
        const double pull =
            -dot(pull_a.v_m_s + cross(pull_a.w_rad_s, ra) - pull_b.v_m_s - cross(pull_b.w_rad_s, rb), c.normal);
        if (c.gap_m + dt_s * (u - dt_s * pull) > 0) continue;
        SolverPoint& p = impacts.points.emplace_back();
        p.ra = ra;
        p.rb = rb;
        p.n = c.normal;
        p.t = tangentTo(c.normal);
        p.gap_m = c.gap_m;
        p.least_speed = u < 0 ? rebound(pair.restitution, u, c.gap_m, pull) : -pair.restitution * u;
        any = any || (u < 0 && p.least_speed > rest_m_s);
        fastest = std::max(fastest, -u);
    }
    // Ignores the rounding residue of a resolved collision.
    if (any && fastest >= 1e-12 * (length(a.v) + length(b.v)))
        impacts.pairs.push_back(
            {pair.a, pair.b, int(first), int(impacts.points.size() - first), 0, pair.friction, fastest});
    else
        impacts.points.resize(first);
}

// Sorts the pairs into groups that share moving bodies, each named by its lowest body.
void group(int moving, ImpactScratch& s)
{
    s.parent.resize(size_t(moving));
    const auto moves = [&](int body) { return body < moving; };
    for (const Impact& pair : s.pairs)
        for (const int body : {pair.a, pair.b})
            if (moves(body)) s.parent[size_t(body)] = body;
    for (const Impact& pair : s.pairs)
        if (moves(pair.b)) unite(pair.a, pair.b, s.parent);
    for (Impact& pair : s.pairs) pair.group = rootOf(s.parent, pair.a);
    std::stable_sort(s.pairs.begin(), s.pairs.end(),
                     [](const Impact& l, const Impact& r) { return l.group < r.group; });
}

// f(pairs) for each group.
template <class F>
void forGroups(std::span<const Impact> pairs, const F& f)
{
    for (size_t first = 0, end = 0; first < pairs.size(); first = end) {
        while (end < pairs.size() && pairs[end].group == pairs[first].group) ++end;
        f(pairs.subspan(first, end - first));
    }
}

}  // namespace

BounceReport bounce(std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w,
                    double& work_J)
{
    const KernelTimer timer("rigid.bounce");
    const int moving = int(acceleration.size());
    const auto pull = [&](int i) { return i < moving ? acceleration[size_t(i)] : VelocityChange{}; };
    ImpactScratch& s = w.impacts;
    s.changed.assign(w.solver.size(), 0);
    BounceReport report;
    for (int round = 0;; ++round) {
        s.pairs.clear();
        s.points.clear();
        for (const ContactPair& pair : w.pairs) {
            // Only bodies changed by the last round can approach again.
            if (pair.restitution <= 0 || (s.changed[size_t(pair.a)] < round && s.changed[size_t(pair.b)] < round))
                continue;
            addIfApproaching(pair, w.points, pull(pair.a), pull(pair.b), state.bodies[size_t(pair.a)].x_m,
                             state.bodies[size_t(pair.b)].x_m, dt_s, w.solver[size_t(pair.a)], w.solver[size_t(pair.b)],
                             s);
        }
        if (s.pairs.empty()) return report;
        if (report.collisions > most_collisions * int(w.pairs.size())) break;
        group(moving, s);
        forGroups(s.pairs, [&](std::span<const Impact> together) {
            report.cut_off |= !solveImpacts(together, moving, w, work_J);
        });
        for (const Impact& pair : s.pairs) {
            if (pair.a < moving) s.changed[size_t(pair.a)] = round + 1;
            if (pair.b < moving) s.changed[size_t(pair.b)] = round + 1;
            w.bounced.emplace_back(pair.a, pair.b);
        }
        report.collisions += int(s.pairs.size());
    }
    report.cut_off = true;
    return report;
}

}  // namespace flotsam
