// Base class of the coupling methods: moves the bodies, marks wet ones as liquid for the velocity solves, and measures
// their motion.
#pragma once

#include <vector>

#include "coupling/rigid_motion.h"
#include "liquid/immersed.h"
#include "scene/scene.h"

namespace flotsam {

// Impulses on a body in one step [N s, N m s about its centre of mass]: pressure and viscosity of the preceding fluid
// solve, contacts, and joints with their motors.
struct StepImpulses {
    Impulse pressure, viscosity, contact, gravity, joint;
};

// The impulse that changes the velocity of a body in this way.
Impulse impulseOf(const RigidWorld& world, size_t body, const VelocityChange& change);

// Of the last step of a world, treating all bodies as dry.
std::vector<StepImpulses> dryImpulses(const RigidWorld& world, double dt_s);

class ImmersedBodies : public Immersed {
public:
    // solids, world: of the same scene. Only move() moves the world; the solids are moved before it.
    ImmersedBodies(const Scene& scene, const Grid& grid, const Solids& solids, RigidWorld& world,
                   Solids::Others bodies_are = Solids::Others::barriers);

    void start(const LiquidState& s) override;
    void move(double dt_s) override;
    const Solids& barriers() const override { return solids_and_bodies; }
    double fastest() const override;
    void enter(LiquidState& s, LiquidScratch& w) override;
    void leave(LiquidState& s) override;
    void restore() override { solids_and_bodies.moveTo(world.state.t_s); }

    const RigidReport& report() const { return last_report; }
    // Of the last step, by moving body.
    const std::vector<StepImpulses>& impulses() const { return last_impulses; }

protected:
    struct WetBody {
        size_t body;
        double density;                    // relative to the liquid
        bool was_wet;                      // also in the previous step
        VelocityChange support;            // predicted velocity change by supporting contacts in this step
        VelocityChange support_before;     // of the previous step: included in the field, not in the bodies' own step
        VelocityChange before, viscosity;  // at the start of the fluid solve; change by its viscous solve
        std::vector<BodyCell> cells;
        std::vector<BodyFace> faces;
        NormalMatrix matrix;  // normal matrix of the rigid-motion fit over those
    };

    virtual std::vector<BodyFace> facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const = 0;
    // Called when the bodies are marked as liquid, before the forces: changes of the field specific to the method.
    virtual void begin(LiquidState& s, LiquidScratch& w) = 0;

    VelocityChange motionOf(const WetBody& body) const;
    // Velocity change by contacts in the move of this step.
    VelocityChange collisionOf(const WetBody& body) const;
    // Motion before the contacts, which the field contains.
    VelocityChange motionBefore(const WetBody& body) const;
    // Whether the field contains the body's velocity: not if it was dry, or starts in the liquid.
    bool isInField(const WetBody& body, const LiquidState& s) const { return body.was_wet && s.step > 0; }
    void addMotion(const WetBody& body, const VelocityChange& change);
    // Adds the residual rigid motion of the body's faces (in addition to its own) to the body; returns it.
    VelocityChange takeMotion(const WetBody& body, LiquidState& s);
    void impose(const WetBody& body, LiquidState& s) const;
    void imposeAll(LiquidState& s) const;

    const Grid& grid;
    RigidWorld& world;
    std::vector<WetBody> wet;
    double dt_s = 0;                 // of the current step
    bool moves_like_liquid = false;  // wet bodies move with the velocity at the end of a step

    VelocityChange motionOf(size_t body) const;
    bool isAround(const BodyCell& c) const { return c.distance_m >= 0 && double(c.distance_m) < grid.h; }
    bool isWet(const std::vector<BodyCell>& near, View3<const float> phi) const;
    // Sets phi to the minimum of itself and phi of the wet bodies, and back.
    void becomeLiquid(LiquidState& s, LiquidScratch& w);
    void becomeBodies(LiquidState& s);
    // Marks the faces of the wet bodies with their mobility, and the cells with their distances.
    void mark(BodyMarks& marks) const;

    std::vector<double> densities;            // of the bodies, relative to the liquid
    std::vector<const BodyObstacle*> shapes;  // of the moving bodies, pointing into the list below
    Solids solids_and_bodies;
    RigidReport last_report;
    std::vector<StepImpulses> last_impulses;

private:
    struct CoveredCell {
        Int3 cell;
        float phi_m;
    };

    void tryContacts(const std::vector<double>& submerged);
    double submergedFraction(const std::vector<BodyCell>& near, View3<const float> phi) const;
    VelocityChange supportOf(size_t body, const LiquidState& s) const;
    void becomeWet(WetBody& body);
    void becomeDry(size_t body);

    std::vector<VelocityChange> trial_support_1_s;  // velocity change by contacts per second, before the first step
    std::vector<CoveredCell> covered;               // phi of the liquid in the cells covered by bodies
};

}  // namespace flotsam
