// The three ways in which contacts change velocities: docs/methods/rigid.md.
#pragma once

#include <span>

#include "rigid/state.h"

namespace flotsam {

// Where contacts bounce. w.solver holds the velocities before gravity; a pair that approaches and would overlap at the
// end of the step leaves with its restitution. Returns how many pairs did; adds the work of prescribed bodies to
// work_J.
int bounce(std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w,
           double& work_J);

// Inelastic contact with Coulomb friction: no point may come closer than its gap. The search starts from the forces
// that the last substep ended with.
void solveContacts(const RigidParams& params, const std::vector<Body>& bodies, int moving, double dt_s,
                   const RigidState& state, RigidScratch& w);

// Shock propagation: from the ground upwards, each level with the one below it held, so that no approach is left.
void propagateShocks(const RigidParams& params, int moving, double dt_s, RigidScratch& w);

// Takes what the stages above added to the energy of touching bodies out of their motion again. Returns the work of
// prescribed bodies [J].
double keepEnergy(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                  double dt_s, const RigidState& state, RigidScratch& w);

// Poses by the velocities of w.solver.
void moveBodies(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
                RigidState& state, const RigidScratch& w);

// Moves overlapping bodies apart. It leaves no velocity behind.
void pushApart(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
               RigidState& state, RigidScratch& w);
// Make w.push smaller until it lifts no more than what keepEnergy saw the bodies lose. What came in this step is paid
// for by all that its island lost; what was there before by motion that any island lost, for paid for by falling it
// would lift bodies off what they just came to rest on, for ever.
void limitNewCorrection(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                        double dt_s, RigidScratch& w);
void limitOldCorrection(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                        double dt_s, RigidScratch& w);

// The end of a step: what the next one starts its search from.
void rememberContacts(const std::vector<Body>& bodies, double dt_s, RigidState& state, const RigidScratch& w,
                      RigidReport& report);

// Parts that the above share.
Vec3 tangentTo(Vec3 n);
inline Vec3 impulseOf(const SolverPoint& p)
{
    return p.impulse.x * p.n + p.impulse.y * p.t + p.impulse.z * cross(p.n, p.t);
}
// The point between two bodies of these masses: its directions and the velocities that impulses along them make.
void setMasses(const InverseMass& a, const InverseMass& b, SolverPoint& p);
// One step of the search: friction within the cone of the present normal impulse, then the normal impulse that leaves
// the two with at least this speed along the normal.
void solvePoint(double friction, double least_speed_m_s, SolverPoint& p, SolverBody& a, SolverBody& b);

// The same for the pair's friction of rolling and spinning: `turning` is its angular impulse on a.
void solveRollingFriction(const ContactPair& pair, std::span<const SolverPoint> points, Vec3& turning, SolverBody& a,
                          SolverBody& b);

}  // namespace flotsam
