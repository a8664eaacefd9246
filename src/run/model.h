// The liquid and the bodies of a scene, and the step that moves both.
#pragma once

#include "coupling/couple.h"
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
    // world: makeWorld(scene).
    Model(const Scene& scene, RigidWorld world);
    Model(const Model&) = delete;  // the coupling refers to the world
    Model& operator=(const Model&) = delete;

    // One of the equal steps that end on frame_end_s.
    ModelStep stepTowards(double frame_end_s);

    RigidWorld world;
    Simulation sim;

private:
    double timeStepTowards(double frame_end_s) const;
    void landOn(double frame_end_s, double dt_s);
};

}  // namespace flotsam
