// A scene's bodies, coupled with its liquid.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "coupling/immersed_bodies.h"
#include "rigid/from_scene.h"

namespace flotsam {

std::unique_ptr<ImmersedBodies> makeImmersed(const Scene& scene, const Grid& grid, const Solids& solids,
                                             RigidWorld& world);

// What the author of a scene with bodies in liquid would want to know. Throws InputError where the method cannot hold:
// the printed one blows up for bodies that are too light.
std::vector<std::string> inspectCoupling(const Scene& scene, const RigidWorld& world);

// That and what inspectBodies says of the bodies alone.
BodyPreflight inspectCoupled(const Scene& scene, const RigidWorld& world);

// The mass of liquid that moves with a body over that of the liquid it displaces, along the direction in which it is
// largest: of the ellipsoid with the body's moments of inertia (Lamb 1932, section 114).
double largestAddedMass(const Body& body);

// The explicit term of thesis eq. 84 keeps 1 - (1 - a) / s of a body's velocity, a = 1 / (1 + C): whatever the step is,
// it overshoots by more than it corrects below this density over the liquid's.
inline double lightestForRigidFluid(double added_mass) { return added_mass / (2 * (1 + added_mass)); }

}  // namespace flotsam
