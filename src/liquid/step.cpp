#include "liquid/step.h"

#include "core/check.h"
#include "liquid/boundary.h"
#include "liquid/contact_line.h"
#include "liquid/heat_viscosity.h"
#include "liquid/tracers.h"
#include "liquid/velocity.h"
#include "liquid/wall_gaps.h"
#include "scene/time_step.h"

namespace flotsam {

namespace {

std::vector<Source> makeSources(const Grid& grid, const std::vector<SourceSpec>& specs)
{
    std::vector<Source> sources;
    for (const SourceSpec& spec : specs) sources.push_back({spec, makeShape(spec.shape, 0.5 * grid.h)});
    return sources;
}

std::vector<Inflow> makeInflows(const Grid& grid, const std::vector<Source>& sources)
{
    std::vector<Inflow> inflows;
    for (const Source& source : sources) inflows.emplace_back(grid, source);
    return inflows;
}

std::vector<IndexBox> cellsNear(const std::vector<Inflow>& inflows)
{
    std::vector<IndexBox> boxes;
    for (const Inflow& inflow : inflows) boxes.push_back(inflow.cells());
    return boxes;
}

}  // namespace

Simulation::Simulation(const Scene& scene_, const MakeImmersed& bodies)
    : scene(scene_),
      grid(scene.domain, scene.time, scene.surface),
      sources(makeSources(grid, scene.liquid.sources)),
      inflows(makeInflows(grid, sources)),
      solids(grid, scene.solids, cellsNear(inflows)),
      immersed(bodies ? bodies(grid, solids) : nullptr),
      state(grid),
      scratch(grid)
{
    fillRegions(grid, solids, scene.liquid.regions, state, scratch);
    state.viscosity_varies = viscosityVaries(scene.liquid) || viscosityVaries(scene.heat);
    if (state.viscosity_varies && !viscosityVaries(scene.heat)) {
        for (const RegionSpec& region : scene.liquid.regions)
            setViscosity(grid, *makeShape(region.shape, 0.5 * grid.h),
                         region.viscosity_m2_s.value_or(scene.liquid.viscosity_m2_s), state);
        extendViscosity(grid, scene.liquid, state, scratch);
    }
    if (int(state.active.list.size()) > grid.bricks.total() / 8) expectDense(state, scratch);
    planExtension(grid, solids, state, scratch);
    extendVelocity(grid, solids, state, scratch);
    if (immersed) immersed->start(state);
    // phi in bodies that are walls becomes what the first step makes of it: otherwise the measured volume changes then.
    if (immersed && immersed->walls()) continueIntoSolids(grid, barriers(), state, scratch);
    state.volume_target_m3 = state.volume_m3 = liquidVolume(grid, barriers(), state);
    startParticles(grid, barriers(), scene.surface, state, scratch);
    state.tracers = flotsam::seedTracers(grid, barriers(), scene.tracers, state);
    if (scene.heat.on) {
        heat_sources = makeHeatSources(grid, scene.heat.sources);
        startHeat(grid, solids, scene, state, scratch);
        if (viscosityVaries(scene.heat)) updateViscosity();
    }
}

void Simulation::restore()
{
    solids.moveTo(state.t_s);
    if (immersed) immersed->restore();
    fillGhostCells(grid, BrickSet(grid.bricks, state.initialised), state.phi.view());
    fillGhostCells(grid, state.active, state.u.view());
    if (scene.heat.on) fillLiquidFractions(grid, solids, state, scratch);
}

double Simulation::maxTimeStep() const
{
    double speed = std::max(solids.fastest(), immersed ? immersed->fastest() : 0.0);
    for (const Source& source : sources)
        if (isOpen(source.spec, state.t_s)) speed = std::max(speed, length(source.spec.velocity_m_s));
    speed = std::max(speed, maxSpeed(grid, state));
    return std::min(cflTimeStep(speed, length(scene.domain.gravity_m_s2), scene.time.cfl * grid.h),
                    scene.time.max_dt_s);
}

double Simulation::nextStop(double t_end_s) const
{
    double stop_s = t_end_s;
    for (const Source& source : sources)
        for (const double t_s : {source.spec.from_s, source.spec.to_s})
            if (t_s > state.t_s + 1e-9) stop_s = std::min(stop_s, t_s);
    return stop_s;
}

StepReport Simulation::stepTowards(double t_end_s)
{
    return step(equalTimeStep(nextStop(t_end_s) - state.t_s, maxTimeStep()));
}

// The divergence that restores lost volume within about four steps, but no faster than within one frame, and at most 4
// % of the volume in that time. With a limit by steps alone, a fast drop shortens the time steps, short steps
// strengthen the correction, and that accelerates the drop: a stream over obstacles became unstable this way.
double Simulation::volumeCorrection(double volume_m3, double dt_s) const
{
    if (!scene.surface.volume_correction || state.volume_target_m3 <= 0 || volume_m3 <= 0) return 0;
    constexpr double steps = 4, most = 0.04;
    const double time_s = std::max(steps * dt_s, 1 / scene.time.fps);
    return std::clamp(state.volume_target_m3 / volume_m3 - 1, -most, most) / time_s;
}

// Fills the nozzles of open sources; returns the volume poured in this step [m3].
double Simulation::pour(double dt_s)
{
    double poured_m3 = 0;
    for (const Inflow& inflow : inflows) {
        if (!isOpen(inflow.spec(), state.t_s)) continue;
        poured_m3 += inflow.poured(solids, state.phi.view(), state.t_s, state.t_s + dt_s);
        fillNozzle(grid, inflow, state.t_s + dt_s, state, scratch);
    }
    if (scene.heat.on) heatInflows(grid, sources, scene.heat, state);
    return poured_m3;
}

std::vector<FaceLock> Simulation::lockedFaces()
{
    std::vector<FaceLock> faces = contactLineFaces(grid, solids, state);
    for (const Inflow& inflow : inflows)
        if (isOpen(inflow.spec(), state.t_s)) inflow.addLocks(walls(), state.phi.view(), faces);
    return faces;
}

// The volume that sources under water add while the surface moves. One in the air adds it when its nozzle is filled
// again: the liquid in the nozzle moves on, and the surface at its upstream end with it.
double Simulation::enteringVolume(double dt_s) const
{
    double volume_m3 = 0;
    for (const Inflow& inflow : inflows)
        if (isOpen(inflow.spec(), state.t_s)) volume_m3 += dt_s * inflow.rateIntoLiquid(solids, state.phi.view());
    return volume_m3;
}

// What left through open boundaries while the surface moved: the volume missing after the sources and the volume
// correction are accounted for, limited to what could flow out. The rest is the loss of the level set.
double Simulation::outflow(double leaving_m3, double entering_m3, double volume_m3, double dt_s) const
{
    const double most_m3 = std::min(leaving_m3, state.volume_target_m3);
    if (most_m3 <= 0) return 0;
    return std::clamp(state.volume_m3 + correctedVolume(dt_s) + entering_m3 - volume_m3, 0.0, most_m3);
}

// The surface has moved with the velocity of the previous step, whose divergence is the correction prescribed there.
// Any change of volume not explained by the correction, the sources and the open boundaries is the loss of the surface
// itself.
void Simulation::accountForVolume(double poured_m3, double outflow_m3, double volume_m3, double dt_s)
{
    const double corrected_m3 = correctedVolume(dt_s);
    state.volume_given_back_m3 += std::abs(corrected_m3);
    state.volume_lost_m3 += state.volume_m3 + corrected_m3 + poured_m3 - outflow_m3 - volume_m3;
    state.volume_m3 = volume_m3;
}

// Liquid from the sources has its own viscosity.
void Simulation::setInflowViscosity()
{
    for (const Source& source : sources)
        if (isOpen(source.spec, state.t_s))
            setViscosity(grid, *source.shape, source.spec.viscosity_m2_s.value_or(scene.liquid.viscosity_m2_s), state);
}

// The viscosity of the cells for this step, if it varies: from the temperature, or advected and set by the sources.
void Simulation::updateViscosity()
{
    if (!state.viscosity_varies) return;
    if (viscosityVaries(scene.heat)) {
        parallelFor("heat.viscosity", state.active,
                    [nu = state.viscosity.view()](int i, int j, int k) { nu(i, j, k) = 0; });
        fillViscosity(scene.heat, state.active, state.temperature, state.viscosity);
    } else {
        setInflowViscosity();
    }
    extendViscosity(grid, scene.liquid, state, scratch);
}

void Simulation::addForces(double dt_s)
{
    addGravity(grid, scene.domain.gravity_m_s2, dt_s, state.active, state.u);
    if (immersed) immersed->afterForces(state);
}

void Simulation::advect(double dt_s)
{
    if (immersed) immersed->beforeAdvection(state);
    advectVelocity(grid, walls(), scene.liquid.advection, dt_s, state, scratch);
    if (immersed) immersed->afterAdvection(state);
}

// Returns whether a solve was due.
bool Simulation::diffuseVelocity(double dt_s, StepReport& report)
{
    const bool is_due = isViscosityDue(grid, scene.liquid, dt_s, state);
    applyViscosity(grid, scene.liquid, walls(), dt_s, state, scratch, report.viscosity);
    if (is_due && immersed) immersed->afterViscosity(state);
    return is_due;
}

// The last projection, and where bodies are in the viscous liquid, what viscosity and pressure do to each other.
void Simulation::projectViscous(bool is_viscous, StepReport& report)
{
    const double divergence_1_s = report.volume_correction_1_s;
    project(grid, scene.pressure, walls(), divergence_1_s, state, scratch, report.pressure);
    if (is_viscous && scratch.viscous_bodies)
        solveViscosityWithPressure(grid, scene.liquid, scene.pressure, walls(), divergence_1_s, state, scratch,
                                   report.pressure, report.viscosity);
}

// Thesis 5.7.2, the loop of all animations but one: semi-Lagrangian trajectories follow a divergence-free velocity.
void Simulation::solveTwoProjections(double dt_s, StepReport& report)
{
    // The first projection only serves the trajectories; its error enters the right-hand side of the second.
    PressureParams rough = scene.pressure;
    rough.tolerance_rel = std::max(rough.tolerance_rel, std::min(100 * rough.tolerance_rel, 1e-2));
    addForces(dt_s);
    project(grid, rough, walls(), 0, state, scratch, report.pressure);
    decideGaps(scratch);
    if (immersed) immersed->afterFirstProjection(state);
    extendVelocity(grid, walls(), state, scratch);
    advect(dt_s);
    const bool is_viscous = diffuseVelocity(dt_s, report);
    projectViscous(is_viscous, report);
}

// Thesis 5.7.2, the optimised loop. The velocity around the liquid is still that of the previous step; only schemes
// with a backward step need it extended around the current liquid.
void Simulation::solveOneProjection(double dt_s, StepReport& report)
{
    if (scene.liquid.advection == Advection::semi_lagrangian)
        fillGhostCells(grid, state.active, state.u);
    else
        extendVelocity(grid, walls(), state, scratch);
    advect(dt_s);
    addForces(dt_s);
    const bool is_viscous = diffuseVelocity(dt_s, report);
    projectViscous(is_viscous, report);
}

// The remaining liquid has the previous heat, less that of lost_m3 at leaving_K.
void Simulation::convect(const HeatTotals& before, double lost_m3, double leaving_K, double dt_s, StepReport& report)
{
    const double left_m3 = state.volume_target_m3,
                 capacity_J_m3_K = scene.liquid.density_kg_m3 * scene.heat.specific_heat_J_kg_K;
    const double mean_K =
        left_m3 > 0 ? ((left_m3 + lost_m3) * before.mean_K() - lost_m3 * leaving_K) / left_m3 : before.mean_K();
    const double missed_K = convectHeat(grid, solids, scene.heat, dt_s, mean_K, state, scratch);
    report.heat_correction_J = -missed_K * left_m3 * capacity_J_m3_K;
}

double Simulation::heatNow()
{
    return scene.heat.on ? heatOf(measureHeat(grid, solids, scene.heat, state), scene.liquid, scene.heat, state) : 0;
}

// One step of the liquid: the surface and the solids move with the velocity of the previous step, then the velocity is
// updated for their new positions.
StepReport Simulation::step(double dt_s)
{
    FLOTSAM_CHECK(dt_s, >, 0.0);
    StepReport report;
    report.dt_s = dt_s;
    const double gravity_m_s2 = length(scene.domain.gravity_m_s2);
    const double longest_s = std::max(dt_s, maxTimeStep());  // the next step may be as long
    const double leaving_m3 = outflowVolume(grid, barriers(), dt_s, state);
    const double entering_m3 = leaving_m3 > 0 ? enteringVolume(dt_s) : 0;
    const HeatTotals heat_before = scene.heat.on ? measureHeat(grid, solids, scene.heat, state) : HeatTotals{};
    const double leaving_K = scene.heat.on && leaving_m3 > 0 ? leavingHeat(grid, solids, scene.heat, state) : 0;
    moveTracers(grid, solids, dt_s, state);
    solids.moveTo(state.t_s + dt_s);
    if (immersed) immersed->move(dt_s);
    if (state.viscosity_varies && !viscosityVaries(scene.heat)) moveViscosity(grid, dt_s, state, scratch);
    const FaceValues velocity_before = continueThroughSurface(grid, barriers(), state);
    moveSurface(grid, barriers(), scene.surface, Air::empty, gravity_m_s2, dt_s, state, scratch);
    restoreVelocity(grid, velocity_before, state);
    keepTracersInside(grid, solids, state);
    double volume_m3 = liquidVolume(grid, barriers(), state);
    const double lost_m3 = outflow(leaving_m3, entering_m3, volume_m3, dt_s);
    state.volume_target_m3 -= lost_m3;
    if (scene.heat.on) convect(heat_before, lost_m3, leaving_K, dt_s, report);
    const double poured_m3 = pour(dt_s);
    if (poured_m3 > 0) {
        state.volume_target_m3 += poured_m3;
        volume_m3 = liquidVolume(grid, barriers(), state);
    }
    if (scene.heat.on) updateHeat(grid, solids, scene.liquid, scene.heat, heat_sources, dt_s, state, scratch);
    updateViscosity();
    accountForVolume(poured_m3, lost_m3, volume_m3, dt_s);
    report.volume_correction_1_s = state.volume_correction_1_s = volumeCorrection(volume_m3, dt_s);
    const std::vector<GapCell> wall_gaps =
        openWallGaps(grid, solids, WallGaps(grid, solids, gravity_m_s2, state), longest_s, state, scratch);
    if (immersed) immersed->enter(state, scratch);
    walls().lock(lockedFaces());
    planExtension(grid, walls(), state, scratch);
    setUpPressure(grid, walls(), state, scratch);
    if (scene.liquid.loop == Loop::two_projections)
        solveTwoProjections(dt_s, report);
    else
        solveOneProjection(dt_s, report);
    if (immersed) immersed->afterLastProjection(state);
    extendVelocity(grid, walls(), state, scratch);
    report.max_divergence_1_s = maxDivergence(grid, walls(), state, scratch);
    if (immersed) immersed->leave(state);
    restoreWallGaps(grid, wall_gaps, state);
    state.t_s += dt_s;
    ++state.step;
    // The surface has not moved since its volume was measured.
    report.liquid = measure(grid, barriers(), scene.liquid.density_kg_m3, scene.domain.gravity_m_s2, volume_m3, state);
    report.heat_J = heatNow();
    return report;
}

LiquidMeasures Simulation::measureNow()
{
    return measure(grid, barriers(), scene.liquid.density_kg_m3, scene.domain.gravity_m_s2,
                   liquidVolume(grid, barriers(), state), state);
}

}  // namespace flotsam
