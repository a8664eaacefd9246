#include "rigid/solve_joined.h"

#include "rigid/joint_impulses.h"

namespace flotsam {

namespace {

// A direction in which the joints let a body move by less than this, relative to the body alone, is fixed.
constexpr double fixed_by_joints = 1e-9;

JointTree::Vector6 vectorOf(Vec3 upper, Vec3 lower) { return {upper.x, upper.y, upper.z, lower.x, lower.y, lower.z}; }
Vec3 upper(const JointTree::Vector6& v) { return {v[0], v[1], v[2]}; }
Vec3 lower(const JointTree::Vector6& v) { return {v[3], v[4], v[5]}; }

// The impulse and angular impulse of impulses at r, by column.
Eigen::Matrix<double, 6, 3> impulsesAt(Vec3 r)
{
    Eigen::Matrix<double, 6, 3> m;
    m.topRows<3>().setIdentity();
    m.bottomRows<3>() << 0, -r.z, r.y, r.z, 0, -r.x, -r.y, r.x, 0;
    return m;
}

Vec3 velocityAt(const JointTree::Vector6& v, Vec3 r) { return upper(v) + cross(lower(v), r); }

}  // namespace

JoinedContacts::JoinedContacts(Joints& all, int moving_bodies, RigidScratch& scratch)
    : joints(all), moving(moving_bodies), w(scratch)
{
    if (joints.empty()) return;
    of_pair.assign(w.pairs.size(), -1);
    int count = 0;
    for (size_t k = 0; k < w.pairs.size(); ++k) {
        const ContactPair& pair = w.pairs[k];
        if (!joints.isJoined(pair.a) && !joints.isJoined(pair.b)) continue;
        of_pair[k] = int(pairs.size());
        pairs.push_back({sideOf(pair.a), sideOf(pair.b), count});
        count += pair.count + (pair.resistsTurning() ? 1 : 0);
    }
    responses.resize(size_t(count));
}

JoinedContacts::Side JoinedContacts::sideOf(int body) const
{
    JointIsland* island = joints.islandOf(body);
    return {body, island, island ? island->localOf(body) : 0};
}

JoinedContacts::Matrix6 JoinedContacts::inverseOf(const Side& side) const
{
    if (side.island) return side.island->response().between(side.local, side.local);
    const InverseMass& m = w.solver[size_t(side.body)].inverse;
    Matrix6 r = Matrix6::Zero();
    r.diagonal().head<3>().setConstant(m.mass_1_kg);
    r.bottomRightCorner<3, 3>() = eigen(m.inertia_1_kg_m2);
    return r;
}

void JoinedContacts::setResponses(const Pair& joined, const ContactPair& pair)
{
    if (!joined.a.isReady() || !joined.b.isReady()) return;
    const Matrix6 aa = inverseOf(joined.a), bb = inverseOf(joined.b);
    Matrix6 ab = Matrix6::Zero();
    if (joined.a.island && joined.a.island == joined.b.island)
        ab = joined.a.island->response().between(joined.a.local, joined.b.local);
    const auto respond = [&](const Matrix63& on_a, const Matrix63& on_b, Response& r) {
        r.of_a = aa * on_a - ab * on_b;
        r.of_b = ab.transpose() * on_a - bb * on_b;
    };
    for (int i = 0; i < pair.count; ++i) {
        SolverPoint& p = w.solver_points[size_t(pair.first + i)];
        Response& r = responses[size_t(joined.first + i)];
        const Matrix63 on_a = impulsesAt(p.ra), on_b = impulsesAt(p.rb);
        respond(on_a, on_b, r);
        const Eigen::Matrix3d relative = on_a.transpose() * r.of_a - on_b.transpose() * r.of_b;
        Eigen::Matrix3d axes;
        axes << eigen(p.n), eigen(p.t), eigen(cross(p.n, p.t));
        const Eigen::Matrix3d k = axes.transpose() * relative * axes;
        const InverseMass &ma = w.solver[size_t(pair.a)].inverse, &mb = w.solver[size_t(pair.b)].inverse;
        const double least = fixed_by_joints * (ma.mass_1_kg + mb.mass_1_kg);
        const auto inverse = [&](double d) { return d > least ? 1 / d : 0; };
        p.k = {k(0, 0), k(1, 1), k(2, 2), k(0, 1), k(0, 2), k(1, 2)};
        p.inverse_diagonal = {inverse(p.k.xx), inverse(p.k.yy), inverse(p.k.zz)};
    }
    if (!pair.resistsTurning()) return;
    Matrix63 torques = Matrix63::Zero();
    torques.bottomRows<3>().setIdentity();
    respond(torques, torques, responses[size_t(joined.first + pair.count)]);
}

// Ends the sweeps that are under way, solves, and starts new ones.
void JoinedContacts::startSweeps(bool first, JointIsland& island)
{
    if (!first && island.swept) island.endSweeps(w.solver);
    const bool is_solved = island.isSolved(w.solver);
    if (!is_solved) island.solveVelocities(w.solver);
    island.swept = first || (!is_solved && island.changedActive());
    if (island.swept) island.startSweeps();
}

JoinedContacts::Vector6 JoinedContacts::velocityOf(const Side& side) const
{
    if (side.island) return side.island->response().velocityOf(side.local);
    const SolverBody& s = w.solver[size_t(side.body)];
    return vectorOf(s.v, s.w);
}

void JoinedContacts::finish(const Side& side, const Vector6& velocity, const Vector6& impulse) const
{
    if (side.island) return side.island->response().add(side.local, impulse);
    if (side.body >= moving) return;
    w.solver[size_t(side.body)].v = upper(velocity);
    w.solver[size_t(side.body)].w = lower(velocity);
}

void JoinedContacts::sweep(size_t k)
{
    const ContactPair& pair = w.pairs[k];
    const Pair& joined = pairs[size_t(of_pair[k])];
    if (!joined.a.isReady() || !joined.b.isReady()) return;
    const std::span points(&w.solver_points[size_t(pair.first)], size_t(pair.count));
    Vector6 a = velocityOf(joined.a), b = velocityOf(joined.b), on_a = Vector6::Zero(), on_b = Vector6::Zero();
    bool changes = false;
    const auto apply = [&](const Response& r, Vec3 d) {
        changes = true;
        a += r.of_a.lazyProduct(eigen(d));
        b += r.of_b.lazyProduct(eigen(d));
    };
    for (int sweep = 0; sweep < sweepsOf(pair); ++sweep) {
        for (size_t i = 0; i < points.size(); ++i) {
            SolverPoint& p = points[i];
            const Vec3 before = impulseOf(p);
            p.impulse = nextImpulse(pair.friction, velocityAt(a, p.ra) - velocityAt(b, p.rb), p);
            const Vec3 j = impulseOf(p) - before;
            if (j == Vec3{}) continue;
            apply(responses[size_t(joined.first) + i], j);
            on_a += vectorOf(j, cross(p.ra, j));
            on_b -= vectorOf(j, cross(p.rb, j));
        }
        if (!pair.resistsTurning()) continue;
        const Response& r = responses[size_t(joined.first + pair.count)];
        const Eigen::Matrix3d m = r.of_a.bottomRows<3>() - r.of_b.bottomRows<3>();
        const Vec3 next = nextTurning(pair, points, lower(a) - lower(b),
                                      {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)}, w.turning[k]);
        const Vec3 d = next - w.turning[k];
        w.turning[k] = next;
        apply(r, d);
        on_a += vectorOf({}, d);
        on_b -= vectorOf({}, d);
    }
    if (!changes) return;
    finish(joined.b, b, on_b);
    finish(joined.a, a, on_a);
}

}  // namespace flotsam
