// Two-way coupling by a projection that knows the bodies' density: docs/methods/coupling.md.
#pragma once

#include "coupling/immersed_bodies.h"

namespace flotsam {

class VariableDensity : public ImmersedBodies {
public:
    using ImmersedBodies::ImmersedBodies;

    void afterForces(LiquidState& s) override;
    void afterFirstProjection(LiquidState& s) override { solidify(s); }
    void afterAdvection(LiquidState& s) override;
    void afterViscosity(LiquidState& s) override;
    void afterLastProjection(LiquidState& s) override { solidify(s); }

protected:
    std::vector<BodyFace> facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const override;
    void begin(LiquidState& s, LiquidScratch& w) override;

private:
    void solidify(LiquidState& s);
    void mark(BodyMarks& marks) const;
};

}  // namespace flotsam
