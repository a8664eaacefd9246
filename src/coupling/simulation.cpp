#include "coupling/simulation.h"

#include "coupling/inspect_coupled.h"
#include "liquid/extract.h"
#include "liquid/heat_surface.h"
#include "liquid/particles.h"
#include "scene/time_step.h"

namespace flotsam {

namespace {

RigidWorld inspectedWorld(const Scene& scene)
{
    RigidWorld world = makeWorld(scene);
    inspectCoupled(scene, world);
    return world;
}

}  // namespace

Simulation::Simulation(const Scene& scene_) : Simulation(scene_, inspectedWorld(scene_)) {}

Simulation::Simulation(const Scene& scene_, RigidWorld world_) : scene(scene_), world(std::move(world_)), liquid(scene)
{
    if (scene.hasLiquid() && world.moving() > 0) {
        if (scene.coupling.method == CouplingMethod::rigid_fluid)
            rigid_fluid.emplace(scene, liquid.grid, liquid.solids, world);
        else
            monolithic.emplace(scene, liquid.grid, liquid.solids, world);
        liquid.setBodies(coupled()->solids_and_bodies, monolithic ? &monolithic->solids_and_bodies : nullptr);
    }
    liquid.start();
    if (rigid_fluid) rigid_fluid->start(liquid.state);
}

const CoupledBodies* Simulation::coupled() const
{
    if (monolithic) return &*monolithic;
    return rigid_fluid ? &*rigid_fluid : nullptr;
}

VelocityChange Simulation::movedWith(int n) const
{
    if (coupled()) return coupled()->movedWith(size_t(n));
    return {body(n).v_m_s, body(n).w_rad_s};
}

// Without liquid the steps are max_dt_s long, and the bodies divide them as they need.
double Simulation::maxTimeStep() const
{
    if (!scene.hasLiquid()) return scene.time.max_dt_s;
    return liquid.maxTimeStep(coupled() ? coupled()->fastest() : 0);
}

StepReport Simulation::stepBodies(double dt_s)
{
    StepReport report;
    report.dt_s = dt_s;
    if (world.moving() > 0) report.contacts = world.step(dt_s);
    report.impulses = dryImpulses(world, dt_s);
    liquid.state.t_s += dt_s;
    ++liquid.state.step;
    return report;
}

StepReport Simulation::step(double dt_s)
{
    if (!scene.hasLiquid()) return stepBodies(dt_s);
    StepReport report{monolithic    ? stepMonolithic(dt_s, liquid, *monolithic)
                      : rigid_fluid ? stepRigidFluid(dt_s, liquid, *rigid_fluid)
                                    : stepLiquid(dt_s, liquid),
                      {},
                      {}};
    if (!coupled()) return report;
    report.contacts = coupled()->report();
    report.impulses = coupled()->impulses();
    return report;
}

StepReport Simulation::stepTowards(double t_end_s)
{
    const double stop_s = liquid.nextStop(t_end_s), dt_s = equalTimeStep(stop_s - t_s(), maxTimeStep());
    StepReport report = step(dt_s);
    landOn(stop_s, dt_s);
    return report;
}

// The clocks of liquid and bodies are set exactly to the end of a frame, without rounding errors. Prescribed motions
// are then bitwise where a run resumed here would put them.
void Simulation::landOn(double t_end_s, double dt_s)
{
    LiquidState& s = liquid.state;
    const bool ends = t_end_s - s.t_s < 1e-6 * dt_s;
    if (ends && s.t_s != t_end_s) {
        s.t_s = t_end_s;
        liquid.restore();
        if (coupled()) coupled()->restore();
    }
    if (world.state.t_s == s.t_s) return;
    world.state.t_s = s.t_s;
    world.restore();
}

void Simulation::restore()
{
    world.state.t_s = liquid.state.t_s;
    world.restore();
    liquid.restore();
    if (coupled()) coupled()->restore();
}

SurfaceMesh extractSurface(Simulation& sim, double overlap_m)
{
    Liquid& liquid = sim.liquid;
    const SurfaceCorrection correction(liquid.grid, escapedParticles(liquid.grid, liquid.state));
    const Extraction how{sim.scene.surface.tetrahedra, overlap_m, &correction};
    SurfaceMesh surface = extractSurface(liquid.grid, liquid.barriers(), how, liquid.state);
    if (sim.scene.heat.on)
        surface.temperatures =
            temperaturesAt(liquid.grid, liquid.state, sim.scene.heat.temperature_K, surface.positions);
    return surface;
}

}  // namespace flotsam
