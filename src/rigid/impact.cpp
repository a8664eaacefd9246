#include "rigid/impact.h"

namespace flotsam {
namespace {

// Sweeps without friction are accelerated after the first few. With friction the problem is not symmetric, and
// acceleration does not help: in heaps of boxes most pairs end at a residual of 1e-9 to 1e-4 with or without it.
constexpr int plain_sweeps = 20;
constexpr int most_sweeps = 400, most_sweeps_with_friction = 200;
constexpr double converged = 1e-11;  // relative to the approach speed
constexpr double reported = 1e-6;    // a larger residual is reported

std::span<SolverPoint> pointsOf(const Impact& pair, ImpactScratch& s)
{
    return {&s.points[size_t(pair.first)], size_t(pair.count)};
}

// The work of impulses s j on relative velocities u is s b + s^2 c: b = sum j.u, c = sum j.(u' - u) / 2.
struct Work {
    double b = 0, c = 0, size = 0;
    // The largest s <= 1 that adds no energy.
    double scale() const { return b + c > 0 && c > 0 ? std::max(0.0, -b / c) : 1; }
};
Work workOf(std::span<const Impact> pairs, RigidScratch& w)
{
    Work work;
    for (const Impact& pair : pairs) {
        const SolverBody &a = w.solver[size_t(pair.a)], &b = w.solver[size_t(pair.b)];
        const SolverBody &a_before = w.impacts.before[size_t(pair.a)], &b_before = w.impacts.before[size_t(pair.b)];
        for (const SolverPoint& p : pointsOf(pair, w.impacts)) {
            const Vec3 j = impulseOf(p);
            const Vec3 before = relativeVelocity(p, a_before, b_before), after = relativeVelocity(p, a, b);
            work.b += dot(j, before);
            work.c += 0.5 * dot(j, after - before);
            work.size += length(j) * length(before);
        }
    }
    return work;
}

// One sweep of Gauss-Seidel over the points. Its changes, in velocity units: the largest, and the sum of squares
// weighted by mass.
struct Change {
    double largest_m_s = 0, sum_J = 0;
};
Change sweep(std::span<const Impact> pairs, bool friction, RigidScratch& w)
{
    Change change;
    for (const Impact& pair : pairs) {
        SolverBody &a = w.solver[size_t(pair.a)], &b = w.solver[size_t(pair.b)];
        for (SolverPoint& p : pointsOf(pair, w.impacts)) {
            const Vec3 d = solvePoint(friction ? pair.friction : 0, p, a, b);
            w.impacts.change[size_t(&p - w.impacts.points.data())] = d;
            change.largest_m_s = std::max(change.largest_m_s, length(d) * p.k.xx);
            change.sum_J += p.k.xx * dot(d, d);
        }
    }
    return change;
}

// Continues along the direction of the last sweeps: the nonlinear conjugate gradients of Silcowitz-Hansen et al. 2010.
// factor 0: starts again from steepest descent.
void extrapolate(std::span<const Impact> pairs, double factor, RigidScratch& w)
{
    for (const Impact& pair : pairs) {
        SolverBody &a = w.solver[size_t(pair.a)], &b = w.solver[size_t(pair.b)];
        for (SolverPoint& p : pointsOf(pair, w.impacts)) {
            const size_t i = size_t(&p - w.impacts.points.data());
            Vec3& direction = w.impacts.direction[i];
            direction = factor * direction;
            const Vec3 before = impulseOf(p);
            p.impulse += direction;
            p.impulse.x = std::max(0.0, p.impulse.x);
            applyImpulse(impulseOf(p) - before, p, a, b);
            direction = p.impulse.x > 0 ? direction + w.impacts.change[i] : Vec3{};
        }
    }
}

// The largest change of the velocity of any point since the last call.
double changeOfVelocities(double reach_m, RigidScratch& w)
{
    double change_m_s = 0;
    for (const int body : w.impacts.members) {
        const SolverBody& now = w.solver[size_t(body)];
        VelocityChange& last = w.impacts.last[size_t(body)];
        change_m_s = std::max(change_m_s, length(now.v - last.v_m_s) + reach_m * length(now.w - last.w_rad_s));
        last = {now.v, now.w};
    }
    return change_m_s;
}

// Returns whether the residual is small. Sweeps with friction end where none changes the velocities, too: of several
// points of a face, each may undo what the others did, without end. Velocities of boxes stay the same after 11 to 40
// sweeps, impulses at their corners rarely.
bool iterate(std::span<const Impact> pairs, bool friction, RigidScratch& w)
{
    double fastest_m_s = 0, reach_m = 0;
    for (const Impact& pair : pairs) {
        fastest_m_s = std::max(fastest_m_s, pair.approach_m_s);
        for (SolverPoint& p : pointsOf(pair, w.impacts)) {
            reach_m = std::max({reach_m, length(p.ra), length(p.rb)});
            p.impulse = {};
            setMasses(w.solver[size_t(pair.a)].inverse, w.solver[size_t(pair.b)].inverse, p);
            w.impacts.direction[size_t(&p - w.impacts.points.data())] = {};
        }
    }
    const int limit = friction ? most_sweeps_with_friction : most_sweeps;
    Change last;
    for (int n = 1;; ++n) {
        const Change now = sweep(pairs, friction, w);
        const bool stands = friction && changeOfVelocities(reach_m, w) <= converged * fastest_m_s;
        if (n == limit || stands || now.largest_m_s <= converged * fastest_m_s)
            return now.largest_m_s <= reported * fastest_m_s;
        if (n > plain_sweeps && !friction) extrapolate(pairs, now.sum_J < last.sum_J ? now.sum_J / last.sum_J : 0, w);
        last = now;
    }
}

// The bodies of the pairs, each once, and their velocities before the collision.
void rememberBodies(std::span<const Impact> pairs, int moving, RigidScratch& w)
{
    ImpactScratch& s = w.impacts;
    s.before.resize(w.solver.size());
    s.last.resize(w.solver.size());
    s.members.clear();
    for (const Impact& pair : pairs)
        for (const int body : {pair.a, pair.b}) {
            const SolverBody& now = w.solver[size_t(body)];
            s.before[size_t(body)] = now;
            s.last[size_t(body)] = {now.v, now.w};
            if (body < moving) s.members.push_back(body);
        }
    std::sort(s.members.begin(), s.members.end());
    s.members.erase(std::unique(s.members.begin(), s.members.end()), s.members.end());
}

}  // namespace

bool solveImpacts(std::span<const Impact> pairs, int moving, RigidScratch& w, double& work_J)
{
    rememberBodies(pairs, moving, w);
    w.impacts.change.resize(w.impacts.points.size());
    w.impacts.direction.resize(w.impacts.points.size());
    const bool any_friction = std::any_of(pairs.begin(), pairs.end(), [](const Impact& i) { return i.friction > 0; });
    bool done = iterate(pairs, any_friction, w);
    Work work = workOf(pairs, w);
    // Coulomb's cone with finite impulses can amplify itself (Painleve); without friction eq. 4 cannot.
    if (any_friction && !(work.b + work.c <= 1e-9 * work.size)) {
        for (const int body : w.impacts.members) w.solver[size_t(body)] = w.impacts.before[size_t(body)];
        done = iterate(pairs, false, w);
        work = workOf(pairs, w);
    }
    // An incomplete iteration may gain energy: all impulses are scaled down until it does not.
    const double s = work.scale();
    if (s != 1)
        for (const int body : w.impacts.members) {
            const SolverBody& before = w.impacts.before[size_t(body)];
            SolverBody& now = w.solver[size_t(body)];
            now.v = before.v + s * (now.v - before.v);
            now.w = before.w + s * (now.w - before.w);
        }
    for (const Impact& pair : pairs) {
        addImpulses(pair.a, pair.b, pointsOf(pair, w.impacts), s, &ImpulsesByKind::bounces, w.impulses);
        const SolverBody& b = w.solver[size_t(pair.b)];
        if (b.inverse.mass_1_kg != 0) continue;
        for (const SolverPoint& p : pointsOf(pair, w.impacts)) work_J += s * dot(impulseOf(p), b.v + cross(b.w, p.rb));
    }
    return done;
}

}  // namespace flotsam
