// Bodies connected by joints, during a substep: docs/methods/joints.md.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "rigid/constrained_mass.h"
#include "rigid/joint_demands.h"
#include "rigid/joint_response.h"
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

    // Before a substep.
    void reset()
    {
        is_started = near = false;
        work_J = {};
    }
    // Sets up the rows in the poses and with the velocities at the start of the substep. Only the first call does.
    void start(const JointContext& context, const RigidState& state);
    // Removes the rates of the constraints from velocities, without limits, springs and motors.
    void project(std::span<SolverBody> solver);
    // Solves all rows for the velocities at the end of the substep. Call it again after contacts have changed them.
    void solveVelocities(std::span<SolverBody> solver);
    // Sweeps over the contacts, from the velocities that solveVelocities() left. Impulses act on response(), with the
    // rows that are active now enforced; endSweeps() adds them to the velocities as if there were no joints.
    void startSweeps();
    void endSweeps(std::span<SolverBody> solver) const;
    JointResponse& response() { return contact_response; }
    // Whether the last solveVelocities() found other limits or motors at their bounds.
    bool changedActive() const { return sets_changed; }
    // Whether these are the velocities that solveVelocities() left.
    bool isSolved(std::span<const SolverBody> solver) const;
    int localOf(int body) const
    {
        return int(std::lower_bound(bodies().begin(), bodies().end(), body) - bodies().begin());
    }
    // Sums the work and the impulses of solveVelocities(). before: the velocities before forces, contacts and joints.
    void countSolved(std::span<const VelocityChange> before);
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
        int index = 0;             // of the joint
        int a = -1, b = -1;        // local indices of its bodies; -1: does not move
        PosedJoint start, now;     // at the start of the substep, and in the current poses
        JointRows rows, mid_rows;  // in the current poses, and between both
        JointDemands demands;
        VelocityChange still_a, still_b;    // the velocities of those that do not move
        Impulse on_b;                       // sum over the substep, at the anchor
        double motor_J = 0, motor_N_s = 0;  // work and impulse of the motor in the substep [N s or N m s]
        bool limited = false;               // the motor was at its limit
        bool has_coordinates = false, has_values = false;  // in `rows`
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
    bool near = false;              // a body of it has a contact point, or it floats
    bool floats = false;            // a body of it moves like the liquid around it
    std::vector<char> touching;     // by local body: those
    bool swept = false;             // takes part in the present sweeps over contacts
    bool held_by_contacts = false;  // its response is that of a larger system

private:
    enum class Uses {
        all,
        rigid,  // those that do not give way: after contacts, soft ones have acted already
        holds   // those of the joints' kinds
    };
    // A body during a move.
    struct Moving {
        BodyState before, after;
        VelocityChange entered;      // the velocity before the move
        Impulse kick;                // of the joints at the start of the move
        VelocityChange from, given;  // the velocity after it; the change by external forces
        Vec3 momentum;               // angular, at the start, with that of external torques
        VelocityChange mid;          // mean velocity over the move
        double inverse_mass = 0;
        Eigen::Matrix3d start, end;                // world from body
        Eigen::Matrix3d inertia, inverse_inertia;  // in body axes
        Eigen::Matrix3d tangent;                   // of the rotation: (mean spin) dt to the end of the move
        Impulse joints;                            // sum of all joint impulses
    };

    double rateOf(const Member& m, const ConstraintRow& row) const
    {
        return row.rate(m.a < 0 ? m.still_a : velocity[size_t(m.a)], m.b < 0 ? m.still_b : velocity[size_t(m.b)]);
    }
    void gather(std::span<const SolverBody> solver);
    void scatter(std::span<SolverBody> solver) const;
    void setMasses(const JointContext& context, const RigidState& state);
    void setRows(const JointContext& context, const RigidState& state);
    void setDemands(const JointContext& context, const RigidState& state);
    void setStill(const JointContext& context, const RigidState& state);
    static bool uses(Uses which, const JointDemand& d);
    // The row of a demand in the current poses, or between those at the start and the current ones.
    static const ConstraintRow& rowOf(const JointRows& rows, const JointDemand& d, int n);
    template <class F>
    void forActiveRows(const F& f) const;
    void factorStart(Uses which);
    void factorEnd();
    void countWork(Member& m, const JointDemand& d, double l, double rate, double removed);
    void count(Member& m, JointDemand& d, const ConstraintRow& row, double l, double rate, double removed = 0);
    bool changeActive();
    bool addFixed();
    // Returns whether they are closed.
    bool displaceUntilClosed(const JointContext& context, RigidState& state);
    void countAtAnchors();
    static bool needsCoordinates(Uses which, const JointDemands& demands);

    // Stages of move().
    void startMove(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                   const RigidState& state);
    void place(const JointContext& context, RigidState& state);
    double setResidual(const JointContext& context, Uses which, RigidState& state);
    void setSystem(const JointContext& context, Uses which);
    bool isBalanced() const;
    void setMissingValues(const JointContext& context, const RigidState& state);
    double addChange(const JointContext& context, Uses which);
    bool newton(const JointContext& context, Uses which, RigidState& state);
    bool changeActiveMoved();
    bool moveClosed(const JointContext& context, Uses which, RigidState& state);
    void setEndVelocities(const JointContext& context);
    bool solveEnd(const JointContext& context, const RigidState& state);
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
    void moveFree(const JointContext& context, bool touched, RigidState& state);

    // The factors in the poses at the end of a move. Those of the move itself are needed again while balance() is under
    // way; after contacts they are not, and one tree is less data.
    JointTree& endTree() { return moves_touched ? tree : end_tree; }

    JointTree tree, end_tree;
    JointResponse contact_response;
    std::vector<Member> list;
    std::vector<Matrix6> mass;
    std::vector<SolverRows> rows, end_rows;
    std::vector<double> right, impulse, end_impulse, rate_before;  // of a solve
    std::vector<Vector6> change, force;
    std::vector<VelocityChange> velocity;
    std::vector<Impulse> projected_by;
    std::vector<JointImpulses> solved_by, moved_by;
    std::vector<Moving> motion;
    std::vector<double> mid_impulse, start_impulse;  // by joint and row, during the current move and at its start
    std::vector<ConstraintRow> end_row;              // by joint and row: J' of Newton's method
    double soft_error = 0;       // the largest of a row that is not closed, in the current guess of a move
    double projection_loss = 0;  // of the kinetic energy, by the end of a move without balance()
    JointWork work_J;
    int most_iterations = 0;
    bool is_converged = true;
    bool sets_changed = false;
    bool is_started = false;
    bool moves_touched = false;  // the current move is one after contacts
    bool is_solved = false;      // solveVelocities() was called in this substep; `velocity` is its result
    // Which factors `tree` has in the poses at the start, and whether endTree() has those of the current poses.
    std::optional<Uses> factored;
    bool end_factored = false, move_factored = false;  // move_factored: `tree` has those of the current move
    bool response_factored = false;                    // contact_response has those of `tree`
};

}  // namespace flotsam
