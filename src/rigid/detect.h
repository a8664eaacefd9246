#pragma once

#include <span>

#include "rigid/joints.h"

namespace flotsam {

// Computes what follows from the poses (rotations, inverse masses) and sets the velocities to solve for.
void refreshPoses(const std::vector<Body>& bodies, const RigidState& state, RigidScratch& w);

// The pairs of bodies that may touch within dt_s, in w.broad.
void findNear(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
              const RigidState& state, RigidScratch& w);

// The contacts of a step of dt_s from the current poses and the velocities of w.solver, as pairs sorted by (a, b).
// acceleration: external acceleration of each moving body.
void detectContacts(const std::vector<Body>& bodies, int moving, const Joints& joints,
                    std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state,
                    RigidScratch& w);

// An upper bound on the speed of any point of the body.
double speedBound(const Body& body, Vec3 v_m_s, Vec3 w_rad_s);
// The smaller inner radius of the two bodies.
double innerOf(const Body& a, const Body& b);

// True if a body has become so much faster than assumed in contact detection that it could hit something undetected.
bool contactsAreStale(const std::vector<Body>& bodies, int moving, double dt_s, const RigidScratch& w);

}  // namespace flotsam
