// The bodies of a scene with liquid, between and during its steps: what the coupling methods share.
#pragma once

#include <vector>

#include "coupling/body_obstacle.h"

namespace flotsam {

// Impulses on a body in one step [N s, N m s about its centre of mass]: pressure and viscosity of the preceding fluid
// solve, contacts, and joints with their motors.
struct StepImpulses {
    Impulse pressure, viscosity, contact, gravity, joint;
};

// Velocity change of a body by the last fluid solve. The next move of the bodies needs it separately. It is part of the
// state, and so of checkpoints.
struct FluidVelocityChange {
    VelocityChange pressure, viscosity;
    Vec3 gravity_m_s;
    VelocityChange support;  // by contacts and joints in the solve: the next move computes it again
    // 1: the body was wet; 2: it starts in the liquid, and no solve has included it yet ("rigid-fluid" only).
    int64_t wet = 0;

    VelocityChange all() const { return pressure + viscosity + VelocityChange{gravity_m_s, {}} + support; }
};

// The impulse that changes the velocity of a body in this way.
Impulse impulseOf(const RigidWorld& world, size_t body, const VelocityChange& change);

// Of the last step of a world, treating all bodies as dry.
std::vector<StepImpulses> dryImpulses(const RigidWorld& world, double dt_s);

class CoupledBodies {
public:
    // solids, world: of the same scene. Only move() moves the world; the solids are moved before it.
    CoupledBodies(const Grid& grid, const Solids& solids, RigidWorld& world, Solids::Others bodies_are);
    CoupledBodies(const CoupledBodies&) = delete;  // shapes point into the obstacles
    CoupledBodies& operator=(const CoupledBodies&) = delete;

    // Moves the bodies by dt_s, contacts included, with the forces of the liquid from the last step. like_liquid: wet
    // bodies move at their velocity after the last fluid solve, as the liquid around them does.
    void move(double dt_s, bool like_liquid);
    // Call it after the state was read from a checkpoint.
    void restore() { solids_and_bodies.moveTo(world.state.t_s); }

    double fastest() const;  // [m/s] upper bound on the speed of any point
    bool isWet(size_t body) const { return gained[body].wet != 0; }
    // The velocity that moved a body to its current position: without the later change by the liquid, so that a body at
    // rest on the floor of a pool has zero velocity.
    VelocityChange movedWith(size_t body) const { return motionOf(body) - gained[body].all(); }
    const RigidReport& report() const { return last_report; }
    // Of the last step, by moving body.
    const std::vector<StepImpulses>& impulses() const { return last_impulses; }

protected:
    const Grid& grid;
    RigidWorld& world;
    std::vector<const BodyObstacle*> shapes;  // of the moving bodies, pointing into solids_and_bodies

public:
    Solids solids_and_bodies;
    std::vector<FluidVelocityChange> gained;  // by moving body

protected:
    VelocityChange motionOf(size_t body) const;
    void addMotion(size_t body, const VelocityChange& change);
    // For a body that has left the liquid: adds gravity of this step. The move has applied the change by the previous
    // fluid solve instead.
    void becomeDry(size_t body);

    double dt_s = 0;  // of the current step
    RigidReport last_report;
    std::vector<StepImpulses> last_impulses;
};

}  // namespace flotsam
