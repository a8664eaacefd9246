// A direct solver for the joints of connected bodies, linear in their number (Baraff 1996): docs/methods/joints.md.
//
// Solves for the velocity changes dv and the impulses l of all rows at once:
//     M dv = f + J^T l,       J' dv + S l = r
// with the masses M of the bodies, impulses f on them, and the compliances S of the rows. J and J' are the rows in the
// same poses, or J' in those at the end of a step. Bodies and joints of a tree
// are eliminated from the leaves to the root, which creates no new blocks. Joints that close a loop come last, as a
// dense system.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "rigid/joint_rows.h"

namespace flotsam {

// Rows of one joint that take part in a solve, stored elsewhere.
struct SolverRows {
    static constexpr int most = JointRows::most + 2;
    int count = 0;
    const ConstraintRow* row[most] = {};
    double compliance[most] = {};
    int slot[most] = {};  // where the right-hand side and the impulse of a row are stored

    void add(int at, const ConstraintRow& r, double c)
    {
        slot[count] = at;
        compliance[count] = c;
        row[count++] = &r;
    }
};

// The impulses of a row on its two bodies.
inline Eigen::Matrix<double, 6, 1> onA(const ConstraintRow& r)
{
    return {-r.linear.x, -r.linear.y, -r.linear.z, r.angular_a.x, r.angular_a.y, r.angular_a.z};
}
inline Eigen::Matrix<double, 6, 1> onB(const ConstraintRow& r)
{
    return {r.linear.x, r.linear.y, r.linear.z, r.angular_b.x, r.angular_b.y, r.angular_b.z};
}

class JointTree {
public:
    using Vector6 = Eigen::Matrix<double, 6, 1>;
    using Matrix6 = Eigen::Matrix<double, 6, 6>;

    // Indices into `all` of joints that connect their bodies; bodies from `moving` on, and the world, do not move.
    JointTree(std::vector<int> joints, std::span<const Joint> all, int moving);

    const std::vector<int>& joints() const { return joint_of; }  // by local index
    const std::vector<int>& bodies() const { return body_of; }

    // rows, end_rows: J and J' by local index of the joint; mass: by local index of the body.
    void factor(std::span<const SolverRows> rows, std::span<const SolverRows> end_rows, std::span<const Matrix6> mass);
    // right: r by joint and row; force: f by body, empty for none. Sets the changes by body and the impulses by row.
    void solve(std::span<const double> right, std::span<const Vector6> force, std::span<Vector6> change,
               std::span<double> impulse) const;

    // The response of the factored system to impulses, for JointResponse; the rows are the same at both ends.
    std::span<const int> fromRoot() const { return from_root; }  // bodies, each after its parent
    int parentOf(int body) const
    {
        return link_of[size_t(body)] == none ? none : links[size_t(link_of[size_t(body)])].parent;
    }
    // own: the velocity change of a body per impulse on it, with its parent fixed. from_parent: per velocity change of
    // its parent.
    void respond(int body, Matrix6& own, Matrix6& from_parent) const;
    // Z by body, for the wanted ones: joints that close loops subtract Z Z^T from the response of the tree. Empty
    // without loops. Returns the number of columns.
    int factorLoopResponse(std::span<const char> wanted,
                           std::vector<Eigen::Matrix<double, 6, Eigen::Dynamic>>& columns) const;

    // right[] and impulse[] of a joint start at this multiple of its local index. Impulses of rows that take no part
    // are set to 0.
    static constexpr int stride = SolverRows::most;

private:
    static constexpr int none = -1;
    using Block = Eigen::Matrix<double, Eigen::Dynamic, 6, Eigen::RowMajor, SolverRows::most, 6>;
    template <int N>
    using Rows = Eigen::Matrix<double, N, 6, Eigen::RowMajor>;

    // A joint of the tree: below it the body that it eliminates, above it the body nearer to the root. Matrices of
    // `count` rows.
    struct Link {
        int child = none, parent = none;  // local bodies; none: immobile
        bool child_is_a = false;
        int count = 0;
        int slot[SolverRows::most] = {};
        double to_child[SolverRows::most * 6] = {}, to_parent[SolverRows::most * 6] = {};  // J: impulses on each
        // J': rates of each, that of the child times D^-1
        double rate_child[SolverRows::most * 6] = {}, rate_parent[SolverRows::most * 6] = {};
        double inverse[SolverRows::most * SolverRows::most] = {};
    };
    struct Loop {
        int joint = none, a = none, b = none, count = 0, first = 0;
        int slot[SolverRows::most] = {};
        Block to_a = {}, to_b = {}, rate_a = {}, rate_b = {};
    };
    template <int N>
    void factorLink(const SolverRows& rows, const SolverRows& end, const Matrix6& d, Link& link);
    void factorLoops(std::span<const SolverRows> rows, std::span<const SolverRows> end_rows);
    double rateOf(const Loop& loop, int row, std::span<const Vector6> change) const;
    void solveTree(std::span<const double> right, std::span<const Vector6> force, std::span<Vector6> change,
                   std::span<double> impulse) const;

    std::vector<int> joint_of, body_of;
    std::vector<Link> links;            // by local joint; unused for loops
    std::vector<int> order, from_root;  // bodies from the leaves to the root, and back
    std::vector<int> link_of;           // of a body: the joint towards the root; none: the root
    std::vector<Loop> loops;
    std::vector<Matrix6> pivot;  // D^-1: the inverse mass of a body with everything below it
    int loop_rows = 0;
    std::vector<Vector6> loop_change;  // by loop row and body: the response of the tree
    std::vector<double> loop_impulse;  // by loop row, joint and row
    Eigen::MatrixXd loop_matrix, loop_inverse;
    mutable std::vector<Vector6> carried;  // scratch
    mutable std::vector<double> rest;
};

}  // namespace flotsam
