// The simulation of a scene: its liquid, its bodies, or both.
#pragma once

#include <optional>

#include "coupling/step.h"
#include "geometry/surface_mesh.h"
#include "rigid/world.h"

namespace flotsam {

struct StepReport : LiquidReport {
    RigidReport contacts;
    std::vector<StepImpulses> impulses;  // by moving body
};

class Simulation {
public:
    // Throws InputError for bodies that cannot be simulated, as inspectCoupled does.
    explicit Simulation(const Scene& scene);
    // world: makeWorld(scene), accepted by inspectCoupled.
    Simulation(const Scene& scene, RigidWorld world);
    Simulation(const Simulation&) = delete;  // its parts refer to each other
    Simulation& operator=(const Simulation&) = delete;

    double t_s() const { return liquid.state.t_s; }
    // The largest time step that CFL, max_dt_s and the speeds of solids, sources and bodies allow.
    double maxTimeStep() const;
    StepReport step(double dt_s);
    // Takes one of the equal steps that end at t_end_s, or earlier where a source opens or closes. None of them is
    // longer than maxTimeStep() is now.
    StepReport stepTowards(double t_end_s);
    // Call it after the state was read from a checkpoint: recomputes all derived data.
    void restore();

    const BodyState& body(int n = 0) const { return world.state.bodies[size_t(n)]; }
    // Whether a moving body was wet in the last step.
    bool isWet(int n) const { return coupled() && coupled()->isWet(size_t(n)); }
    // The velocity that moved a body to its current position, without the later change by the liquid.
    VelocityChange movedWith(int n) const;
    // The moving bodies of a scene with liquid; null without liquid or without moving bodies.
    const CoupledBodies* coupled() const;
    CoupledBodies* coupled() { return const_cast<CoupledBodies*>(std::as_const(*this).coupled()); }

    Scene scene;
    RigidWorld world;
    Liquid liquid;

private:
    StepReport stepBodies(double dt_s);
    void landOn(double t_end_s, double dt_s);

    std::optional<Monolithic> monolithic;
    std::optional<RigidFluid> rigid_fluid;
};

// The closed surface of the liquid, with temperatures if heat is on. overlap_m: the distance by which it extends into
// solids and bodies.
SurfaceMesh extractSurface(Simulation& sim, double overlap_m);

}  // namespace flotsam
