// Two-way coupling by a variable-density projection: docs/methods/coupling.md.
#pragma once

#include "coupling/immersed_bodies.h"

namespace flotsam {

class VariableDensity : public ImmersedBodies {
public:
    using ImmersedBodies::ImmersedBodies;

    void afterForces(LiquidState& s) override;
    void afterFirstProjection(LiquidState& s) override { solidify(s); }
    void beforeAdvection(LiquidState& s) override;
    void afterAdvection(LiquidState& s) override;
    void afterViscosity(LiquidState& s) override;
    void afterLastProjection(LiquidState& s) override { solidify(s); }

protected:
    std::vector<BodyFace> facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const override;
    void begin(LiquidState& s, LiquidScratch& w) override;

private:
    void solidify(LiquidState& s);
    std::vector<float> residualVelocity(const WetBody& body, LiquidState& s) const;

    std::vector<std::vector<float>> residuals;  // by wet body and face: field velocity minus that of the body [m/s]
};

}  // namespace flotsam
