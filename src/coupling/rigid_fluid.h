// The rigid fluid method as published (Carlson, Mucha, Turk 2004; thesis chapter 5): docs/methods/coupling.md.
#pragma once

#include "coupling/immersed_bodies.h"

namespace flotsam {

class RigidFluid : public ImmersedBodies {
public:
    RigidFluid(const Scene& scene, const Grid& grid, const Solids& solids, RigidWorld& world);

    void afterForces(LiquidState& s) override;
    void afterLastProjection(LiquidState& s) override;

protected:
    std::vector<BodyFace> facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const override;
    void begin(LiquidState& s, LiquidScratch& w) override;

private:
    struct PreviousMotion {
        VelocityChange motion;     // of the body at the end of the last step
        VelocityChange collision;  // dt A_c, dt alpha_c: change by contacts since then
    };
    void addSource(const WetBody& body, const PreviousMotion& before, LiquidState& s) const;

    CouplingParams params;
    std::vector<PreviousMotion> before;  // by wet body
};

}  // namespace flotsam
