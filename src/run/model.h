// The liquid and bodies of a scene, and the step that advances both.
#pragma once

#include "coupling/couple.h"
#include "geometry/surface_mesh.h"
#include "liquid/step.h"
#include "rigid/world.h"

namespace flotsam {

struct ModelStep {
    StepReport liquid;
    RigidReport contacts;
    std::vector<StepImpulses> impulses;  // by moving body
};

class Model {
public:
    // Throws InputError for bodies that cannot be simulated, as inspectCoupled does.
    explicit Model(const Scene& scene);
    // world: makeWorld(scene), accepted by inspectCoupled.
    Model(const Scene& scene, RigidWorld world);
    Model(const Model&) = delete;  // the coupling refers to the world
    Model& operator=(const Model&) = delete;

    double t_s() const { return sim.state.t_s; }
    // One of the equal steps that end on frame_end_s.
    ModelStep stepTowards(double frame_end_s);

    RigidWorld world;
    Simulation sim;

private:
    double maxTimeStep() const;
    void landOn(double frame_end_s, double dt_s);
};

// The closed surface of the liquid, with temperatures if heat is on. overlap_m: how far it extends into solids and
// bodies.
SurfaceMesh extractSurface(Simulation& sim, double overlap_m);

}  // namespace flotsam
