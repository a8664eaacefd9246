#pragma once

#include <span>

#include "rigid/state.h"

namespace flotsam {

// Everything that follows from the poses: rotations, inverse masses; and the velocities to solve for.
void refreshPoses(const std::vector<Body>& bodies, const RigidState& state, RigidScratch& w);

// The contacts of a step of dt_s from the present poses and the velocities of w.solver, as pairs sorted by (a, b).
// acceleration: of each moving body, from outside.
void detectContacts(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                    double dt_s, const RigidState& state, RigidScratch& w);

// How fast a point of the body can be.
double speedBound(const Body& body, Vec3 v_m_s, Vec3 w_rad_s);
// The radius of a ball that fits into the smaller of two.
double innerOf(const Body& a, const Body& b);

// A body is now so much faster than the contacts reckoned with that it could run into something unseen.
bool contactsAreStale(const std::vector<Body>& bodies, int moving, double dt_s, const RigidScratch& w);

}  // namespace flotsam
