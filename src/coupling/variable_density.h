// Two-way coupling by a projection that knows the bodies' density: docs/methods/coupling.md.
#pragma once

#include <memory>
#include <vector>

#include "coupling/body_obstacle.h"
#include "liquid/immersed.h"
#include "scene/scene.h"

namespace flotsam {

class VariableDensity : public Immersed {
public:
    // world: of the same scene; it is moved by move() alone.
    VariableDensity(const Scene& scene, const Grid& grid, RigidWorld& world);

    void start(const LiquidState& s) override;
    void move(double dt_s) override;
    const Solids& barriers() const override { return solids_and_bodies; }
    double fastest() const override { return world.fastest(); }
    void enter(LiquidState& s, LiquidScratch& w) override;
    void impose(LiquidState& s) const override;
    void solidify(LiquidState& s) override;
    void leave(LiquidState& s) override;
    void restore() override { solids_and_bodies.moveTo(world.state.t_s); }

    const RigidReport& report() const { return last_report; }

private:
    struct Face {
        int axis;
        Int3 at;
        Vec3 lever_m;  // from the body's centre of mass
    };
    struct Wet {
        size_t body;
        double density;  // over the liquid's
        std::vector<Face> faces;
    };
    struct Covered {
        Int3 cell;
        float phi_m;
    };

    bool isWet(const BodyObstacle& obstacle, View3<const float> phi) const;
    std::vector<Face> facesIn(size_t body) const;
    void becomeLiquid(LiquidState& s, LiquidScratch& w);
    void weigh(FaceMobility& mobility) const;
    IndexBox cellsAround(const Obstacle& obstacle, int more) const;
    Vec3 velocityOf(const Wet& wet, const Face& face) const;
    void imposeOn(const Wet& wet, LiquidState& s) const;

    const Grid& grid;
    RigidWorld& world;
    std::vector<double> densities;            // of the bodies over the liquid's
    std::vector<const BodyObstacle*> shapes;  // of the moving bodies, among the following
    Solids solids_and_bodies;
    std::vector<Wet> wet;
    std::vector<Covered> covered;  // phi of the liquid where bodies took its place
    double last_dt_s = 0;
    RigidReport last_report;
};

}  // namespace flotsam
