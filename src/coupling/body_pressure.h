// Bodies in the pressure system (Batty, Bertails, Bridson 2007): docs/methods/coupling.md, section 2.
//
// J has the covered fractions w_f of faces: the flow of the bodies out of a cell is (J^T V)_i, and the impulse of the
// pressure on them is rho h^3 J q. With C the inverse mass of the bodies, joints and contacts enforced,
//     (A + rho h^3 J^T C J) q = wanted - outflow* - J^T V*,     V = V* + rho h^3 C J q.
#pragma once

#include <memory>

#include "coupling/body_flow.h"
#include "liquid/pressure_bodies.h"

namespace flotsam {

class BodyCoarseSpace;

class BodyPressure : public PressureBodies {
public:
    using Vector6 = ConstrainedMass::Vector6;
    using Matrix6 = ConstrainedMass::Matrix6;

    BodyPressure(const Grid& grid, RigidWorld& world, double density_kg_m3);
    ~BodyPressure() override;

    // Finds the faces that the bodies cover and sets the open fractions of `walls`.
    void cover(const std::vector<const BodyObstacle*>& shapes, const std::vector<double>& volume_m3,
               View3<const float> phi, Solids& walls);
    // Prepares C with these rows enforced. gravity: the velocity [m/s] that gravity adds to the bodies marked in
    // in_system. entering: bodies whose own step has already applied gravity, the velocity own_gravity.
    void start(std::vector<HeldRow> rows, const std::vector<char>& in_system, const std::vector<char>& entering,
               Vec3 gravity, Vec3 own_gravity);

    // Whether liquid touches a body.
    bool isWet(size_t body) const { return faces.wet[body] != 0; }
    // The velocity change of a body by contacts and joints (the rows), since start().
    VelocityChange heldChange(size_t body) const;

    void startProjection(LiquidState& s, PoissonSolver& solver) override;
    bool endProjection(PoissonSolver& solver, LiquidState& s) override;
    void addOutflow(float* out) const override;
    double multiply(const float* v) override { return multiplyBy(v); }
    void multiply(const double* v) override { multiplyBy(v); }
    void subtract(double scale, float* r) const override;
    bool prepareCoarse(const PoissonLevel& level, const std::vector<SealedPocket>& pockets, int build) override;
    void correctSolution(double* x, float* r) override;
    double correct(const float* r, float* z) override;

    // Liquid at locked faces, which moves with the bodies.
    const std::vector<CoveredFaces::Carried>& carriedLiquid() const { return faces.carried; }
    double cellMass_kg() const { return cell_kg; }  // of a full cell of liquid
    // The velocities of the bodies, and the impulses on them since start().
    struct Motion {
        std::vector<Vector6> v, impulses;
    };
    Motion motion() const;
    void setMotion(const Motion& motion);
    // Whether projections look for contacts that close. They do not during the corrections of viscous_pressure.h.
    void lookForContacts(bool look) { looks_for_contacts = look; }
    // Applies impulses to the bodies, in addition to those of the solve.
    void accelerate(const std::vector<Vector6>& impulses);

private:
    void assemble(View3<const float> phi, const PoissonLevel& level);
    template <class T>
    double multiplyBy(const T* v);
    template <class T>
    std::vector<Vector6> impulsesOf(const T* v) const;
    double accelerateBy(const std::vector<Vector6>& impulses);
    void stopAlongRows();
    bool changeContacts();
    bool releaseContacts();
    Vector6 velocityOf(size_t body) const;

    RigidWorld& world;
    double density_kg_m3, cell_kg;
    std::vector<const BodyObstacle*> bodies;
    const Solids* solids_and_bodies = nullptr;
    CoveredFaces faces;
    BodyFlow flow;              // J
    std::vector<HeldRow> rows;  // of the acting contacts and joints
    ConstrainedMass mass;       // with them
    std::unique_ptr<BodyCoarseSpace> coarse;
    bool is_assembled = false, looks_for_contacts = true;
    double least_closing_m_s = 0, least_N_s = 0;
    Vec3 gravity_m_s;                       // velocity that gravity adds in this step
    Vec3 gravity_here_m_s;                  // and in this projection: all of it in the first one
    std::vector<Vector6> pending, applied;  // impulses for the next projection, and since start()
    std::vector<VelocityChange> before;     // velocities at start()
    std::vector<Vector6> product;           // C J v of the last multiplication
    std::vector<Impulse> impulses_scratch;
    std::vector<VelocityChange> changes_scratch;
};

}  // namespace flotsam
