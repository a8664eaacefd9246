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

    // Before the first solve: finds the contacts, limits and motors that act, by a move of almost no length that is
    // taken back.
    void findContacts(double dt_s, const LiquidState& s);
    // Between enter() and leave() the bodies are unknowns of the projections and of the viscous solve. dt_s: the time
    // in which gravity acts.
    void enter(double dt_s, LiquidState& s, LiquidScratch& w);
    void leave();

private:
    std::vector<char> bodiesInSystem(std::span<const HeldRow> rows) const;

    BodyPressure pressure;
    BodyViscosity viscosity;
    std::vector<double> volume_m3;  // by moving body
    std::vector<char> in_system;    // by moving body: it is wet, or connected with wet bodies by contacts and joints
    std::vector<VelocityChange> before;  // velocities at the end of enter()
    Vec3 gravity_m_s;                    // velocity that gravity adds in this solve
};

}  // namespace flotsam
