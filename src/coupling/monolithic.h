// Two-way coupling by one system for the pressure, the bodies, their contacts and joints: docs/methods/coupling.md,
// section 3a.
#pragma once

#include "coupling/body_viscosity.h"
#include "coupling/immersed_bodies.h"

namespace flotsam {

class Monolithic : public ImmersedBodies {
public:
    Monolithic(const Scene& scene, const Grid& grid, const Solids& solids, RigidWorld& world);

    Solids* walls() override { return &solids_and_bodies; }
    void start(const LiquidState& s) override;
    void enter(LiquidState& s, LiquidScratch& w) override;
    void afterLastProjection(LiquidState&) override {}
    void leave(LiquidState& s) override;

protected:
    std::vector<BodyFace> facesOf(const BodyObstacle&, const std::vector<BodyCell>&) const override { return {}; }
    void begin(LiquidState&, LiquidScratch&) override {}

private:
    std::vector<char> bodiesInSystem(std::span<const HeldRow> rows) const;

    BodyPressure pressure;
    BodyViscosity viscosity;
    std::vector<double> volume_m3;  // by moving body
    std::vector<char> in_system;    // by moving body: it is in the liquid, or held by bodies that are
    std::vector<VelocityChange> before;
};

}  // namespace flotsam
