// Bodies connected by joints, during a substep: docs/methods/joints.md.
#pragma once

#include <span>

#include "rigid/joint_demands.h"
#include "rigid/state.h"

namespace flotsam {

struct JointContext {
    const std::vector<Body>& bodies;
    const std::vector<Joint>& joints;
    double t_s = 0, dt_s = 0;
    bool planar = false;
};

class JointIsland {
public:
    JointIsland(std::vector<int> joints, const std::vector<Joint>& all, int moving);

    const std::vector<int>& bodies() const { return tree.bodies(); }
    const std::vector<int>& joints() const { return tree.joints(); }

    // Sets up the rows in the current poses, with the velocities of all bodies.
    void start(const JointContext& context, const RigidState& state, std::span<const SolverBody> solver);
    // Removes the rates of the constraints from velocities, without limits, springs and motors.
    void project(std::span<SolverBody> solver);
    // Solves all rows for the velocities. Call it again after contacts have changed them.
    void solveVelocities(std::span<SolverBody> solver);
    // Moves the bodies with the velocities of `solver`, closes the joints and makes the velocities consistent with the
    // new poses. acceleration: of free motion; touched: the bodies have contacts, and move in straight lines.
    void move(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
              RigidState& state, std::span<SolverBody> solver);
    // Closes the joints after a displacement, without a change of velocity.
    void close(const JointContext& context, RigidState& state);

    struct Member {
        int index = 0;       // of the joint
        int a = -1, b = -1;  // local indices of its bodies; -1: does not move
        JointRows rows;      // in the current poses
        JointDemands demands;
        VelocityChange still_a, still_b;  // the velocities of those that do not move
        Impulse on_b;                     // sum over the substep, at the anchor
    };
    const std::vector<Member>& members() const { return list; }
    double motorWork() const { return motor_work_J; }  // in this substep
    bool converged() const { return is_converged; }

private:
    using Vector6 = JointTree::Vector6;
    enum class Uses { all, rigid, holds };

    double rateOf(const Member& m, const ConstraintRow& row) const;
    void gather(std::span<const SolverBody> solver);
    void scatter(std::span<SolverBody> solver) const;
    void setMasses(const JointContext& context, const RigidState& state);
    void setRows(const JointContext& context, const RigidState& state);
    void turnDemands(const JointContext& context, const RigidState& state);
    bool uses(Uses which, const JointDemand& d) const;
    void factor(Uses which);
    void factorMoved();
    static ConstraintRow rowNow(const Member& m, int n);
    // Finds the change that gives each row in use the rate it misses, and its impulses.
    template <class Missing>
    void solve(Uses which, const Missing& missing);
    // Adds the change, counts impulses and work.
    void apply();
    bool changeActive();
    void addForce(const Member& m, const ConstraintRow& row, double l);
    void addGiven(const JointContext& context, std::span<const VelocityChange> acceleration, double share);
    void moveClosed(const JointContext& context, RigidState& state);

    JointTree tree;
    std::vector<Member> list;
    std::vector<JointTree::Matrix6> mass;
    std::vector<SolverRows> rows, end_rows;
    std::vector<double> right, impulse;
    std::vector<Vector6> change, force;
    std::vector<VelocityChange> velocity;
    std::vector<BodyState> before;  // poses before the move
    double motor_work_J = 0;
    bool is_converged = true;
};

}  // namespace flotsam
