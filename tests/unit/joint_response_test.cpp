// Impulses on some of the joined bodies, one after the other, against direct solves with their sum.
#include "rigid/joint_response.h"

#include <gtest/gtest.h>

#include <random>

using namespace flotsam;

namespace {

using Vector6 = JointTree::Vector6;

// Random bodies and rows; every third body is wanted.
struct Mechanism {
    std::mt19937 generator{3};
    std::uniform_real_distribution<double> uniform{-1, 1};
    std::vector<Joint> joints;
    std::vector<ConstraintRow> rows;
    std::vector<char> wanted;
    std::vector<Vector6> force;
    std::vector<int> all;

    double random() { return uniform(generator); }
    Vec3 vec() { return {random(), random(), random()}; }
    void join(int a, int b)
    {
        all.push_back(int(joints.size()));
        joints.emplace_back();
        joints.back().a = a;
        joints.back().b = b;
    }

    explicit Mechanism(int bodies, bool loops)
    {
        for (int i = 1; i < bodies; ++i) join(i % 2 ? i : i / 2, i % 2 ? i / 2 : i);
        if (loops) join(0, world_body), join(bodies - 1, bodies / 3), join(bodies - 2, world_body);
        for (int i = 0; i < bodies; ++i) wanted.push_back(i % 3 != 1);
        force.assign(wanted.size(), Vector6::Zero());
    }
    JointTree factored()
    {
        JointTree tree(all, joints, int(wanted.size()));
        for (size_t n = 0; n < 3 * joints.size(); ++n) rows.push_back({vec(), vec(), vec()});
        std::vector<SolverRows> used(joints.size());
        for (size_t n = 0; n < rows.size(); ++n) used[n / 3].add(int(n % 3), rows[n], 0.01);
        std::vector<JointTree::Matrix6> mass;
        for (size_t i = 0; i < wanted.size(); ++i) {
            const JointTree::Matrix6 m = JointTree::Matrix6::NullaryExpr([&] { return random(); });
            mass.push_back(m * m.transpose() + JointTree::Matrix6::Identity());
        }
        tree.factor(used, used, mass);
        return tree;
    }
};

// The largest difference, over the largest velocity.
double errorOf(Mechanism& m)
{
    const JointTree tree = m.factored();
    JointResponse response;
    response.factor(tree, m.wanted);
    response.start(std::vector<VelocityChange>(m.wanted.size()));
    const std::vector<double> right(m.joints.size() * JointTree::stride);
    std::vector<double> impulse(right.size());
    std::vector<Vector6> change(m.wanted.size());
    double error = 0, size = 0;
    for (int n = 0; n < 100; ++n) {
        const auto any = [&] { return int(0.5 * (m.random() + 1) * double(m.wanted.size())); };
        const int a = any(), b = any();
        if (!m.wanted[size_t(a)] || !m.wanted[size_t(b)]) continue;
        const Vector6 before = response.velocityOf(b), l = Vector6::NullaryExpr([&] { return m.random(); });
        response.add(a, l);
        m.force[size_t(a)] += l;
        tree.solve(right, m.force, change, impulse);
        const Vector6 now = response.velocityOf(b), expected = before + response.between(b, a) * l;
        error = std::max({error, (now - change[size_t(b)]).norm(), (now - expected).norm()});
        size = std::max(size, now.norm());
    }
    return error / size;
}

}  // namespace

TEST(JointResponse, ImpulsesOneByOneGiveTheVelocitiesOfADirectSolve)
{
    for (const int bodies : {2, 5, 17, 60}) {
        Mechanism tree(bodies, false);
        EXPECT_LT(errorOf(tree), 1e-12) << bodies;
    }
}

TEST(JointResponse, LoopsAreEnforcedAsWell)
{
    for (const int bodies : {5, 17, 60}) {
        Mechanism loops(bodies, true);
        EXPECT_LT(errorOf(loops), 1e-6) << bodies;
    }
}
