// The inverse mass with joints and contacts enforced, against a dense solve and against known motions.
#include <gtest/gtest.h>

#include "rigid/contact_rows.h"
#include "validation/mechanisms.h"
#include "validation/rigid_cases.h"

namespace flotsam {
namespace {

constexpr double dt_s = 1.0 / 120;

std::vector<Impulse> someImpulses(int count)
{
    std::vector<Impulse> impulses;
    for (int i = 0; i < count; ++i)
        impulses.push_back({{std::sin(1.0 + i), std::cos(2.0 * i), std::sin(3.0 * i)},
                            {0.1 * std::cos(i), 0.1 * std::sin(2 + i), 0.05 * std::cos(5 * i)}});
    return impulses;
}

std::vector<VelocityChange> responseOf(const RigidWorld& world, const std::vector<Impulse>& impulses)
{
    std::vector<VelocityChange> changes(impulses.size());
    world.applyInverseMass(impulses, changes);
    return changes;
}

double product(const std::vector<Impulse>& l, const std::vector<VelocityChange>& v)
{
    double sum = 0;
    for (size_t i = 0; i < l.size(); ++i)
        sum += dot(l[i].linear_N_s, v[i].v_m_s) + dot(l[i].angular_N_m_s, v[i].w_rad_s);
    return sum;
}

// Random rows between five bodies, the last two equal: against the least-squares solution of a dense system.
TEST(ConstrainedMass, IsThatOfADenseSolveAlsoWithRedundantRows)
{
    using Matrix6 = ConstrainedMass::Matrix6;
    constexpr int bodies = 5, rows = 12;
    std::srand(7);
    std::vector<Matrix6> inverse(bodies);
    for (Matrix6& m : inverse) {
        const Matrix6 r = Matrix6::Random();
        m = r * r.transpose() + 0.1 * Matrix6::Identity();
    }
    const auto random = [] {
        const Eigen::Vector3d v = Eigen::Vector3d::Random();
        return Vec3{v[0], v[1], v[2]};
    };
    std::vector<HeldRow> held;
    for (int n = 0; n < rows; ++n) held.push_back({n % bodies, (n + 1) % bodies, {random(), random(), random()}, 0});
    held[3].b = world_body;
    held[5].compliance = 0.2;
    held[rows - 1] = held[rows - 2];
    ConstrainedMass mass;
    mass.factor(held, inverse);
    Eigen::MatrixXd j = Eigen::MatrixXd::Zero(rows, 6 * bodies), w = Eigen::MatrixXd::Zero(6 * bodies, 6 * bodies);
    Eigen::VectorXd compliance = Eigen::VectorXd::Zero(rows);
    for (int n = 0; n < rows; ++n) {
        const HeldRow& h = held[size_t(n)];
        compliance[n] = h.compliance;
        for (int axis = 0; axis < 3; ++axis) {
            j(n, 6 * h.a + axis) = -h.row.linear[axis];
            j(n, 6 * h.a + 3 + axis) = h.row.angular_a[axis];
            if (h.b == world_body) continue;
            j(n, 6 * h.b + axis) = h.row.linear[axis];
            j(n, 6 * h.b + 3 + axis) = h.row.angular_b[axis];
        }
    }
    Eigen::VectorXd f(6 * bodies);
    const std::vector<Impulse> impulses = someImpulses(bodies);
    for (int i = 0; i < bodies; ++i) {
        w.block<6, 6>(6 * i, 6 * i) = inverse[size_t(i)];
        for (int axis = 0; axis < 3; ++axis) {
            f[6 * i + axis] = impulses[size_t(i)].linear_N_s[axis];
            f[6 * i + 3 + axis] = impulses[size_t(i)].angular_N_m_s[axis];
        }
    }
    const Eigen::MatrixXd k = j * w * j.transpose() + Eigen::MatrixXd(compliance.asDiagonal());
    const Eigen::VectorXd l = k.completeOrthogonalDecomposition().solve(j * w * f), exact = w * (f - j.transpose() * l);
    std::vector<VelocityChange> changes(bodies);
    mass.apply(impulses, changes);
    for (int i = 0; i < bodies; ++i)
        for (int axis = 0; axis < 3; ++axis) {
            EXPECT_NEAR(changes[size_t(i)].v_m_s[axis], exact[6 * i + axis], 1e-10);
            EXPECT_NEAR(changes[size_t(i)].w_rad_s[axis], exact[6 * i + 3 + axis], 1e-10);
        }
}

TEST(ConstrainedMass, ABoxAtRestOnTheFloorDoesNotAnswer)
{
    RigidWorld world;
    world.add(boxBody({0.2, 0.2, 0.2}, 500), {{0, 0.1, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    world.step(dt_s);
    const auto change = responseOf(world, {{{0, -1, 0}, {0.1, 0.2, 0.1}}})[0];
    EXPECT_LT(length(change.v_m_s), 1e-12);
    EXPECT_LT(length(change.w_rad_s), 1e-12);
}

// A ball rests on one point: pushed sideways it rolls, with 7/5 of its mass.
TEST(ConstrainedMass, ABallAtRestRolls)
{
    RigidWorld world;
    world.add(sphereBody(0.1, 1000), {{0, 0.1, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    world.step(dt_s);
    const double mass = world.bodies[0].mass_kg;
    const auto change = responseOf(world, {{{1, 0, 0}, {}}})[0];
    EXPECT_NEAR(change.v_m_s.x * mass, 5.0 / 7, 1e-10);
    EXPECT_NEAR(change.w_rad_s.z, -change.v_m_s.x / 0.1, 1e-9);
}

// Without friction only the normals are held: three rows of a box, which slides and spins freely.
TEST(ConstrainedMass, ABoxOnIceSlidesAndSpins)
{
    RigidWorld world;
    Body box = boxBody({0.2, 0.2, 0.2}, 500);
    box.friction = 0;
    world.add(box, {{0, 0.1, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    world.step(dt_s);
    const auto change = responseOf(world, {{{1, -3, 0.5}, {0.3, 0.2, 0.1}}})[0];
    EXPECT_NEAR(change.v_m_s.x, 1 / box.mass_kg, 1e-12);
    EXPECT_NEAR(change.v_m_s.z, 0.5 / box.mass_kg, 1e-12);
    EXPECT_NEAR(change.w_rad_s.y, 0.2 / box.moments_kg_m2.y, 1e-10);
    EXPECT_LT(std::abs(change.v_m_s.y) + std::abs(change.w_rad_s.x) + std::abs(change.w_rad_s.z), 1e-12);
}

// After it has fallen: joints, limits and contacts act together. The operator is symmetric, its response works with the
// impulse, and changes no rate of a row: pushed again by M times the response, nothing is left to hold.
TEST(ConstrainedMass, OfAFigureOnStepsIsSymmetricAndPositive)
{
    RigidWorld world = figureOnSteps();
    std::vector<Joint> joints = world.joints.list;
    for (Joint& joint : joints) joint.damping = 0;  // a damper yields
    world.setJoints(joints);
    for (int n = 0; n < 240; ++n) world.step(dt_s);
    const int count = world.moving();
    const std::vector<Impulse> first = someImpulses(count);
    std::vector<Impulse> second = first;
    std::reverse(second.begin(), second.end());
    const auto from_first = responseOf(world, first), from_second = responseOf(world, second);
    const double size = std::sqrt(product(first, from_first) * product(second, from_second));
    EXPECT_GT(product(first, from_first), 0);
    EXPECT_NEAR(product(second, from_first), product(first, from_second), 1e-9 * size);
    std::vector<Impulse> again;
    for (size_t i = 0; i < size_t(count); ++i) {
        const Body& b = world.bodies[i];
        const SymMat3 inertia = rotated(matrixOf(world.state.bodies[i].q) * b.body_from_principal, b.moments_kg_m2);
        again.push_back({b.mass_kg * from_first[i].v_m_s, inertia * from_first[i].w_rad_s});
    }
    const auto repeated = responseOf(world, again);
    for (size_t i = 0; i < size_t(count); ++i) {
        EXPECT_LT(length(repeated[i].v_m_s - from_first[i].v_m_s), 1e-8) << i;
        EXPECT_LT(length(repeated[i].w_rad_s - from_first[i].w_rad_s), 1e-7) << i;
    }
    // Contacts hold it: freed from them it answers more.
    world.restore();
    EXPECT_GT(product(first, responseOf(world, first)), 1.01 * product(first, from_first));
}

TEST(ConstrainedMass, OfAHeapHoldsWhateverSticks)
{
    RigidWorld world;
    for (int i = 0; i < 10; ++i) world.add(boxBody({0.2, 0.2, 0.2}, 500), {{0, 0.1 + 0.2 * i, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    for (int n = 0; n < 60; ++n) world.step(dt_s);
    const auto changes = responseOf(world, someImpulses(10));
    for (const VelocityChange& c : changes) {
        EXPECT_LT(length(c.v_m_s), 1e-9);
        EXPECT_LT(length(c.w_rad_s), 1e-8);
    }
}

}  // namespace
}  // namespace flotsam
