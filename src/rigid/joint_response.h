// The velocities of joined bodies under impulses at some of them, with all joints enforced: docs/methods/joints.md,
// section 5.
#pragma once

#include "rigid/joint_tree.h"

namespace flotsam {

class JointResponse {
public:
    using Vector6 = JointTree::Vector6;
    using Matrix6 = JointTree::Matrix6;

    // wanted: by local body, those at which impulses act. `tree` has factors with the same rows at both ends.
    void factor(const JointTree& tree, std::span<const char> wanted);
    // The velocity changes per impulse on b.
    Matrix6 between(int a, int b) const;

    // Sets the velocities; no impulse has acted.
    void start(std::span<const VelocityChange> velocities);
    Vector6 velocityOf(int body);
    void add(int body, const Vector6& impulse);
    // The sum of what was added since start().
    const Vector6& impulseOn(int body) const { return nodes[size_t(body)].added; }

private:
    // A body between the root and a wanted one. Velocities are up to date on the path from the root to `current`; the
    // impulses that are not yet part of the velocities of the other bodies wait where they acted.
    struct Node {
        int parent = -1, depth = 0;
        bool wanted = false;
        Matrix6 response;     // of the tree, to impulses on this body
        Matrix6 from_parent;  // the change of this body's velocity with that of its parent
        Vector6 velocity, added;
        Vector6 of_parent;  // the velocity of the parent that is part of this body's
        Vector6 waiting;    // impulses on this body and those below it that the parent has not received
    };
    using LoopColumns = Eigen::Matrix<double, 6, Eigen::Dynamic>;

    Matrix6 ofTree(int a, int b) const;
    void moveTo(int body);
    void leave();
    void enter(int body);

    std::vector<Node> nodes;
    std::vector<int> path;  // scratch
    int root = -1, current = -1;
    // Joints that close loops subtract Z Z^T from the response of the tree. loops: Z by body; loop_sum: Z^T impulses.
    std::vector<LoopColumns> loops;
    Eigen::VectorXd loop_sum;
};

}  // namespace flotsam
