// The public C++ API: load a scene, run it step by step, get the surface. docs/api.md has an example.
#pragma once

#include "run/model.h"
#include "scene/preflight.h"
#include "scene/scene.h"

namespace flotsam {

// Steps the liquid and the bodies to t_s exactly, in equal steps none of which is longer than the scene allows, and
// returns the report of the last one. When t_s is not after the model's time, nothing happens and the report is empty.
inline ModelStep advanceTo(double t_s, Model& model)
{
    ModelStep step;
    while (model.sim.state.t_s < t_s) step = model.stepTowards(t_s);
    return step;
}

// The closed surface of the liquid as it is now, up to walls, solids and bodies.
inline SurfaceMesh surfaceOf(Model& model) { return extractSurface(model.sim, 0); }

}  // namespace flotsam
