#include "liquid/liquid.h"

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

Liquid::Liquid(const Scene& scene_)
    : scene(scene_),
      grid(scene.domain, scene.time, scene.surface),
      sources(makeSources(grid, scene.liquid.sources)),
      inflows(makeInflows(grid, sources)),
      solids(grid, scene.solids, cellsNear(inflows)),
      state(grid),
      scratch(grid)
{
}

void Liquid::setBodies(const Solids& barriers, Solids* walls)
{
    barriers_with_bodies = &barriers;
    walls_with_bodies = walls;
}

void Liquid::start()
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
    // phi in bodies that are walls becomes what the first step makes of it: otherwise the measured volume changes then.
    if (walls_with_bodies) continueIntoSolids(grid, barriers(), state, scratch);
    state.volume_target_m3 = state.volume_m3 = liquidVolume(grid, barriers(), state);
    startParticles(grid, barriers(), scene.surface, state, scratch);
    state.tracers = flotsam::seedTracers(grid, barriers(), scene.tracers, state);
    if (scene.heat.on) {
        heat_sources = makeHeatSources(grid, scene.heat.sources);
        startHeat(grid, barriers(), scene, state, scratch);
        if (viscosityVaries(scene.heat)) updateViscosity();
    }
}

void Liquid::restore()
{
    solids.moveTo(state.t_s);
    fillGhostCells(grid, BrickSet(grid.bricks, state.initialised), state.phi.view());
    fillGhostCells(grid, state.active, state.u.view());
    // The bodies may not be in place yet: a step fills the fractions again, and only the list of bricks is used before.
    if (scene.heat.on) fillLiquidFractions(grid, barriers(), state, scratch);
}

double Liquid::maxTimeStep(double bodies_m_s) const
{
    double speed = std::max(solids.fastest(), bodies_m_s);
    for (const Source& source : sources)
        if (isOpen(source.spec, state.t_s)) speed = std::max(speed, length(source.spec.velocity_m_s));
    speed = std::max(speed, maxSpeed(grid, state));
    return std::min(cflTimeStep(speed, length(scene.domain.gravity_m_s2), scene.time.cfl * grid.h),
                    scene.time.max_dt_s);
}

double Liquid::nextStop(double t_end_s) const
{
    double stop_s = t_end_s;
    for (const Source& source : sources)
        for (const double t_s : {source.spec.from_s, source.spec.to_s})
            if (t_s > state.t_s + 1e-9) stop_s = std::min(stop_s, t_s);
    return stop_s;
}

// The divergence that restores lost volume within about four steps, but no faster than within one frame, and at most 4
// % of the volume in that time. With a limit by steps alone, a fast drop shortens the time steps, short steps
// strengthen the correction, and that accelerates the drop: a stream over obstacles became unstable this way.
double Liquid::volumeCorrection(double volume_m3, double dt_s) const
{
    if (!scene.surface.volume_correction || state.volume_target_m3 <= 0 || volume_m3 <= 0) return 0;
    constexpr double steps = 4, most = 0.04;
    const double time_s = std::max(steps * dt_s, 1 / scene.time.fps);
    return std::clamp(state.volume_target_m3 / volume_m3 - 1, -most, most) / time_s;
}

// Fills the nozzles of open sources; returns the volume poured in this step [m3].
double Liquid::pour(double dt_s)
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

std::vector<FaceLock> Liquid::lockedFaces()
{
    std::vector<FaceLock> faces = contactLineFaces(grid, solids, state);
    for (const Inflow& inflow : inflows)
        if (isOpen(inflow.spec(), state.t_s)) inflow.addLocks(walls(), state.phi.view(), faces);
    return faces;
}

// The volume that sources under water add while the surface moves. One in the air adds it when its nozzle is filled
// again: the liquid in the nozzle moves on, and the surface at its upstream end with it.
double Liquid::enteringVolume(double dt_s) const
{
    double volume_m3 = 0;
    for (const Inflow& inflow : inflows)
        if (isOpen(inflow.spec(), state.t_s)) volume_m3 += dt_s * inflow.rateIntoLiquid(solids, state.phi.view());
    return volume_m3;
}

// What left through open boundaries while the surface moved: the volume missing after the sources and the volume
// correction are accounted for, limited to what could flow out. The rest is the loss of the level set.
double Liquid::outflow(const LiquidStep& step) const
{
    const double most_m3 = std::min(step.leaving_m3, state.volume_target_m3);
    if (most_m3 <= 0) return 0;
    return std::clamp(state.volume_m3 + correctedVolume(step.dt_s) + step.entering_m3 - step.volume_m3, 0.0, most_m3);
}

// The surface has moved with the velocity of the previous step, whose divergence is the correction prescribed there.
// Any change of volume not explained by the correction, the sources and the open boundaries is the loss of the surface
// itself.
void Liquid::accountForVolume(double poured_m3, double outflow_m3, const LiquidStep& step)
{
    const double corrected_m3 = correctedVolume(step.dt_s);
    state.volume_given_back_m3 += std::abs(corrected_m3);
    state.volume_lost_m3 += state.volume_m3 + corrected_m3 + poured_m3 - outflow_m3 - step.volume_m3;
    state.volume_m3 = step.volume_m3;
}

// Liquid from the sources has its own viscosity.
void Liquid::setInflowViscosity()
{
    for (const Source& source : sources)
        if (isOpen(source.spec, state.t_s))
            setViscosity(grid, *source.shape, source.spec.viscosity_m2_s.value_or(scene.liquid.viscosity_m2_s), state);
}

// The viscosity of the cells for this step, if it varies: from the temperature, or advected and set by the sources.
void Liquid::updateViscosity()
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

LiquidStep Liquid::begin(double dt_s, double longest_s)
{
    FLOTSAM_CHECK(dt_s, >, 0.0);
    LiquidStep step;
    step.dt_s = step.report.dt_s = dt_s;
    step.longest_s = longest_s;
    step.leaving_m3 = outflowVolume(grid, barriers(), dt_s, state);
    if (step.leaving_m3 > 0) step.entering_m3 = enteringVolume(dt_s);
    if (scene.heat.on) step.heat_before = measureHeat(grid, barriers(), scene.heat, state);
    if (scene.heat.on && step.leaving_m3 > 0) step.leaving_K = leavingHeat(grid, barriers(), scene.heat, state);
    moveTracers(grid, solids, dt_s, state);
    solids.moveTo(state.t_s + dt_s);
    return step;
}

// The surface, and what the liquid carries: viscosity, heat, the volume account. Sources pour.
void Liquid::moveSurface(LiquidStep& step)
{
    const double dt_s = step.dt_s;
    if (state.viscosity_varies && !viscosityVaries(scene.heat)) moveViscosity(grid, dt_s, state, scratch);
    const FaceValues velocity_before = continueThroughSurface(grid, barriers(), state);
    flotsam::moveSurface(grid, barriers(), scene.surface, Air::empty, length(scene.domain.gravity_m_s2), dt_s, state,
                         scratch);
    restoreVelocity(grid, velocity_before, state);
    keepTracersInside(grid, solids, state);
    step.volume_m3 = liquidVolume(grid, barriers(), state);
    const double lost_m3 = outflow(step);
    state.volume_target_m3 -= lost_m3;
    if (scene.heat.on) convect(lost_m3, step);
    const double poured_m3 = pour(dt_s);
    if (poured_m3 > 0) {
        state.volume_target_m3 += poured_m3;
        step.volume_m3 = liquidVolume(grid, barriers(), state);
    }
    if (scene.heat.on) updateHeat(grid, barriers(), scene.liquid, scene.heat, heat_sources, dt_s, state, scratch);
    updateViscosity();
    accountForVolume(poured_m3, lost_m3, step);
    step.report.volume_correction_1_s = state.volume_correction_1_s = volumeCorrection(step.volume_m3, dt_s);
}

void Liquid::openGaps(LiquidStep& step)
{
    const double gravity_m_s2 = length(scene.domain.gravity_m_s2);
    step.wall_gaps =
        openWallGaps(grid, solids, WallGaps(grid, solids, gravity_m_s2, state), step.longest_s, state, scratch);
}

void Liquid::setUpSolves()
{
    walls().lock(lockedFaces());
    planExtension(grid, walls(), state, scratch);
    setUpPressure(grid, walls(), state, scratch);
}

void Liquid::addGravity(const LiquidStep& step)
{
    flotsam::addGravity(grid, scene.domain.gravity_m_s2, step.dt_s, state.active, state.u);
}

// This projection only serves the trajectories; its error enters the right-hand side of the last one.
void Liquid::projectForTrajectories(LiquidStep& step)
{
    PressureParams rough = scene.pressure;
    rough.tolerance_rel = std::max(rough.tolerance_rel, std::min(100 * rough.tolerance_rel, 1e-2));
    flotsam::project(grid, rough, walls(), 0, state, scratch, step.report.pressure);
    decideGaps(scratch);
    extendVelocity(grid, walls(), state, scratch);
}

// The velocity around the liquid is still that of the previous step; only schemes with a backward step need it extended
// around the current liquid.
void Liquid::extendForTrajectories()
{
    if (scene.liquid.advection == Advection::semi_lagrangian)
        fillGhostCells(grid, state.active, state.u);
    else
        extendVelocity(grid, walls(), state, scratch);
}

void Liquid::advect(const LiquidStep& step)
{
    advectVelocity(grid, walls(), scene.liquid.advection, step.dt_s, state, scratch);
}

void Liquid::diffuse(LiquidStep& step)
{
    step.is_viscous = isViscosityDue(grid, scene.liquid, step.dt_s, state);
    applyViscosity(grid, scene.liquid, walls(), step.dt_s, state, scratch, step.report.viscosity);
}

// The last projection, and where bodies are in the viscous liquid, what viscosity and pressure do to each other.
void Liquid::project(LiquidStep& step)
{
    LiquidReport& report = step.report;
    const double divergence_1_s = report.volume_correction_1_s;
    flotsam::project(grid, scene.pressure, walls(), divergence_1_s, state, scratch, report.pressure);
    if (step.is_viscous && scratch.viscous_bodies)
        solveViscosityWithPressure(grid, scene.liquid, scene.pressure, walls(), divergence_1_s, state, scratch,
                                   report.pressure, report.viscosity);
}

void Liquid::endSolves(LiquidStep& step)
{
    extendVelocity(grid, walls(), state, scratch);
    step.report.max_divergence_1_s = maxDivergence(grid, walls(), state, scratch);
}

void Liquid::closeGaps(const LiquidStep& step) { restoreWallGaps(grid, step.wall_gaps, state); }

LiquidReport Liquid::end(LiquidStep& step)
{
    state.t_s += step.dt_s;
    ++state.step;
    // The surface has not moved since its volume was measured.
    step.report.liquid =
        measure(grid, barriers(), scene.liquid.density_kg_m3, scene.domain.gravity_m_s2, step.volume_m3, state);
    step.report.heat_J = heatNow();
    return step.report;
}

// The remaining liquid has the previous heat, less that of lost_m3 at leaving_K.
void Liquid::convect(double lost_m3, LiquidStep& step)
{
    const HeatTotals& before = step.heat_before;
    const double left_m3 = state.volume_target_m3,
                 capacity_J_m3_K = scene.liquid.density_kg_m3 * scene.heat.specific_heat_J_kg_K;
    const double mean_K =
        left_m3 > 0 ? ((left_m3 + lost_m3) * before.mean_K() - lost_m3 * step.leaving_K) / left_m3 : before.mean_K();
    const double missed_K = convectHeat(grid, barriers(), scene.heat, step.dt_s, mean_K, state, scratch);
    step.report.heat_correction_J = -missed_K * left_m3 * capacity_J_m3_K;
}

double Liquid::heatNow()
{
    return scene.heat.on ? heatOf(measureHeat(grid, barriers(), scene.heat, state), scene.liquid, scene.heat, state)
                         : 0;
}

LiquidMeasures Liquid::measureNow()
{
    return measure(grid, barriers(), scene.liquid.density_kg_m3, scene.domain.gravity_m_s2,
                   liquidVolume(grid, barriers(), state), state);
}

}  // namespace flotsam
