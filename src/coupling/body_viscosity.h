// Bodies in the viscous system: docs/methods/viscosity.md, section 8.
//
// Faces whose centre is in a body move with it, u_f = R_f V, and the differences of the stress end at its surface. The
// terms of the energy that involve bodies give the system
//     (M + sum m_f R_f^T R_f + K) V + B^T u = M V* + sum m_f R_f^T u*_f,     A u + B V = b,
// with the sums over the faces in bodies. Joints and contacts are enforced, as in the pressure system.
#pragma once

#include "coupling/body_pressure.h"
#include "liquid/viscous_bodies.h"

namespace flotsam {

class BodyViscosity : public ViscousBodies {
public:
    using Vector6 = BodyPressure::Vector6;
    using Matrix6 = BodyPressure::Matrix6;

    BodyViscosity(const RigidWorld& world, const std::vector<const BodyObstacle*>& shapes, BodyPressure& pressure,
                  double h_m);

    void startStep() { impulses.assign(shapes.size(), Vector6::Zero()); }
    // The velocity change of a body by viscosity in this step.
    VelocityChange changeOf(size_t body) const;

    int bodyOf(const Obstacle* obstacle) const override;
    void assemble(double unit_mass, const std::vector<StressLink>& links,
                  const std::vector<std::pair<int, LiquidOnBody>>& liquid, ConstMacView u) override;
    double momentumSquared() const override;
    void finish(const double* const (&solution)[3], MacView u) override;

    void setCoupling(double* const (&out)[3]) const override;
    void clearCoupling(double* const (&out)[3]) const override;
    void startCorrections() override;
    void keepResidual() override;
    void addResidual(MacView u) override;
    double setRightHandSide(ConstMacView u, ConstMacView base) override;
    double workOfSolution() const override;
    void addSolution(MacView u) override;
    double workOfProduct() const override;
    void turnDirection(double beta) override;
    double workOfResidual() override;
    void advance(double alpha) override;
    void endCorrections() override;

    double residual(const double* const (&u)[3]) override;
    double precondition() override;
    void turn(double alpha, double beta) override;
    double multiply(const float* const (&p)[3], float* const (&ap)[3]) override;
    double descend(double alpha) override;
    void addCorrection(float* const (&out)[3]) const override;

private:
    // A face whose coefficients of V in B are `row`.
    struct Entry {
        int axis;
        size_t index;
        Vector6 row;
    };
    // A face that moves with a body: its liquid is added to the mass of the body.
    struct Face {
        size_t body;
        int axis;
        Int3 at;
        double mass;
        Vector6 row;
    };
    using Vectors = std::vector<Vector6>;

    Vector6 rowAt(size_t body, int axis, Vec3 p_m) const;
    Vector6 velocityOf(size_t body) const;
    Matrix6 massOf(size_t body) const;
    void addLink(const StressLink& link);
    void mergeEntries();
    // K V + B^T u: the viscous force that resists the motion.
    template <class T>
    Vectors stressOn(const Vectors& v, const T* const (&u)[3]) const;
    void moveFaces(MacView u) const;  // by the change of the velocities from base
    double setCorrection();           // z from s; returns |s|^2 without the forces of joints and contacts

    const RigidWorld& world;
    const std::vector<const BodyObstacle*>& shapes;
    BodyPressure& pressure;
    double h_m;
    double unit_per_kg = 1;  // of the units of the system
    std::vector<Face> faces;
    std::vector<std::vector<Entry>> entries;                 // B, by body
    std::map<std::pair<size_t, size_t>, Matrix6> stiffness;  // K, by bodies
    std::vector<Matrix6> mass;                               // M, with the liquid of the faces
    ConstrainedMass inverse;                                 // of the mass and K of each body
    BodyPressure::Motion base, direction;
    Vectors g, q;
    Vectors y, y_start, known, s, z, p, ap, impulses;  // known: c less the momentum at y_start
};

}  // namespace flotsam
