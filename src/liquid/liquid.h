// A liquid and the stages of its time step: docs/methods/liquid.md. Their order: src/coupling/step.cpp.
#pragma once

#include "liquid/heat.h"
#include "liquid/inflow.h"
#include "liquid/measure.h"
#include "liquid/pressure.h"
#include "liquid/surface.h"
#include "liquid/viscous_pressure.h"

namespace flotsam {

struct LiquidReport {
    double dt_s = 0;
    PressureReport pressure;
    ViscosityReport viscosity;
    double max_divergence_1_s = 0;     // of the liquid after the step, including the volume correction
    double volume_correction_1_s = 0;  // the divergence that restores lost volume
    LiquidMeasures liquid;
    double heat_J = 0;             // above absolute zero; only if heat is on
    double heat_correction_J = 0;  // added to correct the error of convection in total heat
};

// What the stages of a step pass on to each other.
struct LiquidStep {
    double dt_s = 0;
    double longest_s = 0;  // the next step may be this long
    double leaving_m3 = 0, entering_m3 = 0;
    HeatTotals heat_before;
    double leaving_K = 0;
    double volume_m3 = 0;
    std::vector<GapCell> wall_gaps;
    bool is_viscous = false;  // a viscous solve was due
    LiquidReport report;
};

class Liquid {
public:
    // The scene must outlive this object. Call setBodies() before start().
    explicit Liquid(const Scene& scene);
    Liquid(const Liquid&) = delete;  // solids refer to the grid
    Liquid& operator=(const Liquid&) = delete;

    // barriers: the solids and bodies. walls: the same, or null where bodies count as liquid in the velocity solves.
    void setBodies(const Solids& barriers, Solids* walls);
    // Sets the initial state.
    void start();
    // Call it after the state was read from a checkpoint: recomputes all derived data.
    void restore();

    // Barriers for the surface: the solids, and the bodies if there are any.
    const Solids& barriers() const { return barriers_with_bodies ? *barriers_with_bodies : solids; }
    // Obstacles for the flow: the solids, and the bodies if these are walls in the velocity solves.
    Solids& walls() { return walls_with_bodies ? *walls_with_bodies : solids; }

    // The largest time step that CFL, max_dt_s and the speeds of solids, sources and bodies allow.
    double maxTimeStep(double bodies_m_s) const;
    // t_end_s, or the earlier time at which a source opens or closes: a step ends there, so that the source pours for
    // exactly the time it is open.
    double nextStop(double t_end_s) const;
    LiquidMeasures measureNow();
    double heatNow();  // [J] above absolute zero; 0 if heat is off

    // The stages of a step. Solids and surface move with the velocity of the previous step, then the velocity is
    // updated for their new positions. longest_s: see LiquidStep.
    LiquidStep begin(double dt_s, double longest_s);
    void moveSurface(LiquidStep& step);
    void openGaps(LiquidStep& step);
    void setUpSolves();
    void addGravity(const LiquidStep& step);
    void projectForTrajectories(LiquidStep& step);
    void extendForTrajectories();
    void advect(const LiquidStep& step);
    void diffuse(LiquidStep& step);
    void project(LiquidStep& step);
    void endSolves(LiquidStep& step);
    void closeGaps(const LiquidStep& step);
    LiquidReport end(LiquidStep& step);

    const Scene& scene;
    Grid grid;
    std::vector<Source> sources;
    std::vector<Inflow> inflows;  // one per source
    Solids solids;
    std::vector<HeatSource> heat_sources;
    LiquidState state;
    LiquidScratch scratch;

private:
    void convect(double lost_m3, LiquidStep& step);
    double pour(double dt_s);
    std::vector<FaceLock> lockedFaces();
    double volumeCorrection(double volume_m3, double dt_s) const;
    // The volume that the volume correction adds while the surface moves for dt_s [m3].
    double correctedVolume(double dt_s) const { return state.volume_m3 * state.volume_correction_1_s * dt_s; }
    double enteringVolume(double dt_s) const;
    double outflow(const LiquidStep& step) const;
    void accountForVolume(double poured_m3, double outflow_m3, const LiquidStep& step);
    void setInflowViscosity();
    void updateViscosity();

    const Solids* barriers_with_bodies = nullptr;
    Solids* walls_with_bodies = nullptr;
};

}  // namespace flotsam
