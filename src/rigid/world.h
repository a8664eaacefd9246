// Rigid bodies and the step that moves them: docs/methods/rigid.md.
#pragma once

#include <span>

#include "rigid/joints.h"
#include "rigid/state.h"

namespace flotsam {

// A fixed body, or one that follows its prescribed motion.
struct Prescribed {
    Vec3 x0_m;
    Quat q0;
    Vec3 pivot_m;  // the spin is about this point, which moves with velocity_m_s
    Vec3 velocity_m_s, spin_rad_s;

    BodyState at(double t_s) const;
    // At t_s + dt_s, with velocities slightly larger (by (spin dt)^2 / 12): the mean of them and of those at t_s,
    // likewise enlarged, is the exact displacement of a point over dt_s.
    BodyState endOf(double t_s, double dt_s) const;
};

struct Overlap {
    int a = 0, b = 0;
    double depth_m = 0;
};

class RigidWorld {
public:
    explicit RigidWorld(const RigidParams& p = {}) : params(p) {}

    // Moving bodies must be added first. Both return the index of the body.
    int add(Body body, const BodyState& state);
    int addPrescribed(Body body, const Prescribed& motion);
    // A wall through a point; its normal points into the domain.
    int addWall(Vec3 point_m, Vec3 normal);

    // Call it after all bodies have been added. planar: a two-dimensional run.
    void setJoints(std::vector<Joint> list, bool planar = false);

    double t_s() const { return state.t_s; }
    int moving() const { return moving_count; }
    // Steps by dt_s, in as many equal substeps as params and the speeds of the bodies require. outside: a force and a
    // torque for each moving body besides gravity, constant over the step; or none. floating: by moving body, whether
    // it moves like the liquid around it, with its velocity at the end of the step; or none. Otherwise bodies move with
    // their mean velocity.
    RigidReport step(double dt_s, std::span<const Force> outside = {}, std::span<const char> floating = {});

    // The impulses on each moving body in the last step, besides gravity and external forces.
    const std::vector<ImpulsesByKind>& impulses() const { return step_impulses; }
    // Acceleration of each moving body by all of them: eqs. 68, 69.
    const std::vector<CollisionAcceleration>& collisionAccelerations() const { return collision_accelerations; }
    // The velocity changes that impulses cause, one of each per moving body, in the current poses, with the joints and
    // the contacts of the last substep enforced. The first call after a step factors the system.
    void applyInverseMass(std::span<const Impulse> impulses, std::span<VelocityChange> changes) const;
    // Holds the closed contacts of the last substep that had no impulse and have begun to close faster than least_m_s
    // since the moving bodies had the velocities `before`. Returns whether there are any.
    bool holdClosing(std::span<const VelocityChange> before, double least_m_s);
    // Releases contacts of the last substep that pull or slip where the rows have these impulses: releaseContacts.
    bool releaseContacts(std::span<const HeldRow> rows, std::span<const double> impulses, double least_N_s);
    // The rows of the joints and contacts that act.
    std::vector<HeldRow> heldRows() const;
    // The inverse mass with these rows enforced, of bodies that carry more mass (symmetric, by moving body: linear and
    // angular about its centre of mass).
    ConstrainedMass constrainedMass(std::span<const HeldRow> rows,
                                    std::span<const ConstrainedMass::Matrix6> carried_kg) const;
    // The inverse mass of a body alone, in its current pose; zero along what it cannot do.
    ConstrainedMass::Matrix6 inverseMatrix(size_t body) const;
    // The next call factors it again. The world calls this whenever it changes by itself.
    void forgetFactors() const { is_factored = false; }
    // Adds M^-1 impulses to the velocities.
    void applyImpulses(std::span<const Impulse> impulses);
    // Call after reading the state from a checkpoint.
    void restore();

    double kineticEnergy() const;    // [J]
    double potentialEnergy() const;  // [J]; zero at the origin
    Vec3 momentum() const;           // [kg m/s]
    Vec3 angularMomentum() const;    // about the origin [kg m2/s]
    double fastest() const;          // fastest point of any moving body [m/s]
    Vec3 fastestAt() const;          // centre of mass of that body, the first of several [m]; NaN if none moves
    // The same without bodies outside a box: a body that has left through an open boundary falls forever.
    double fastestIn(const Bounds& room) const;
    // Pairs that overlap now, and the largest overlap of all [m].
    std::vector<Overlap> overlaps() const;
    double deepestOverlap() const;

    RigidParams params;
    std::vector<Body> bodies;
    RigidState state;
    mutable Joints joints;

private:
    int substepsFor(double dt_s, std::span<const VelocityChange> acceleration);
    void substep(double dt_s, double after_s, std::span<const VelocityChange> acceleration,
                 std::span<const char> floating, RigidReport& report);
    void movePrescribed(double t_s);
    void countImpulses();
    void factorInverseMass() const;

    int moving_count = 0;
    std::vector<Prescribed> prescribed;
    std::vector<ImpulsesByKind> step_impulses;
    std::vector<CollisionAcceleration> collision_accelerations;
    std::vector<VelocityChange> accelerations;
    std::vector<BodyState> prescribed_ends;  // scratch
    mutable RigidScratch scratch;
    mutable ConstrainedMass constrained_mass;
    mutable bool is_factored = false;
};

}  // namespace flotsam
