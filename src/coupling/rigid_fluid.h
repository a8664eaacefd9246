// The rigid fluid method as published (Carlson, Mucha, Turk 2004; thesis chapter 5): docs/methods/coupling.md, section
// 3.
#pragma once

#include "coupling/coupled_bodies.h"
#include "coupling/rigid_motion.h"
#include "scene/scene.h"

namespace flotsam {

class RigidFluid : public CoupledBodies {
public:
    RigidFluid(const Scene& scene, const Grid& grid, const Solids& solids, RigidWorld& world);

    // Marks the bodies that start in the liquid.
    void start(const LiquidState& s);
    // Until becomeBodies(), the wet bodies are part of the liquid: phi is the minimum of its own and of theirs.
    void becomeLiquid(LiquidState& s, LiquidScratch& w);
    // The extra buoyant weight of Patankar (2001), which reduces the slip at the body surface: dt f (s - 1). The source
    // term then has no f.
    void addBuoyancy(LiquidState& s) const;
    // Eqs. 70-80: adds the source term, fits the rigid motion with the momentum of the field in the body, and imposes
    // it on the field.
    void becomeRigid(LiquidState& s);
    // Stores the velocity changes, and restores phi of the liquid.
    void becomeBodies(LiquidState& s);

private:
    struct WetBody {
        size_t body;
        double density;            // relative to the liquid
        VelocityChange before;     // its motion when it became liquid
        VelocityChange in_field;   // its motion in the field of the last step
        VelocityChange collision;  // dt A_c, dt alpha_c: change by contacts since then
        std::vector<BodyCell> cells;
        std::vector<BodyFace> faces;
        NormalMatrix matrix;  // of the rigid-motion fit over these faces
    };
    struct CoveredCell {
        Int3 cell;
        float phi_m;
    };

    void enter(WetBody& body, LiquidState& s);
    void coverPhi(LiquidState& s, LiquidScratch& w);
    void addSource(const WetBody& body, LiquidState& s) const;
    void fitMotion(const WetBody& body, LiquidState& s);
    void impose(const WetBody& body, LiquidState& s) const;

    CouplingParams params;
    std::vector<double> densities;  // of the bodies, relative to the liquid
    std::vector<WetBody> wet;
    std::vector<CoveredCell> covered;  // phi of the liquid in the cells covered by bodies
};

}  // namespace flotsam
