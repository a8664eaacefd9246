// The public C++ API: load a scene, run it step by step, get the surface. docs/api.md has an example.
#pragma once

#include "run/model.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

// Steps the liquid and the bodies to exactly t_s in equal steps within the time-step limit, and returns the report of
// the last one. If t_s is not after the current time, nothing happens and the report is empty.
inline ModelStep advanceTo(double t_s, Model& model)
{
    ModelStep step;
    while (model.sim.state.t_s < t_s) step = model.stepTowards(t_s);
    return step;
}

// The closed surface of the current liquid, bounded by walls, solids and bodies.
inline SurfaceMesh surfaceOf(Model& model) { return extractSurface(model.sim, 0); }

}  // namespace flotsam
