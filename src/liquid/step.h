// A liquid and its time step: docs/methods/liquid.md.
#pragma once

#include <functional>
#include <memory>

#include "liquid/heat.h"
#include "liquid/immersed.h"
#include "liquid/inflow.h"
#include "liquid/measure.h"
#include "liquid/pressure.h"
#include "liquid/surface.h"
#include "liquid/viscous_pressure.h"

namespace flotsam {

struct StepReport {
    double dt_s = 0;
    PressureReport pressure;
    ViscosityReport viscosity;
    double max_divergence_1_s = 0;     // of the liquid after the step, including the volume correction
    double volume_correction_1_s = 0;  // the divergence that restores lost volume
    LiquidMeasures liquid;
    double heat_J = 0;             // above absolute zero; only if heat is on
    double heat_correction_J = 0;  // the error of convection in total heat, which was corrected
};

// All data of the run of one scene.
class Simulation {
public:
    // bodies: creates the coupled bodies; none by default.
    using MakeImmersed = std::function<std::unique_ptr<Immersed>(const Grid& grid, const Solids& solids)>;
    explicit Simulation(const Scene& scene, const MakeImmersed& bodies = {});
    Simulation(const Simulation&) = delete;  // solids and bodies refer to the grid
    Simulation& operator=(const Simulation&) = delete;

    // The largest time step that CFL, max_dt_s and the speeds of solids and sources allow.
    double maxTimeStep() const;
    double t_s() const { return state.t_s; }
    StepReport step(double dt_s);
    // t_end_s, or the time at which a source opens or closes before it: a step ends there, so that the source pours for
    // exactly the time it is open.
    double nextStop(double t_end_s) const;
    // One of the equal steps, none of which is longer than maxTimeStep() allows now, that end at the next stop.
    StepReport stepTowards(double t_end_s);
    LiquidMeasures measureNow();
    // Barriers for the surface: the solids, and the bodies if there are any.
    const Solids& barriers() const { return immersed ? immersed->barriers() : solids; }
    // Obstacles for the flow: the solids, and the bodies if these are walls in the fluid solve.
    Solids& walls() { return immersed && immersed->walls() ? *immersed->walls() : solids; }
    double heatNow();  // [J] above absolute zero; 0 if heat is off

    // Call it after the state was read from a checkpoint: recomputes all derived data.
    void restore();

    Scene scene;
    Grid grid;
    std::vector<Source> sources;
    std::vector<Inflow> inflows;  // one per source
    Solids solids;
    std::unique_ptr<Immersed> immersed;  // or none
    std::vector<HeatSource> heat_sources;
    LiquidState state;
    LiquidScratch scratch;

private:
    void convect(const HeatTotals& before, double lost_m3, double leaving_K, double dt_s, StepReport& report);
    double pour(double dt_s);
    std::vector<FaceLock> lockedFaces();
    double volumeCorrection(double volume_m3, double dt_s) const;
    // What the volume correction has added when the surface has moved for dt_s [m3].
    double correctedVolume(double dt_s) const { return state.volume_m3 * state.volume_correction_1_s * dt_s; }
    double enteringVolume(double dt_s) const;
    double outflow(double leaving_m3, double entering_m3, double volume_m3, double dt_s) const;
    void accountForVolume(double poured_m3, double outflow_m3, double volume_m3, double dt_s);
    void setInflowViscosity();
    void updateViscosity();
    void addForces(double dt_s);
    void advect(double dt_s);
    bool diffuseVelocity(double dt_s, StepReport& report);
    void projectViscous(bool is_viscous, StepReport& report);
    void solveTwoProjections(double dt_s, StepReport& report);
    void solveOneProjection(double dt_s, StepReport& report);
};

}  // namespace flotsam
