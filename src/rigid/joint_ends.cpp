// The two ends of a move of joined bodies: impulses that make the velocities agree with the constraints, without a loss
// of energy where the motion is smooth (docs/methods/joints.md, section 4).
#include <algorithm>

#include "rigid/joint_impulses.h"

namespace flotsam {

namespace {

constexpr int most_balancings = 8;
constexpr double no_rate = 1e-15;    // rounding, relative to the fastest body
constexpr double consistent = 1e-9;  // rates at the start of a smooth move [m/s, rad/s]
constexpr double nearly_balanced = 1e-8;
constexpr double balanced = 1e-12;  // energy that balance() leaves over, relative to the kinetic energy

using Eigen::Vector3d;

}  // namespace

// Velocities at the end from the momentum, so that it is exact.
void JointIsland::setEndVelocities(const JointContext& context)
{
    for (size_t i = 0; i < motion.size(); ++i) {
        const Moving& m = motion[i];
        const double kg = context.bodies[size_t(bodies()[i])].mass_kg;
        velocity[i].v_m_s = m.from.v_m_s + m.given.v_m_s + m.joints.linear_N_s / kg;
        const Vector3d in_body = m.end.transpose() * eigen(m.momentum + m.joints.angular_N_m_s);
        velocity[i].w_rad_s = plain(m.end * (m.inverse_inertia * in_body));
    }
}

// The impulses that remove the rates of the constraints in the new poses. Returns false if there is nothing to remove.
bool JointIsland::solveEnd(const JointContext& context, const RigidState& state)
{
    setStill(context, state);
    double worst = 0, fastest = 1;
    for (const VelocityChange& v : velocity) fastest = std::max({fastest, length(v.v_m_s), length(v.w_rad_s)});
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            const Member& m = list[j];
            const JointDemand& d = m.demands.list[n];
            const size_t k = j * JointTree::stride + size_t(n);
            right[k] = 0;
            if (!uses(Uses::rigid, d)) continue;
            rate_before[k] = rateOf(m, rowOf(m.rows, d, n));
            right[k] = d.end_rate - rate_before[k];
            worst = std::max(worst, std::abs(right[k]));
        }
    if (worst <= no_rate * fastest) {
        std::fill(change.begin(), change.end(), Vector6::Zero());
        std::fill(impulse.begin(), impulse.end(), 0.0);
        return false;
    }
    if (!end_factored) {
        setMasses(context, state);
        factorEnd();
    }
    endTree().solve(right, {}, change, impulse);
    return true;
}

// Whether the rates at the start are those of the constraints, and no stop acts.
bool JointIsland::isSmooth() const
{
    double fastest = 0;
    for (const Moving& m : motion) fastest = std::max({fastest, length(m.entered.v_m_s), length(m.entered.w_rad_s)});
    const auto at = [&](int i, const VelocityChange& still) { return i < 0 ? still : motion[size_t(i)].entered; };
    for (const Member& m : list)
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            if (!uses(Uses::rigid, d)) continue;
            if (d.role == RowRole::limit) return false;
            const double rate = d.row.rate(at(m.a, m.still_a), at(m.b, m.still_b));
            if (std::abs(rate - d.start_rate) > consistent * (1 + fastest)) return false;
        }
    return true;
}

// Applies impulses of the rows at the start of the move. Returns twice the kinetic energy of the velocities they cause.
double JointIsland::kickStart(const JointContext& context, std::span<const double> l)
{
    for (Moving& m : motion) m.kick = {};
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            const Member& m = list[j];
            addImpulse(m, m.demands.list[n].row, l[j * JointTree::stride + size_t(n)],
                       [&](int i) -> Impulse& { return motion[size_t(i)].kick; });
        }
    double energy = 0;
    for (size_t i = 0; i < motion.size(); ++i) {
        Moving& m = motion[i];
        const Vector3d in_body = m.start.transpose() * eigen(m.kick.angular_N_m_s);
        const VelocityChange kicked{m.kick.linear_N_s / context.bodies[size_t(bodies()[i])].mass_kg,
                                    plain(m.start * (m.inverse_inertia * in_body))};
        energy += dot(m.kick.linear_N_s, kicked.v_m_s) + dot(m.kick.angular_N_m_s, kicked.w_rad_s);
        m.from = m.entered + kicked;
        m.momentum = plain(m.start * (m.inertia * (m.start.transpose() * eigen(m.from.w_rad_s + m.given.w_rad_s))));
    }
    return energy;
}

// Twice the kinetic energy of the velocities that solveEnd() removes.
double JointIsland::energyOfEnd() const
{
    double sum = 0;
    for (size_t k = 0; k < right.size(); ++k) sum += impulse[k] * right[k];
    return sum;
}

// The impulses l of a joint are constant during the move, but the force that they stand for changes: v' is not quite
// along the constraints, and removing its rates takes energy in every step. A force that changes linearly is the
// same mean and two impulses -s p and p at the start and at the end. p removes the rates at the end, and s makes the
// energy that the first gives equal to that which the second takes. Rates at the end depend on -s p with a factor of
// about -1: the mean of old and new is a contraction. Returns whether it converged: it does not for bodies of tiny
// inertia, whose spin answers an impulse many times over.
bool JointIsland::balance(const JointContext& context, RigidState& state)
{
    double moving_J = 0;  // of the velocities, and of their change by external forces
    for (size_t i = 0; i < motion.size(); ++i) {
        const Moving& m = motion[i];
        moving_J += 0.5 * context.bodies[size_t(bodies()[i])].mass_kg *
                        (dot(m.entered.v_m_s, m.entered.v_m_s) + dot(m.given.v_m_s, m.given.v_m_s)) +
                    0.5 * dot(m.momentum, m.entered.w_rad_s + m.given.w_rad_s);
    }
    double given = 0, last = std::numeric_limits<double>::infinity();  // given: by start_impulse
    for (int pass = 0; pass < most_balancings; ++pass) {
        setEndVelocities(context);
        solveEnd(context, state);
        const double taken = energyOfEnd(), left = std::abs(taken - given);
        if (left <= balanced * moving_J) return true;
        // Large systems stop improving before they reach the limit; but they may not gain energy.
        if (left > 0.5 * last && left <= nearly_balanced * moving_J && given < taken) return true;
        if (pass == 0) projection_loss = 0.5 * taken / moving_J;
        if (left > last || 0.5 * taken > 2 * projection_loss * moving_J) return false;
        last = left;
        end_impulse = impulse;
        const double of_end = kickStart(context, end_impulse);
        const double scale = of_end > 0 && taken > 0 ? std::clamp(std::sqrt(taken / of_end), 0.5, 2.0) : 1;
        for (size_t k = 0; k < start_impulse.size(); ++k)
            start_impulse[k] = 0.5 * (start_impulse[k] - scale * end_impulse[k]);
        given = kickStart(context, start_impulse);
        if (!newton(context, Uses::all, state)) return false;
    }
    return false;
}

void JointIsland::countMove()
{
    const auto before = [&](int i, const VelocityChange& still) { return i < 0 ? still : motion[size_t(i)].entered; };
    const auto after = [&](int i, const VelocityChange& still) { return i < 0 ? still : motion[size_t(i)].from; };
    const auto during = [&](int i, const VelocityChange& still) { return i < 0 ? still : motion[size_t(i)].mid; };
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            Member& m = list[j];
            JointDemand& d = m.demands.list[n];
            const size_t k = j * JointTree::stride + size_t(n);
            if (const double l = start_impulse[k]; l != 0) {
                const ConstraintRow& row = d.row;
                const double start = row.rate(before(m.a, m.still_a), before(m.b, m.still_b));
                const double end = row.rate(after(m.a, m.still_a), after(m.b, m.still_b));
                count(m, d, row, l, start, 0.5 * (end - start));
            }
            if (mid_impulse[k] == 0) continue;
            const ConstraintRow& row = rowOf(m.mid_rows, d, n);
            count(m, d, row, mid_impulse[k], row.rate(during(m.a, m.still_a), during(m.b, m.still_b)));
        }
}

// Removes the rates of the constraints in the new poses.
void JointIsland::projectEnd(const JointContext& context, RigidState& state)
{
    for (int round = 0; round < 2; ++round) {
        if (!solveEnd(context, state)) break;
        // A motor may not exceed its limit with all impulses together.
        bool beyond = false;
        for (size_t j = 0; j < list.size() && round == 0; ++j)
            for (int n = list[j].rows.count; n < list[j].demands.count; ++n) {
                JointDemand& d = list[j].demands.list[n];
                if (!d.is_motor || !uses(Uses::rigid, d)) continue;
                const double total = d.impulse + impulse[j * JointTree::stride + size_t(n)];
                if (total >= d.lowest && total <= d.highest) continue;
                d.active = end_factored = false;
                beyond = true;
            }
        if (!beyond) break;
    }
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i] + toChange(change[i]);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            Member& m = list[j];
            JointDemand& d = m.demands.list[n];
            const size_t k = j * JointTree::stride + size_t(n);
            m.limited |= d.is_motor && !d.active && d.role != RowRole::push;
            if (impulse[k] == 0) continue;
            const ConstraintRow& row = rowOf(m.rows, d, n);
            // The work of a motor is that along the rate it prescribes.
            const double after = rateOf(m, row), mid = 0.5 * (rate_before[k] + after),
                         removed = d.is_motor ? mid - after : 0;
            count(m, d, row, impulse[k], mid - removed, removed);
        }
}

}  // namespace flotsam
