// What the coupling methods share: bodies that are moved, wetted, taken for liquid while the velocity is solved for,
// and measured.
#pragma once

#include <vector>

#include "coupling/rigid_motion.h"
#include "liquid/immersed.h"
#include "scene/scene.h"

namespace flotsam {

// What made a body move as it did in a step [N s, N m s about its centre of mass]: pressure and viscosity of the
// liquid's solve before, and contacts.
struct StepImpulses {
    Impulse pressure, viscosity, contact, gravity;
};

// Of the last step of a world, as if all bodies were dry.
std::vector<StepImpulses> dryImpulses(const RigidWorld& world, double dt_s);

class ImmersedBodies : public Immersed {
public:
    // solids, world: of the same scene; the world is moved by move() alone, the solids before that.
    ImmersedBodies(const Scene& scene, const Grid& grid, const Solids& solids, RigidWorld& world);

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
        double density;                    // over the liquid's
        bool was_wet;                      // in the step before, too
        VelocityChange support;            // what contacts will add in this step, where they hold the body
        VelocityChange support_before;     // that of the step before: the field has it, the bodies' own step has not
        VelocityChange before, viscosity;  // at the start of the liquid's solve; what its viscous part added
        std::vector<BodyCell> cells;
        std::vector<BodyFace> faces;
        NormalMatrix matrix;  // of the rigid motion in those
    };

    virtual std::vector<BodyFace> facesOf(const BodyObstacle& body, const std::vector<BodyCell>& near) const = 0;
    // The bodies have become liquid: what the method does to the field before the forces.
    virtual void begin(LiquidState& s, LiquidScratch& w) = 0;

    VelocityChange motionOf(const WetBody& body) const;
    // What contacts added to it in this step's move.
    VelocityChange collisionOf(const WetBody& body) const;
    // Its motion before those, which the field has.
    VelocityChange motionBefore(const WetBody& body) const;
    // Whether the field has the velocity that the body left there: not if it was dry, or starts in the liquid.
    bool isInField(const WetBody& body, const LiquidState& s) const { return body.was_wet && s.step > 0; }
    void addMotion(const WetBody& body, const VelocityChange& change);
    // The rigid motion that the body's faces have beside its own becomes its own too; returns it.
    VelocityChange takeMotion(const WetBody& body, LiquidState& s);
    void impose(const WetBody& body, LiquidState& s) const;
    void imposeAll(LiquidState& s) const;

    const Grid& grid;
    RigidWorld& world;
    std::vector<WetBody> wet;
    double dt_s = 0;  // of the step

private:
    struct CoveredFaces {
        Int3 cell;
        float phi_m;
    };

    void tryContacts(const std::vector<double>& submerged);
    bool isAround(const BodyCell& c) const { return c.distance_m >= 0 && double(c.distance_m) < grid.h; }
    bool isWet(const std::vector<BodyCell>& near, View3<const float> phi) const;
    double submergedPart(const std::vector<BodyCell>& near, View3<const float> phi) const;
    void becomeLiquid(LiquidState& s, LiquidScratch& w);
    VelocityChange supportOf(size_t body, const LiquidState& s) const;
    void becomeWet(WetBody& body);
    void becomeDry(size_t body);

    std::vector<double> densities;            // of the bodies over the liquid's
    std::vector<VelocityChange> held_1_s;     // what contacts add in a second, before the first step
    std::vector<const BodyObstacle*> shapes;  // of the moving bodies, among the following
    Solids solids_and_bodies;
    std::vector<CoveredFaces> covered;  // phi of the liquid where bodies took its place
    RigidReport last_report;
    std::vector<StepImpulses> last_impulses;
};

}  // namespace flotsam
