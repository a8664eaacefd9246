// Bodies in the pressure system (Batty, Bertails, Bridson 2007): docs/methods/coupling.md, section 2.
//
// J has the covered fractions w_f of faces: the flow of the bodies out of a cell is (J^T V)_i, and the impulse of the
// pressure on them is rho h^3 J q. With C the inverse mass of the bodies, joints and contacts enforced,
//     (A + rho h^3 J^T C J) q = wanted - outflow* - J^T V*,     V = V* + rho h^3 C J q.
#pragma once

#include <map>
#include <memory>
#include <set>

#include "coupling/body_cover.h"
#include "liquid/pressure_bodies.h"

namespace flotsam {

struct BodyEntry;
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
    bool isWet(size_t body) const { return wet[body] != 0; }
    // The velocity change of a body by contacts and joints (the rows), since start().
    VelocityChange heldChange(size_t body) const;

    void startProjection(LiquidState& s, PoissonSolver& solver) override;
    bool endProjection(PoissonSolver& solver, LiquidState& s) override;
    void addOutflow(float* out) const override;
    double multiply(const float* v) override { return multiplyBy(v); }
    void multiply(const double* v) override { multiplyBy(v); }
    void subtract(double scale, float* r) const override;
    bool prepareCoarse(const PoissonLevel& level, int build) override;
    void correctSolution(double* x, float* r) override;
    double correct(const float* r, float* z) override;

    // A region of the control volume of a face that moves with a body.
    struct Covered {
        size_t body;
        int axis;
        Int3 at;
        double part;
        Vector6 row;  // row . V is the velocity of its centroid along the axis
    };
    // Liquid at a locked face, which moves with the body.
    struct Carried {
        Covered at;
        double mass_kg;
    };
    const std::vector<Carried>& carriedLiquid() const { return carried; }
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
    // The region of a body in the half cell at a closed boundary of the domain, which no inner control volume contains.
    struct End {
        Covered at;
        double volume_m3;
    };
    struct Item {
        size_t key, body;
        const FaceCover* cover;
    };
    using Entry = BodyEntry;

    void coverFace(std::span<const Item> items, const std::vector<const BodyObstacle*>& shapes, View3<const float> phi,
                   Solids& walls);
    bool isInAnother(size_t body, Int3 cell) const;
    void assemble(const LiquidState& s, const PoissonSolver& solver);
    void mergeClosedCells(const std::map<std::pair<size_t, size_t>, Vector6>& closed, View3<const float> phi,
                          const PoissonLevel& level);
    template <class T>
    double multiplyBy(const T* v);
    template <class T>
    std::vector<Vector6> impulsesOf(const T* v) const;
    double accelerateBy(const std::vector<Vector6>& impulses);
    void stopAlongRows();
    bool changeContacts();
    bool releaseContacts();
    Vector6 velocityOf(size_t body) const;

    const Grid& grid;
    RigidWorld& world;
    std::vector<const BodyObstacle*> bodies;
    const Solids* solids_and_bodies = nullptr;
    double density_kg_m3, cell_kg;
    std::vector<Covered> covered;
    std::vector<Carried> carried;
    std::vector<End> ends;
    std::vector<Matrix6> carried_kg;
    std::vector<char> wet;
    std::vector<HeldRow> rows;                // of the acting contacts and joints
    ConstrainedMass mass;                     // with them
    std::vector<std::vector<Entry>> rows_of;  // by body
    std::set<size_t> is_covered;              // closed cells next to bodies
    std::unique_ptr<BodyCoarseSpace> coarse;
    int coarse_build = -1;  // the build of the solver that it belongs to; -1: none
    bool is_assembled = false, is_coarse_factored = false, has_coarse = false, looks_for_contacts = true;
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
