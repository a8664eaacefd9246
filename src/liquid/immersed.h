// The interface of the liquid step to two-way coupled bodies: docs/methods/coupling.md.
#pragma once

#include "liquid/solids.h"

namespace flotsam {

class Immersed {
public:
    virtual ~Immersed() = default;

    // Called once, after the liquid has been initialised.
    virtual void start(const LiquidState& s) = 0;
    // Moves the bodies by dt_s, contacts included, with the forces of the liquid from the last step.
    virtual void move(double dt_s) = 0;
    // The solids of the scene and the bodies: obstacles for the surface, its particles and the volume.
    virtual const Solids& barriers() const = 0;
    // The same, where bodies are walls for the flow; null where they count as liquid.
    virtual Solids* walls() { return nullptr; }
    virtual double fastest() const = 0;  // [m/s] upper bound on the speed of any point

    // Between enter() and leave() the wet bodies are part of the liquid.
    virtual void enter(LiquidState& s, LiquidScratch& w) = 0;
    // The stages of the velocity update; a coupling method may act after or before each. After the last projection the
    // bodies are made rigid again.
    virtual void afterForces(LiquidState&) {}
    virtual void afterFirstProjection(LiquidState&) {}
    virtual void beforeAdvection(LiquidState&) {}
    virtual void afterAdvection(LiquidState&) {}
    virtual void afterViscosity(LiquidState&) {}  // if a solve was due
    virtual void afterLastProjection(LiquidState& s) = 0;
    virtual void leave(LiquidState& s) = 0;
    // Call it after the state of the bodies was read from a checkpoint.
    virtual void restore() = 0;
};

}  // namespace flotsam
