// Velocities of joined bodies at the end of a substep, where contacts change them (docs/methods/joints.md, section 5).
#include <algorithm>

#include "rigid/joint_impulses.h"

namespace flotsam {

namespace {

constexpr int most_rounds = 8;  // of changes of the set of active limits and motors
constexpr double one_sided_tiny = 1e-10;

}  // namespace

void JointIsland::project(std::span<SolverBody> solver)
{
    gather(solver);
    factorStart(Uses::holds);
    std::fill(right.begin(), right.end(), 0.0);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n)
            if (const JointDemand& d = list[j].demands.list[n]; d.role == RowRole::hold)
                right[j * JointTree::stride + size_t(n)] = -rateOf(list[j], d.row);
    tree.solve(right, {}, change, impulse);
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i] + toChange(change[i]);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].rows.count; ++n)
            addImpulse(list[j], list[j].demands.list[n].row, impulse[j * JointTree::stride + size_t(n)],
                       [&](int i) -> Impulse& { return projected_by[size_t(i)]; });
    scatter(solver);
}

// Takes rows beyond their bounds out as fixed impulses, and back in where they are needed. Returns whether any changed.
bool JointIsland::changeActive()
{
    bool changed = false;
    const auto now = [&](int i) { return i < 0 ? VelocityChange{} : toChange(change[size_t(i)]); };
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = list[j].rows.count; n < list[j].demands.count; ++n) {
            Member& m = list[j];
            JointDemand& d = m.demands.list[n];
            if (d.role == RowRole::push || (!d.active && isCovered(d, m.demands))) continue;
            const size_t k = j * JointTree::stride + size_t(n);
            if (d.active) {
                const double total = d.impulse + impulse[k];
                const double bound = std::clamp(total, d.lowest, d.highest);
                if (std::abs(total - bound) <= 1e-12 * std::abs(total)) continue;
                d.active = false;
                d.fixed = bound;
            } else {
                const double after = rate_before[k] + d.row.rate(now(m.a), now(m.b));
                const double missing = d.at_end.target - after - d.at_end.compliance * d.fixed;
                const double tiny = one_sided_tiny * (1 + std::abs(d.at_end.target));
                if (!(missing > tiny && d.fixed < d.highest) && !(missing < -tiny && d.fixed > d.lowest)) continue;
                d.active = true;
            }
            changed = true;
        }
    return changed;
}

// The impulses of rows that are not solved for, as far as they are not applied yet. Returns whether there are any.
bool JointIsland::addFixed()
{
    bool any = false;
    for (Member& m : list)
        for (int n = m.rows.count; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            if (d.active || d.fixed == d.impulse) continue;
            if (!any) std::fill(force.begin(), force.end(), Vector6::Zero());
            any = true;
            if (m.a >= 0) force[size_t(m.a)] += (d.fixed - d.impulse) * onA(d.row);
            if (m.b >= 0) force[size_t(m.b)] += (d.fixed - d.impulse) * onB(d.row);
        }
    return any;
}

void JointIsland::solveVelocities(std::span<SolverBody> solver)
{
    gather(solver);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n)
            rate_before[j * JointTree::stride + size_t(n)] = rateOf(list[j], list[j].demands.list[n].row);
    is_converged = sets_changed = false;
    for (int round = 0; round < most_rounds; ++round) {
        factorStart(Uses::all);
        for (size_t j = 0; j < list.size(); ++j)
            for (int n = 0; n < list[j].demands.count; ++n) {
                const JointDemand& d = list[j].demands.list[n];
                const size_t k = j * JointTree::stride + size_t(n);
                right[k] = d.active ? d.at_end.target - rate_before[k] - d.at_end.compliance * d.impulse : 0;
            }
        tree.solve(right, addFixed() ? std::span<const Vector6>(force) : std::span<const Vector6>(), change, impulse);
        is_converged = !changeActive();
        if (is_converged) break;
        factored.reset();
        sets_changed = true;
    }
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i] + toChange(change[i]);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            JointDemand& d = list[j].demands.list[n];
            d.impulse = d.active ? d.impulse + impulse[j * JointTree::stride + size_t(n)] : d.fixed;
        }
    scatter(solver);
    is_solved = true;
}

void JointIsland::startSweeps()
{
    factorStart(Uses::all);
    if (!response_factored) contact_response.factor(tree, touching);
    response_factored = true;
    contact_response.start(velocity);
}

void JointIsland::endSweeps(std::span<SolverBody> solver) const
{
    for (size_t i = 0; i < touching.size(); ++i) {
        if (!touching[i]) continue;
        SolverBody& s = solver[size_t(bodies()[i])];
        const Vector6& l = contact_response.impulseOn(int(i));
        const VelocityChange v = s.inverse * Impulse{{l[0], l[1], l[2]}, {l[3], l[4], l[5]}};
        s.v += v.v_m_s;
        s.w += v.w_rad_s;
    }
}

bool JointIsland::isSolved(std::span<const SolverBody> solver) const
{
    if (!is_solved) return false;
    for (size_t i = 0; i < velocity.size(); ++i) {
        const SolverBody& s = solver[size_t(bodies()[i])];
        if (s.v != velocity[i].v_m_s || s.w != velocity[i].w_rad_s) return false;
    }
    return true;
}

// All impulses act together: one by one, in the order in which they were found, contacts would do work on a motor.
void JointIsland::countSolved(std::span<const VelocityChange> before)
{
    work_J = {};
    std::fill(solved_by.begin(), solved_by.end(), JointImpulses{});
    for (Member& m : list) m.motor_J = m.motor_N_s = 0;
    const auto at = [&](int i, const VelocityChange& still) {
        return i < 0 ? still : before[size_t(bodies()[size_t(i)])];
    };
    for (Member& m : list)
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            if (d.impulse == 0) continue;
            const double start = d.row.rate(at(m.a, m.still_a), at(m.b, m.still_b));
            countWork(m, d, d.impulse, 0.5 * (start + rateOf(m, d.row)), 0);
            addImpulse(m, d, d.row, d.impulse, solved_by);
        }
}

// The impulses of solveVelocities() at the anchors.
void JointIsland::countAtAnchors()
{
    for (Member& m : list)
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            m.on_b.linear_N_s += d.impulse * d.row.linear;
            m.on_b.angular_N_m_s += d.impulse * (d.row.angular_b - cross(m.rows.to_anchor_m, d.row.linear));
        }
}

void JointIsland::discard()
{
    for (Member& m : list) {
        for (int n = 0; n < m.demands.count; ++n) {
            m.demands.list[n].active = m.demands.list[n].starts_active;
            m.demands.list[n].impulse = 0;
        }
        m.motor_J = m.motor_N_s = 0;
    }
    factored.reset();
    is_solved = false;
    is_converged = true;
    work_J = {};
    std::fill(solved_by.begin(), solved_by.end(), JointImpulses{});
}

}  // namespace flotsam
