// The scene of the step, memory and threads benchmarks.
#pragma once

#include "coupling/simulation.h"

namespace flotsam {

enum class Filling { dam, full_tank };

// A unit cube with a box obstacle: a column of 24 % of its volume, or 95 % of it. All options have their defaults.
Scene damBreak(int cells_along_side, Filling filling = Filling::dam, double cfl = 1);

// One step, chosen as `flotsam run` does: steps end on frames. Throws SimulationError when the numerics fail.
StepReport stepTowardsFrame(Simulation& sim);

}  // namespace flotsam
