// The stages in which contacts change velocities: docs/methods/rigid.md.
#pragma once

#include <span>

#include "core/vec_lanes.h"
#include "rigid/joints.h"

namespace flotsam {

struct BounceReport {
    int collisions = 0;    // of pairs
    bool cut_off = false;  // by a limit of the rounds or of the iterations
};
// Collisions with restitution. w.solver contains the velocities before gravity. Approaching pairs that would overlap at
// the end of the step separate with their restitution. Adds the work of prescribed bodies to work_J.
BounceReport bounce(std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w,
                    double& work_J);

// The motion of touching bodies over the substep, expected from the velocities after collisions. prescribed_end: the
// prescribed bodies at its end (Prescribed::endOf).
void expectMotions(const std::vector<Body>& bodies, int moving, std::span<const BodyState> prescribed_end, double dt_s,
                   const RigidState& state, RigidScratch& w);

// Whether a pair had contact forces in the last substep, collided in this one, or neither.
enum class ContactAge : char { begins, lasts, collides };
// Sets up the rows of all contact points for solveContacts.
// ages: by pair.
void preparePoints(const std::vector<Body>& bodies, int moving, double dt_s, std::span<const ContactAge> ages,
                   const RigidState& state, RigidScratch& w);

// Inelastic contact with Coulomb friction: no point may approach by more than its gap. Iterations start from the forces
// at the end of the last substep. Joints are enforced in each of them (solve_joined.cpp).
void solveContacts(const RigidParams& params, const std::vector<Body>& bodies, int moving, double dt_s,
                   const RigidState& state, Joints& joints, RigidScratch& w);

// Shock propagation: upwards from the ground, the lower level with infinite mass, so that no approach velocity is left.
// Returns the number of levels for which the iteration did not converge.
int propagateShocks(const RigidParams& params, int moving, double dt_s, const Joints& joints, RigidScratch& w);

// Removes the energy that the stages above added to touching bodies from their motion. Returns the work of prescribed
// bodies [J].
double keepEnergy(const std::vector<Body>& bodies, int moving, const Joints& joints,
                  std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w);

// Advances the poses of bodies without joints with the velocities of w.displacing, and sets those of w.solver.
void moveBodies(const std::vector<Body>& bodies, int moving, const Joints& joints, double dt_s, RigidState& state,
                const RigidScratch& w);

// Moves overlapping bodies apart without changing their velocities.
void pushApart(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
               RigidState& state, RigidScratch& w);
// Scale w.push down until the potential energy it adds is at most the energy loss measured by keepEnergy. New overlap
// may use all energy lost by its island. Old overlap may use only kinetic energy, lost by any island: paid from
// falling, it would keep lifting bodies off the ones they have just come to rest on.
void limitNewCorrection(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                        double dt_s, RigidScratch& w);
void limitOldCorrection(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                        double dt_s, RigidScratch& w);

// End of a step: stores the starting values of the next solve.
void rememberContacts(const std::vector<Body>& bodies, double dt_s, RigidState& state, const RigidScratch& w,
                      RigidReport& report);

// Helpers shared by the stages.
constexpr double closed_of_inner = 2e-4;  // overlap left in closed contacts, of the smaller inner radius
// A body that rotates by an angle displaces a point by the mean of its velocities at both ends times this.
inline double chordFactor(double angle_rad) { return angle_rad > 1e-6 ? 2 * std::tan(0.5 * angle_rad) / angle_rad : 1; }
Vec3 tangentTo(Vec3 n);
template <class Real, class Vec>
inline Vec impulseOf(const ContactRow<Real, Vec>& p)
{
    return p.impulse.x * p.n + p.impulse.y * p.t + p.impulse.z * cross(p.n, p.t);
}
template <class Real, class Vec>
inline Vec relativeVelocity(const ContactRow<Real, Vec>& p, const SolverBodyOf<Real, Vec>& a,
                            const SolverBodyOf<Real, Vec>& b)
{
    return a.v + cross(a.w, p.ra) - b.v - cross(b.w, p.rb);
}
template <class Real, class Vec>
inline void applyImpulse(const Vec& j, const ContactRow<Real, Vec>& p, SolverBodyOf<Real, Vec>& a,
                         SolverBodyOf<Real, Vec>& b)
{
    a.v += a.inverse.mass_1_kg * j;
    a.w += a.inverse.inertia_1_kg_m2 * cross(p.ra, j);
    b.v -= b.inverse.mass_1_kg * j;
    b.w -= b.inverse.inertia_1_kg_m2 * cross(p.rb, j);
}
// Sets up the contact point for two bodies of these masses: its axes and the velocity response to impulses along them.
template <class Real, class Vec>
inline void setMasses(const InverseMassOf<Real>& a, const InverseMassOf<Real>& b, ContactRow<Real, Vec>& p)
{
    const Vec s = cross(p.n, p.t);
    const Vec an = cross(p.ra, p.n), at = cross(p.ra, p.t), as = cross(p.ra, s);
    const Vec bn = cross(p.rb, p.n), bt = cross(p.rb, p.t), bs = cross(p.rb, s);
    const Vec ian = a.inertia_1_kg_m2 * an, iat = a.inertia_1_kg_m2 * at, ias = a.inertia_1_kg_m2 * as;
    const Vec ibn = b.inertia_1_kg_m2 * bn, ibt = b.inertia_1_kg_m2 * bt, ibs = b.inertia_1_kg_m2 * bs;
    const Real m = a.mass_1_kg + b.mass_1_kg;
    p.k = {m + dot(an, ian) + dot(bn, ibn), m + dot(at, iat) + dot(bt, ibt), m + dot(as, ias) + dot(bs, ibs),
           dot(an, iat) + dot(bn, ibt),     dot(an, ias) + dot(bn, ibs),     dot(at, ias) + dot(bt, ibs)};
    p.inverse_diagonal = {1 / p.k.xx, 1 / p.k.yy, 1 / p.k.zz};
}
// Adds the impulses of a pair, times s, to those of its moving bodies.
inline void addImpulses(int a, int b, std::span<const SolverPoint> points, double s, Impulse ImpulsesByKind::*kind,
                        std::vector<ImpulsesByKind>& impulses)
{
    for (const SolverPoint& p : points) {
        const Vec3 j = s * impulseOf(p);
        impulses[size_t(a)].*kind += impulseAt(p.ra, j);
        if (size_t(b) < impulses.size()) impulses[size_t(b)].*kind += impulseAt(p.rb, -j);
    }
}
// The impulse at a point with the relative velocity u, after one iteration: friction within the cone of the current
// normal impulse, then the normal impulse that leaves at least least_speed along the normal.
template <class Real, class Vec>
inline Vec nextImpulse(const Real& friction, const Vec& u, const ContactRow<Real, Vec>& p)
{
    const Vec s = cross(p.n, p.t);
    const Vec old = p.impulse;
    Real jt = old.y - (dot(u, p.t) + p.slip_t) * p.inverse_diagonal.y;
    Real js = old.z - (dot(u, s) + p.slip_s) * p.inverse_diagonal.z;
    const Real limit = friction * old.x, size2 = jt * jt + js * js;
    if (const auto slides = size2 > limit * limit; any(slides)) {
        const Real scale = select(slides, limit / squareRoot(size2), Real{} + 1);
        jt *= scale;
        js *= scale;
    }
    const Real dt = jt - old.y, ds = js - old.z;
    const Real un = dot(u, p.n) + p.k.xy * dt + p.k.xz * ds;
    return {most(old.x - (un - p.least_speed) * p.inverse_diagonal.x, Real{}), jt, js};
}
// Applies it, and returns its change. A point that separates and has no impulse keeps none: half of the points of a
// heap of boxes.
template <class Real, class Vec>
inline Vec solvePoint(const Real& friction, ContactRow<Real, Vec>& p, SolverBodyOf<Real, Vec>& a,
                      SolverBodyOf<Real, Vec>& b)
{
    const Vec u = relativeVelocity(p, a, b);
    const auto acts = (p.impulse.x != 0) | (p.impulse.y != 0) | (p.impulse.z != 0);
    if (!any(acts | (dot(u, p.n) < p.least_speed))) return {};
    const Vec next = nextImpulse(friction, u, p), d = next - p.impulse;
    p.impulse = next;
    applyImpulse(d.x * p.n + d.y * p.t + d.z * cross(p.n, p.t), p, a, b);
    return d;
}

// The same for rolling and spinning friction of the pair: `turning` is its angular impulse on a, u the angular velocity
// of a relative to b, and `mobility` the change of u per angular impulse.
Vec3 nextTurning(const ContactPair& pair, std::span<const SolverPoint> points, Vec3 u, const SymMat3& mobility,
                 Vec3 turning);
// Rolling friction and the friction at the point work against each other: for a ball a sweep leaves 5/7 of the error.
inline int sweepsOf(const ContactPair& pair) { return pair.resistsTurning() ? 4 : 1; }

}  // namespace flotsam
