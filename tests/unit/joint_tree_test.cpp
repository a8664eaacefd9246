// The direct solver of joints against a dense solve of the same system.
#include <gtest/gtest.h>

#include <random>

#include "rigid/joint_tree.h"
#include "rigid/world.h"

using namespace flotsam;

namespace {

class Random {
public:
    double operator()() { return uniform(generator); }
    Vec3 vec() { return {(*this)(), (*this)(), (*this)()}; }

private:
    std::mt19937 generator{7};
    std::uniform_real_distribution<double> uniform{-1, 1};
};

ConstraintRow randomRow(Random& random) { return {random.vec(), random.vec(), random.vec()}; }

// The largest difference of the velocity changes to those of the dense system, over the largest change.
double errorOf(const std::vector<Joint>& joints, int bodies, bool symmetric, Random& random)
{
    std::vector<int> all(joints.size());
    for (size_t j = 0; j < all.size(); ++j) all[j] = int(j);
    JointTree tree(all, joints, bodies);
    std::vector<SolverRows> rows(joints.size()), end(joints.size());
    std::vector<ConstraintRow> starts(4 * joints.size()), ends(starts.size());
    for (size_t j = 0; j < joints.size(); ++j)
        for (int n = 0; n < 1 + int(j % 4); ++n) {
            ConstraintRow &row = starts[4 * j + size_t(n)], &later = ends[4 * j + size_t(n)];
            row = later = randomRow(random);
            rows[j].add(n, row, 0.01);
            end[j].add(n, later, 0.01);
            if (symmetric) continue;
            const ConstraintRow other = randomRow(random);
            later.linear += 0.1 * other.linear;
            later.angular_a += 0.1 * other.angular_a;
            later.angular_b += 0.1 * other.angular_b;
        }
    std::vector<JointTree::Matrix6> mass(static_cast<size_t>(bodies));
    std::vector<JointTree::Vector6> force(mass.size()), change(mass.size());
    for (size_t i = 0; i < mass.size(); ++i) {
        const JointTree::Matrix6 m = JointTree::Matrix6::NullaryExpr([&] { return random(); });
        mass[i] = m * m.transpose() + JointTree::Matrix6::Identity();
        force[i] = JointTree::Vector6::NullaryExpr([&] { return random(); });
    }
    std::vector<double> right(joints.size() * JointTree::stride), impulse(right.size());
    for (double& r : right) r = random();
    tree.factor(rows, end, mass);
    tree.solve(right, force, change, impulse);

    int count = 0;
    for (const SolverRows& r : rows) count += r.count;
    const int n = 6 * bodies;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(n + count, n + count);
    Eigen::VectorXd known(n + count);
    for (int i = 0; i < bodies; ++i) {
        dense.block<6, 6>(6 * i, 6 * i) = mass[size_t(i)];
        known.segment<6>(6 * i) = force[size_t(i)];
    }
    int at = n;
    for (size_t j = 0; j < joints.size(); ++j)
        for (int r = 0; r < rows[j].count; ++r, ++at) {
            const auto set = [&](int body, double sign, Vec3 ConstraintRow::*angular) {
                if (body < 0) return;
                for (int axis = 0; axis < 3; ++axis) {
                    dense(6 * body + axis, at) = -sign * rows[j].row[r]->linear[axis];
                    dense(6 * body + 3 + axis, at) = -((*rows[j].row[r]).*angular)[axis];
                    dense(at, 6 * body + axis) = sign * end[j].row[r]->linear[axis];
                    dense(at, 6 * body + 3 + axis) = ((*end[j].row[r]).*angular)[axis];
                }
            };
            set(joints[j].a, -1, &ConstraintRow::angular_a);
            set(joints[j].b, 1, &ConstraintRow::angular_b);
            dense(at, at) = rows[j].compliance[r];
            known[at] = right[j * JointTree::stride + size_t(r)];
        }
    const Eigen::VectorXd exact = dense.partialPivLu().solve(known);
    double error = 0, size = 0;
    for (int i = 0; i < bodies; ++i) {
        error = std::max(error, (change[size_t(i)] - exact.segment<6>(6 * i)).cwiseAbs().maxCoeff());
        size = std::max(size, exact.segment<6>(6 * i).cwiseAbs().maxCoeff());
    }
    return error / size;
}

Joint between(int a, int b)
{
    Joint joint;
    joint.a = a;
    joint.b = b;
    return joint;
}

std::vector<Joint> randomTree(int bodies, Random& random)
{
    std::vector<Joint> joints;
    for (int i = 1; i < bodies; ++i) {
        const int other = std::min(i - 1, int(0.5 * (random() + 1) * i));
        joints.push_back(i % 2 ? between(i, other) : between(other, i));
    }
    return joints;
}

}  // namespace

TEST(Joint, TheTreeSolverAgreesWithADenseSolve)
{
    Random random;
    for (int trial = 0; trial < 20; ++trial) {
        std::vector<Joint> joints = randomTree(2 + trial, random);
        if (trial % 2) joints.push_back(between(trial / 2, world_body));
        EXPECT_LT(errorOf(joints, 2 + trial, true, random), 1e-10);  // measured 3e-15
        EXPECT_LT(errorOf(joints, 2 + trial, false, random), 1e-10);
    }
}

// The loops have a compliance of 1e-9 of their largest diagonal.
TEST(Joint, LoopsAgreeWithADenseSolve)
{
    Random random;
    for (int trial = 0; trial < 20; ++trial) {
        const int bodies = 3 + trial;
        std::vector<Joint> joints = randomTree(bodies, random);
        joints.push_back(between(0, world_body));
        joints.push_back(between(bodies - 1, world_body));
        joints.push_back(between(bodies - 1, 0));
        EXPECT_LT(errorOf(joints, bodies, true, random), 1e-5);
        EXPECT_LT(errorOf(joints, bodies, false, random), 1e-5);
    }
}

TEST(Joint, TheInverseMassEnforcesTheJoints)
{
    RigidWorld world;
    std::vector<Joint> joints;
    for (int i = 0; i < 4; ++i)
        world.add(boxBody({0.2, 0.1, 0.15}, 500), {{0.3 * i, 0.1 * i, 0}, quatOf(rotation({0.3, 0.2 * i, 0})), {}, {}});
    for (int i = 1; i < 4; ++i) {
        Joint joint;
        joint.kind = i == 2 ? JointKind::hinge : JointKind::ball;
        joint.a = i;
        joint.b = i - 1;
        placeJoint({{0.3 * i - 0.15, 0.1 * i, 0}, {0, 0, 1}, {}, {}}, world.state.bodies[size_t(i)],
                   world.state.bodies[size_t(i - 1)], joint);
        joints.push_back(joint);
    }
    world.setJoints(joints);
    // A dense solve: M dv = f + J^T l, J dv = 0.
    int count = 0;
    Eigen::MatrixXd dense = Eigen::MatrixXd::Zero(24 + 11, 24 + 11);
    for (const Joint& joint : joints) {
        const JointRows rows =
            rowsOf(joint, {}, poseOf(world.state.bodies, joint.a), poseOf(world.state.bodies, joint.b), false);
        for (int n = 0; n < rows.count; ++n, ++count)
            for (int axis = 0; axis < 3; ++axis) {
                const ConstraintRow& row = rows.row[n];
                dense(24 + count, 6 * joint.a + axis) = -row.linear[axis];
                dense(24 + count, 6 * joint.b + axis) = row.linear[axis];
                dense(24 + count, 6 * joint.a + 3 + axis) = row.angular_a[axis];
                dense(24 + count, 6 * joint.b + 3 + axis) = row.angular_b[axis];
            }
    }
    ASSERT_EQ(count, 11);
    dense.topRightCorner(24, 11) = -dense.bottomLeftCorner(11, 24).transpose();
    Eigen::VectorXd known = Eigen::VectorXd::Zero(35);
    std::vector<Impulse> impulses(4);
    Random random;
    for (size_t i = 0; i < 4; ++i) {
        impulses[i] = {random.vec(), 0.1 * random.vec()};
        const SymMat3 m = rotated(matrixOf(world.state.bodies[i].q), world.bodies[i].moments_kg_m2);
        const auto at = Eigen::Index(6 * i);
        dense.block<3, 3>(at, at).diagonal().setConstant(world.bodies[i].mass_kg);
        dense.block<3, 3>(at + 3, at + 3) << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
        for (int axis = 0; axis < 3; ++axis) {
            known[at + axis] = impulses[i].linear_N_s[axis];
            known[at + 3 + axis] = impulses[i].angular_N_m_s[axis];
        }
    }
    std::vector<VelocityChange> changes(4);
    world.applyInverseMass(impulses, changes);
    const Eigen::VectorXd exact = dense.partialPivLu().solve(known);
    for (size_t i = 0; i < 4; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(changes[i].v_m_s[axis], exact[Eigen::Index(6 * i) + axis], 1e-11);
            EXPECT_NEAR(changes[i].w_rad_s[axis], exact[Eigen::Index(6 * i) + 3 + axis], 1e-10);
        }
}
