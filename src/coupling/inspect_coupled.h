// Which bodies the coupling methods can handle: errors and warnings before a run.
#pragma once

#include <string>
#include <vector>

#include "rigid/from_scene.h"

namespace flotsam {

// Warnings about bodies in liquid. Throws InputError where the method is unstable: the published method diverges for
// bodies that are too light.
std::vector<std::string> inspectCoupling(const Scene& scene, const RigidWorld& world);

// The same, together with the warnings of inspectBodies for the bodies alone.
BodyPreflight inspectCoupled(const Scene& scene, const RigidWorld& world);

// Largest added-mass coefficient over all directions: added mass over the mass of displaced liquid, for the ellipsoid
// with the body's moments of inertia (Lamb 1932, section 114).
double largestAddedMass(const Body& body);

// The explicit term of thesis eq. 84 multiplies a body's velocity by 1 - (1 - a) / s, a = 1 / (1 + C), where C is the
// added-mass coefficient. Below this density s relative to the liquid, the factor is less than -1, for any time step.
inline double lightestForRigidFluid(double added_mass) { return added_mass / (2 * (1 + added_mass)); }

}  // namespace flotsam
