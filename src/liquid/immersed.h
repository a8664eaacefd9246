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

    // From here until leave() the wet bodies are liquid of their own density, with their own velocity.
    virtual void enter(LiquidState& s, LiquidScratch& w) = 0;
    // Where a body is, the liquid has its velocity.
    virtual void impose(LiquidState& s) const = 0;
    // The bodies take over the momentum that the projection left where they are, and are rigid again.
    virtual void solidify(LiquidState& s) = 0;
    virtual void leave(LiquidState& s) = 0;
    // After the state of the bodies was read from a checkpoint.
    virtual void restore() = 0;
};

}  // namespace flotsam
