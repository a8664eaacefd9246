// Two-way coupling by one system for the pressure, the bodies, their contacts and joints: docs/methods/coupling.md,
// section 2.
#pragma once

#include "coupling/body_viscosity.h"
#include "coupling/coupled_bodies.h"
#include "scene/scene.h"

namespace flotsam {

class Monolithic : public CoupledBodies {
public:
    Monolithic(const Scene& scene, const Grid& grid, const Solids& solids, RigidWorld& world);

    // Between enter() and leave() the bodies are unknowns of the projections and of the viscous solve.
    void enter(LiquidState& s, LiquidScratch& w);
    void leave();

private:
    std::vector<char> bodiesInSystem(std::span<const HeldRow> rows) const;

    BodyPressure pressure;
    BodyViscosity viscosity;
    std::vector<double> volume_m3;  // by moving body
    std::vector<char> in_system;    // by moving body: it is wet, or connected with wet bodies by contacts and joints
    std::vector<VelocityChange> before;  // velocities at the end of enter()
};

}  // namespace flotsam
