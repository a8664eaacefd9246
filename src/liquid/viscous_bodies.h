// Bodies whose velocity is found together with that of the viscous liquid: docs/methods/viscosity.md, section 8.
#pragma once

#include "grid/stress_solver.h"
#include "liquid/solids.h"

namespace flotsam {

// The velocity of a point of a body along an axis, times a coefficient.
struct BodyPoint {
    int body = -1;  // none
    int axis = 0;
    Vec3 p_m;
    float coefficient = 0;
};

// A term of the energy that involves bodies: k/2 (sum of coefficient u over unknown faces + known + points of
// bodies)^2.
struct StressLink {
    struct Free {
        int axis;
        size_t index;  // of the slots
        double coefficient;
    };
    double k = 0, known = 0;
    int frees = 0, points = 0;
    Free free[4];
    BodyPoint point[4];
};

// Liquid at a face that moves with a body.
struct LiquidOnBody {
    int axis;
    Int3 face;
    float mass;  // of a full control volume
};

class ViscousBodies : public StressTerm {
public:
    // The number of a body whose velocity is unknown; -1 for other obstacles.
    virtual int bodyOf(const Obstacle* obstacle) const = 0;
    // Sets the system up. unit_mass: of a full control volume of liquid, in the units of the links.
    virtual void assemble(double unit_mass, const std::vector<StressLink>& links,
                          const std::vector<std::pair<int, LiquidOnBody>>& liquid, ConstMacView u) = 0;
    virtual double momentumSquared() const = 0;
    // After a solve: the bodies get the momentum that it gave them, and their faces their velocity.
    virtual void finish(const double* const (&solution)[3], MacView u) = 0;

    // The corrections of viscous_pressure.cpp. u: the current velocity; base: the accepted one. Functions that return a
    // number return the contribution of the bodies to a sum over the unknowns.
    virtual void startCorrections() = 0;      // base: the current velocities; they are the solution y
    virtual void keepResidual() = 0;          // g = s, p = the velocities
    virtual void addResidual(MacView u) = 0;  // base + M^-1 g
    virtual double setRightHandSide(ConstMacView u, ConstMacView base) = 0;  // M (u - base); y = 0
    virtual double workOfSolution() const = 0;                               // right-hand side . y
    virtual void addSolution(MacView u) = 0;                                 // base + y
    virtual double workOfProduct() const = 0;                                // (u - base) . q
    virtual void turnDirection(double beta) = 0;                             // p = u - base + beta p
    virtual double workOfResidual() = 0;                                     // g . p; q = A p
    virtual void advance(double alpha) = 0;                                  // base += alpha p, g -= alpha q
    virtual void endCorrections() = 0;                                       // the velocities are those of base
};

}  // namespace flotsam
