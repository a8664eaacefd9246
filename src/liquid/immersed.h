// Bodies that the liquid moves and that move the liquid, as its step sees them: docs/methods/coupling.md.
#pragma once

#include "liquid/solids.h"

namespace flotsam {

class Immersed {
public:
    virtual ~Immersed() = default;

    // Once, when the liquid is in its place.
    virtual void start(const LiquidState& s) = 0;
    // Moves the bodies by dt_s, with what the liquid did to them in the last step, contacts included.
    virtual void move(double dt_s) = 0;
    // The scene's solids and the bodies: what the surface, its particles and the volume heed.
    virtual const Solids& barriers() const = 0;
    virtual double fastest() const = 0;  // [m/s] of any point

    // From here until leave() the wet bodies are part of the liquid.
    virtual void enter(LiquidState& s, LiquidScratch& w) = 0;
    // The stages of the velocity's solve, beside each of which a coupling method may have its say. The last projection
    // is followed by the bodies' own: they are rigid again.
    virtual void afterForces(LiquidState&) {}
    virtual void afterFirstProjection(LiquidState&) {}
    virtual void beforeAdvection(LiquidState&) {}
    virtual void afterAdvection(LiquidState&) {}
    virtual void afterViscosity(LiquidState&) {}
    virtual void afterLastProjection(LiquidState& s) = 0;
    virtual void leave(LiquidState& s) = 0;
    // After the state of the bodies was read from a checkpoint.
    virtual void restore() = 0;
};

}  // namespace flotsam
