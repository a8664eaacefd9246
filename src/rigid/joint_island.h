// Bodies connected by joints, during a substep: docs/methods/joints.md.
#pragma once

#include <span>

#include "rigid/constrained_mass.h"
#include "rigid/joint_demands.h"
#include "rigid/state.h"

namespace flotsam {

struct JointContext {
    const std::vector<Body>& bodies;
    const std::vector<Joint>& joints;
    double t_s = 0, dt_s = 0;
    bool planar = false;
};

// Work on the bodies of an island in a substep, by what did it [J]. The constraints themselves do none while bodies
// move (they act along discrete gradients); `closing` is what removing their rates at the end takes.
struct JointWork {
    double motors = 0, springs = 0, stops = 0, closing = 0;

    JointWork& operator+=(const JointWork& w)
    {
        motors += w.motors, springs += w.springs, stops += w.stops, closing += w.closing;
        return *this;
    }
    double sum() const { return motors + springs + stops + closing; }
};

// Impulses on a body by joints: their motors, and everything else.
struct JointImpulses {
    Impulse joints, motors;
};

class JointIsland {
public:
    using Vector6 = JointTree::Vector6;
    using Matrix6 = JointTree::Matrix6;

    JointIsland(std::vector<int> joints, const std::vector<Joint>& all, int moving);

    const std::vector<int>& bodies() const { return tree.bodies(); }
    const std::vector<int>& joints() const { return tree.joints(); }

    // Sets up the rows in the current poses, with the velocities of all bodies.
    void start(const JointContext& context, const RigidState& state, std::span<const SolverBody> solver);
    // Removes the rates of the constraints from velocities, without limits, springs and motors.
    void project(std::span<SolverBody> solver);
    // Solves all rows for the velocities at the end of the substep. Call it again after contacts have changed them.
    void solveVelocities(std::span<SolverBody> solver);
    // Forgets what solveVelocities() did.
    void discard();
    // Moves the bodies from their velocities in `solver` (joint_move.cpp). touched: they have contacts, and `solver`
    // has the velocities that solveVelocities() left; otherwise those at the start of the substep.
    void move(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
              RigidState& state, std::span<SolverBody> solver);
    // Closes the joints after a displacement, without a change of velocity.
    void close(const JointContext& context, RigidState& state);
    // Appends the rows that act: the constraints, and limits, motors and springs that were active in the last substep.
    void addActiveRows(const JointContext& context, const RigidState& state, std::vector<HeldRow>& held);
    // The velocity changes that impulses cause, with all joints enforced. Call factorActive() once for these poses.
    void factorActive(const JointContext& context, const RigidState& state);
    void respond(std::span<const Impulse> impulses, std::span<VelocityChange> changes);

    struct Member {
        int index = 0;                      // of the joint
        int a = -1, b = -1;                 // local indices of its bodies; -1: does not move
        PosedJoint start;                   // at the start of the substep
        JointRows rows;                     // in the current poses
        JointDemands demands, first;        // first: as set up at the start of the substep
        VelocityChange still_a, still_b;    // the velocities of those that do not move
        Impulse on_b;                       // sum over the substep, at the anchor
        double motor_J = 0, motor_N_s = 0;  // work and impulse of the motor in the substep [N s or N m s]
        bool limited = false;               // the motor was at its limit
    };
    const std::vector<Member>& members() const { return list; }
    const JointWork& work() const { return work_J; }  // in this substep
    // Impulses on each body in this substep: by project() and solveVelocities(), in the poses at its start, and by
    // move().
    std::span<const Impulse> projected() const { return projected_by; }
    std::span<const JointImpulses> solved() const { return solved_by; }
    std::span<const JointImpulses> moved() const { return moved_by; }
    int rounds() const { return most_iterations; }  // of Newton's method, the most of any move of this substep
    bool converged() const { return is_converged; }
    bool near = false;              // a body of it has a contact point
    bool held_by_contacts = false;  // its response is that of a larger system

private:
    enum class Uses { all, rigid, holds };
    // A body during a move.
    struct Moving {
        BodyState before;
        VelocityChange entered;                    // the velocity before the move
        Impulse kick;                              // of the joints at the start of the move
        VelocityChange from, given;                // the velocity after it; the change by external forces
        Vec3 momentum;                             // angular, at the start, with that of external torques
        VelocityChange mid;                        // mean velocity over the move
        Eigen::Matrix3d start, end;                // world from body
        Eigen::Matrix3d inertia, inverse_inertia;  // in body axes
        Eigen::Matrix3d tangent;                   // of the rotation: (mean spin) dt to the end of the move
        Impulse joints;                            // sum of all joint impulses
    };

    double rateOf(const Member& m, const ConstraintRow& row) const;
    void gather(std::span<const SolverBody> solver);
    void scatter(std::span<SolverBody> solver) const;
    void setMasses(const JointContext& context, const RigidState& state);
    void setRows(const JointContext& context, const RigidState& state);
    void setDemands(const JointContext& context, const RigidState& state);
    void turnDemands(const JointContext& context, const RigidState& state);
    bool uses(Uses which, const JointDemand& d) const;
    void factor(Uses which, JointTree& solver);
    static ConstraintRow rowNow(const Member& m, int n);
    template <class F>
    void forActiveRows(const F& f) const;
    // Finds the change that gives each row in use the rate it misses, and its impulses.
    template <class Missing>
    void solve(Uses which, const JointTree& solver, const Missing& missing);
    // Adds the change, counts impulses and work. closing: it only removes rates.
    void apply(std::vector<JointImpulses>& sums, bool closing = false);
    void count(Member& m, JointDemand& d, const ConstraintRow& row, double l, double rate,
               std::vector<JointImpulses>& sums, double removed = 0);
    bool changeActive();
    void addForce(const Member& m, const ConstraintRow& row, double l);

    // Stages of move().
    void startMove(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                   const RigidState& state);
    void place(const JointContext& context, RigidState& state);
    double setSystem(const JointContext& context, Uses which, RigidState& state);
    // is_factored: the factors of a nearby system are there.
    bool newton(const JointContext& context, Uses which, bool is_factored, RigidState& state);
    bool changeActiveMoved();
    bool moveClosed(const JointContext& context, Uses which, bool touched, RigidState& state);
    void setEndVelocities(const JointContext& context);
    void solveEnd(const JointContext& context, const RigidState& state);
    bool isSmooth() const;
    double kickStart(const JointContext& context, std::span<const double> l);
    double energyOfEnd() const;
    bool balance(const JointContext& context, RigidState& state);
    void countMove();
    void projectEnd(const JointContext& context, RigidState& state);
    void moveHalves(const JointContext& context, std::span<const VelocityChange> acceleration, int depth,
                    RigidState& state);
    void movePart(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched, int depth,
                  RigidState& state);

    JointTree tree, end_tree;  // the second in the poses at the end of a move
    std::vector<Member> list;
    std::vector<Matrix6> mass;
    std::vector<SolverRows> rows, end_rows;
    std::vector<double> right, impulse, end_impulse;
    std::vector<Vector6> change, force;
    std::vector<VelocityChange> velocity;
    std::vector<Impulse> projected_by;
    std::vector<JointImpulses> solved_by, moved_by;
    std::vector<Moving> motion;
    std::vector<double> mid_impulse, start_impulse;  // by joint and row, during the current move and at its start
    std::vector<ConstraintRow> mid_row;
    double projection_loss = 0;  // of the kinetic energy, by the end of a move without balance()
    JointWork work_J;
    int most_iterations = 0;
    bool is_converged = true, all_factored = false;  // all_factored: `tree` is that of Uses::all and the active rows
};

template <class Missing>
void JointIsland::solve(Uses which, const JointTree& solver, const Missing& missing)
{
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            const JointDemand& d = list[j].demands.list[n];
            right[j * JointTree::stride + size_t(n)] = uses(which, d) ? missing(list[j], d, n) : 0;
        }
    solver.solve(right, force, change, impulse);
}

}  // namespace flotsam
