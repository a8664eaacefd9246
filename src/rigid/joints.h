// The joints of a world: docs/methods/joints.md.
#pragma once

#include "rigid/joint_island.h"

namespace flotsam {

class Joints {
public:
    void set(std::vector<Joint> joints, int moving_bodies, bool is_planar, RigidState& state);
    bool empty() const { return list.empty(); }
    bool isPlanar() const { return planar; }
    // Whether two bodies are joined and do not collide.
    bool excludes(int a, int b) const;
    bool isJoined(int body) const
    {
        return body >= 0 && size_t(body) < island_of.size() && island_of[size_t(body)] >= 0;
    }
    // The first body of those joined with this one.
    int firstOf(int body) const
    {
        return isJoined(body) ? islands[size_t(island_of[size_t(body)])].bodies().front() : body;
    }

    // Call it after reading the state from a checkpoint.
    void arrange(const RigidState& state);

    // A step; its substeps call the stages of the islands in this order.
    void startStep();
    void startSubstep();
    // Marks the islands with contact points. The others skip the stages up to move().
    void findNear(const RigidScratch& w);
    // Marks the islands with a body that moves like the liquid around it: they are treated as those with contacts, and
    // move from the velocities that solveVelocities() leaves. floating: by moving body, or none.
    void setFloating(std::span<const char> floating);
    bool isFloating(int body) const { return isJoined(body) && islands[size_t(island_of[size_t(body)])].floats; }
    void project(const std::vector<Body>& bodies, double dt_s, const RigidState& state, RigidScratch& w);
    // Islands start where they are needed first, so that one thread has their data in its cache through the sweeps over
    // their contacts (solve.cpp): 0.2 MB for a figure of 17 bodies. startAll() starts the others.
    void start(const std::vector<Body>& bodies, double dt_s, const RigidState& state, JointIsland& island) const
    {
        island.start({bodies, list, state.t_s, dt_s, planar}, state);
    }
    void startAll(const std::vector<Body>& bodies, double dt_s, const RigidState& state);
    // Solves the islands again whose velocities shock propagation has changed.
    void solveVelocities(RigidScratch& w);
    JointIsland* islandOf(int body) { return isJoined(body) ? &islands[size_t(island_of[size_t(body)])] : nullptr; }
    std::span<const JointIsland> all() const { return islands; }
    std::span<JointIsland> all() { return islands; }
    // Islands without contact impulses start their move from the velocities at the start of the substep; sets those of
    // w.solver back to w.before plus the change by the acceleration.
    void discardUntouched(std::span<const VelocityChange> acceleration, double dt_s, RigidScratch& w);
    void move(const std::vector<Body>& bodies, std::span<const VelocityChange> acceleration, double dt_s,
              RigidState& state, RigidScratch& w);
    void close(const std::vector<Body>& bodies, double dt_s, RigidState& state);
    void endStep(double step_s, RigidState& state);

    // Prepares respond() in the current poses. Islands with a body that contacts hold append their rows to `held`
    // instead, which has the rows of the contacts.
    void factorActive(const std::vector<Body>& bodies, const RigidState& state, std::vector<HeldRow>& held);
    // Appends the rows of all joints in the current poses.
    void addActiveRows(const std::vector<Body>& bodies, const RigidState& state, std::vector<HeldRow>& held);
    // The velocity changes that impulses cause in all other islands.
    void respond(std::span<const Impulse> impulses, std::span<VelocityChange> changes);

    const JointWork& work() const { return work_J; }  // in the last step
    int rounds() const { return most_rounds; }        // of Newton's method in the last step, the most of any move
    bool converged() const { return is_converged; }

    std::vector<Joint> list;
    std::vector<JointReport> reports;  // of the last step

private:
    int moving = 0;
    bool planar = false;
    std::vector<JointIsland> islands;
    std::vector<int> island_of;  // of a body; -1: not joined
    std::vector<std::pair<int, int>> excluded;
    JointWork work_J;
    int most_rounds = 0;
    bool is_converged = true;
};

}  // namespace flotsam
