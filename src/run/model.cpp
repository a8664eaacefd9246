#include "run/model.h"

#include "liquid/extract.h"
#include "liquid/heat_surface.h"
#include "liquid/particles.h"
#include "scene/time_step.h"

namespace flotsam {

namespace {

StepReport stepClock(double dt_s, Simulation& sim)
{
    StepReport report;
    report.dt_s = dt_s;
    sim.state.t_s += dt_s;
    ++sim.state.step;
    return report;
}

Simulation::MakeImmersed couplingOf(const Scene& scene, RigidWorld& world)
{
    if (!scene.hasLiquid() || world.moving() == 0) return {};
    return [&](const Grid& grid, const Solids& solids) { return makeImmersed(scene, grid, solids, world); };
}

RigidWorld inspectedWorld(const Scene& scene)
{
    RigidWorld world = makeWorld(scene);
    inspectCoupled(scene, world);
    return world;
}

}  // namespace

Model::Model(const Scene& scene) : Model(scene, inspectedWorld(scene)) {}

Model::Model(const Scene& scene, RigidWorld world_) : world(std::move(world_)), sim(scene, couplingOf(scene, world)) {}

// Without liquid the steps are max_dt_s long, and the bodies divide them as they need.
double Model::maxTimeStep() const { return sim.scene.hasLiquid() ? sim.maxTimeStep() : sim.scene.time.max_dt_s; }

ModelStep Model::stepTowards(double frame_end_s)
{
    const auto* coupled = static_cast<const ImmersedBodies*>(sim.immersed.get());
    const double stop_s = sim.nextStop(frame_end_s), dt_s = equalTimeStep(stop_s - t_s(), maxTimeStep());
    ModelStep step;
    step.liquid = sim.scene.hasLiquid() ? sim.step(dt_s) : stepClock(dt_s, sim);
    if (coupled)
        step.contacts = coupled->report();
    else if (world.moving() > 0)
        step.contacts = world.step(dt_s);
    step.impulses = coupled ? coupled->impulses() : dryImpulses(world, dt_s);
    landOn(stop_s, dt_s);
    return step;
}

// The clocks of liquid and bodies are set exactly to the end of the frame, without rounding errors. Prescribed motions
// are then bitwise where a run resumed here would put them.
void Model::landOn(double frame_end_s, double dt_s)
{
    const bool ends = frame_end_s - sim.state.t_s < 1e-6 * dt_s;
    if (ends && sim.state.t_s != frame_end_s) {
        sim.state.t_s = frame_end_s;
        sim.restore();
    }
    if (world.state.t_s == sim.state.t_s) return;
    world.state.t_s = sim.state.t_s;
    world.restore();
}

SurfaceMesh extractSurface(Simulation& sim, double overlap_m)
{
    const SurfaceCorrection correction(sim.grid, escapedParticles(sim.grid, sim.state));
    const Extraction how{sim.scene.surface.tetrahedra, overlap_m, &correction};
    SurfaceMesh surface = extractSurface(sim.grid, sim.barriers(), how, sim.state);
    if (sim.scene.heat.on)
        surface.temperatures = temperaturesAt(sim.grid, sim.state, sim.scene.heat.temperature_K, surface.positions);
    return surface;
}

}  // namespace flotsam
