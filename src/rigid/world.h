// Rigid bodies and the step that moves them: docs/methods/rigid.md.
#pragma once

#include <span>

#include "rigid/state.h"

namespace flotsam {

// A body that nothing moves: it stands still, or goes its prescribed way.
struct Prescribed {
    Vec3 x0_m;
    Quat q0;
    Vec3 pivot_m;  // the spin is about this point, which moves with velocity_m_s
    Vec3 velocity_m_s, spin_rad_s;

    BodyState at(double t_s) const;
};

struct Overlap {
    int a = 0, b = 0;
    double depth_m = 0;
};

class RigidWorld {
public:
    explicit RigidWorld(const RigidParams& p = {}) : params(p) {}

    // Bodies that move first. Both return the body's number.
    int add(Body body, const BodyState& state);
    int addPrescribed(Body body, const Prescribed& motion);
    // A wall through a point, its normal into the room.
    int addWall(Vec3 point_m, Vec3 normal);

    double t_s() const { return state.t_s; }
    int moving() const { return moving_count; }
    // Whether a moving body was in the liquid in the last step.
    bool isWet(int body) const { return !state.gained.empty() && state.gained[size_t(body)].wet != 0; }
    // The velocity that brought a moving body where it is: without what the liquid has added since, so that one that
    // rests on the floor of a pool rests.
    VelocityChange movedWith(int body) const;
    // Steps by dt_s, in as many equal parts as params and the speeds of the bodies ask for. outside: a force and a
    // torque for each moving body besides gravity, constant over the step; or none.
    RigidReport step(double dt_s, std::span<const Force> outside = {});

    // What collisions and contacts did to each moving body in the last step: eqs. 68, 69.
    const std::vector<CollisionAcceleration>& collisionAccelerations() const { return collision_accelerations; }
    // Of that the part that held it against what pulled at it: contacts without collisions, summed over the step.
    const std::vector<VelocityChange>& held() const { return held_changes; }
    // M^-1 applied to a vector of impulses, one a moving body, in the present poses.
    void applyInverseMass(std::span<const Impulse> impulses, std::span<VelocityChange> changes) const;
    // Adds M^-1 impulses to the velocities.
    void applyImpulses(std::span<const Impulse> impulses);
    // After the state was read from a checkpoint.
    void restore();

    double kineticEnergy() const;    // [J]
    double potentialEnergy() const;  // [J]; zero at the origin
    Vec3 momentum() const;           // [kg m/s]
    Vec3 angularMomentum() const;    // about the origin [kg m2/s]
    double fastest() const;          // point of any moving body [m/s]
    Vec3 fastestAt() const;          // centre of mass of that body, the first of several [m]; NaN where none moves
    // The same without those that are outside a box: one that has left through an open side falls for ever.
    double fastestIn(const Bounds& room) const;
    // Pairs that overlap now, and the largest overlap of any [m].
    std::vector<Overlap> overlaps() const;
    double deepestOverlap() const;

    RigidParams params;
    std::vector<Body> bodies;
    RigidState state;

private:
    int partsOf(double dt_s, std::span<const VelocityChange> acceleration) const;
    void substep(double dt_s, std::span<const VelocityChange> acceleration, RigidReport& report);
    void movePrescribed(double t_s);

    int moving_count = 0;
    std::vector<Prescribed> prescribed;
    std::vector<CollisionAcceleration> collision_accelerations;
    std::vector<VelocityChange> held_changes;
    std::vector<VelocityChange> accelerations;
    mutable RigidScratch scratch;
};

}  // namespace flotsam
