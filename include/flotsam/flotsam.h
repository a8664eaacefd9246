// The public C++ API: load a scene, run it step by step (advanceTo in core/time_loop.h), get the surface. docs/api.md
// has an example.
#pragma once

#include "core/time_loop.h"
#include "coupling/simulation.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

// The closed surface of the liquid as it is now, up to walls, solids and bodies.
inline SurfaceMesh surfaceOf(Simulation& sim) { return extractSurface(sim, 0); }

}  // namespace flotsam
