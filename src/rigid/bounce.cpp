// Collisions with restitution, pair by pair, until no pair approaches (Guendelman et al. 2003, section 4).
#include "core/profile.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

constexpr int most_sweeps = 100, most_iterations = 200;
constexpr double converged = 1e-11;  // relative to the approach speed

// The rebound speed of a point that is still gap_m away. Falling through the gap would make it faster, and rising back
// slower: the bounce height is correct for any time step. pull: acceleration towards each other [m/s2].
double rebound(double restitution, double approach, double gap_m, double pull)
{
    const double gained = 2 * pull * std::max(gap_m, 0.0);  // square of the speed gained over the gap [m2/s2]
    return std::sqrt(std::max(0.0, restitution * restitution * (approach * approach + gained) - gained));
}

Vec3 relativeVelocity(const SolverPoint& p, const SolverBody& a, const SolverBody& b)
{
    return a.v + cross(a.w, p.ra) - b.v - cross(b.w, p.rb);
}

// The work of impulses s j on relative velocities u is s b + s^2 c: b = sum j.u, c = sum j.(u' - u) / 2.
struct Work {
    double b = 0, c = 0, size = 0;
};
Work workOf(std::span<const SolverPoint> points, const SolverBody& a_before, const SolverBody& b_before,
            const SolverBody& a, const SolverBody& b)
{
    Work work;
    for (const SolverPoint& p : points) {
        const Vec3 j = impulseOf(p);
        const Vec3 before = relativeVelocity(p, a_before, b_before), after = relativeVelocity(p, a, b);
        work.b += dot(j, before);
        work.c += 0.5 * dot(j, after - before);
        work.size += length(j) * length(before);
    }
    return work;
}

void solvePoints(double friction, double fastest_m_s, std::span<SolverPoint> points, const double* leaving_m_s,
                 SolverBody& a, SolverBody& b)
{
    for (SolverPoint& p : points) {
        p.impulse = {};
        setMasses(a.inverse, b.inverse, p);
    }
    for (int n = 0; n < most_iterations; ++n) {
        double change = 0;
        for (size_t i = 0; i < points.size(); ++i) {
            const double before = points[i].impulse.x;
            solvePoint(friction, leaving_m_s[i], points[i], a, b);
            change = std::max(change, std::abs(points[i].impulse.x - before) * points[i].k.xx);
        }
        if (change <= converged * fastest_m_s) break;
    }
}

void scaleChange(double s, const SolverBody& before, SolverBody& now)
{
    if (s == 1) return;
    now.v = before.v + s * (now.v - before.v);
    now.w = before.w + s * (now.w - before.w);
}

// Moreau's impact law at all points of a pair together: u' >= -e u, with an impulse only where equality holds. For e =
// 1 without friction the energy is conserved exactly, for smaller e it cannot grow.
bool bouncePair(const ContactPair& pair, const std::vector<ContactPoint>& contacts, const VelocityChange& pull_a,
                const VelocityChange& pull_b, Vec3 xa, Vec3 xb, double dt_s, SolverBody& a, SolverBody& b,
                double& work_J, std::vector<ImpulsesByKind>& impulses)
{
    SolverPoint list[64];
    double leaving_m_s[64];
    int count = 0;
    bool any = false;
    double fastest = 0;
    // Below half the speed gained in one step by acceleration, a pair is at rest and left to the contact stage. The
    // relative acceleration does not work here: it is zero for boxes of a stack, which would bounce forever.
    const double rest_m_s = 0.5 * dt_s * std::max(length(pull_a.v_m_s), length(pull_b.v_m_s));
    for (int i = pair.first; i < pair.first + std::min(pair.count, 64); ++i) {
        const ContactPoint& c = contacts[size_t(i)];
        const Vec3 ra = c.position_m - xa, rb = c.position_m - xb;
        const double u = dot(a.v + cross(a.w, ra) - b.v - cross(b.w, rb), c.normal);
        const double pull =
            -dot(pull_a.v_m_s + cross(pull_a.w_rad_s, ra) - pull_b.v_m_s - cross(pull_b.w_rad_s, rb), c.normal);
        if (c.gap_m + dt_s * (u - dt_s * pull) > 0) continue;
        SolverPoint& p = list[count++];
        p.ra = ra;
        p.rb = rb;
        p.n = c.normal;
        p.t = tangentTo(c.normal);
        p.impulse = {};
        const double leaving = u < 0 ? rebound(pair.restitution, u, c.gap_m, pull) : -pair.restitution * u;
        leaving_m_s[count - 1] = leaving;
        any = any || (u < 0 && leaving > rest_m_s);
        fastest = std::max(fastest, -u);
    }
    // Ignores the rounding residue of a resolved collision.
    if (!any || fastest < 1e-12 * (length(a.v) + length(b.v))) return false;
    const SolverBody a_before = a, b_before = b;
    solvePoints(pair.friction, fastest, {list, size_t(count)}, leaving_m_s, a, b);
    Work work = workOf({list, size_t(count)}, a_before, b_before, a, b);
    // Coulomb's cone with finite impulses can amplify itself (Painleve); without friction eq. 4 cannot.
    if (pair.friction > 0 && !(work.b + work.c <= 1e-9 * work.size)) {
        a = a_before;
        b = b_before;
        solvePoints(0, fastest, {list, size_t(count)}, leaving_m_s, a, b);
        work = workOf({list, size_t(count)}, a_before, b_before, a, b);
    }
    // An incomplete iteration may gain energy: all impulses are scaled down until it does not.
    const double s = work.b + work.c > 0 && work.c > 0 ? std::max(0.0, -work.b / work.c) : 1;
    scaleChange(s, a_before, a);
    scaleChange(s, b_before, b);
    if (b.inverse.mass_1_kg == 0)
        for (const SolverPoint& p : std::span(list, size_t(count)))
            work_J += s * dot(impulseOf(p), b.v + cross(b.w, p.rb));
    addImpulses(pair, {list, size_t(count)}, s, &ImpulsesByKind::bounces, impulses);
    return true;
}

}  // namespace

int bounce(std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w,
           double& work_J)
{
    const KernelTimer timer("rigid.bounce");
    const auto pull = [&](int i) {
        return size_t(i) < acceleration.size() ? acceleration[size_t(i)] : VelocityChange{};
    };
    int bounced = 0;
    for (int sweep = 0; sweep < most_sweeps; ++sweep) {
        const int before = bounced;
        for (const ContactPair& pair : w.pairs) {
            if (pair.restitution <= 0) continue;
            SolverBody &a = w.solver[size_t(pair.a)], &b = w.solver[size_t(pair.b)];
            if (!bouncePair(pair, w.points, pull(pair.a), pull(pair.b), state.bodies[size_t(pair.a)].x_m,
                            state.bodies[size_t(pair.b)].x_m, dt_s, a, b, work_J, w.impulses))
                continue;
            ++bounced;
            w.bounced.emplace_back(pair.a, pair.b);
        }
        if (bounced == before) break;
    }
    return bounced;
}

}  // namespace flotsam
