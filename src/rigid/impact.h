// Collisions of several pairs at the same time: docs/methods/rigid.md, section 5.
#pragma once

#include "rigid/solve.h"

namespace flotsam {

// Moreau's impact law at all points of pairs that share moving bodies, together: u' >= -e u, with an impulse only where
// equality holds. Changes the velocities of their bodies in w.solver; adds the work of prescribed bodies to work_J.
// Returns whether the iteration converged.
bool solveImpacts(std::span<const Impact> pairs, int moving, RigidScratch& w, double& work_J);

}  // namespace flotsam
