// The public C++ API: load a scene, run it step by step, get the surface. docs/api.md has an example.
#pragma once

#include "liquid/extract.h"
#include "liquid/particles.h"
#include "liquid/step.h"
#include "scene/scene.h"

namespace flotsam {

// Steps to t_s exactly, in equal parts none of which is longer than the scene allows, and returns the last one's
// report. When t_s is not after the simulation's time, nothing happens and the report is empty.
inline StepReport advanceTo(double t_s, Simulation& sim)
{
    StepReport report;
    while (sim.state.t_s < t_s) {
        const double dt_s = sim.stepTowards(t_s);
        report = sim.step(dt_s);
        if (t_s - sim.state.t_s < 1e-6 * dt_s) sim.state.t_s = t_s;  // what rounding left would be a step of its own
    }
    return report;
}

// The closed surface of the liquid as it is now, up to walls and solids.
inline SurfaceMesh surfaceOf(Simulation& sim)
{
    const SurfaceCorrection correction(sim.grid, escapedParticles(sim.grid, sim.state));
    return extractSurface(sim.grid, sim.solids, {sim.scene.surface.tetrahedra, 0, &correction}, sim.state);
}

}  // namespace flotsam
