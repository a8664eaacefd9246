#include "rigid/joint_island.h"

#include <algorithm>

#include "rigid/joint_impulses.h"
#include "rigid/rotate.h"

namespace flotsam {

namespace {

constexpr int most_rounds = 8;                           // of changes of the set of active limits and motors
constexpr int most_closings = 30;                        // iterations that close the joints
constexpr double closed = 1e-14, nearly_closed = 1e-11;  // errors of a closed joint [m, rad]
constexpr double one_sided_tiny = 1e-10;

VelocityChange toChange(const JointTree::Vector6& v) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }

JointTree::Vector6 onA(const ConstraintRow& r, double l)
{
    return l * JointTree::Vector6{-r.linear.x, -r.linear.y, -r.linear.z, r.angular_a.x, r.angular_a.y, r.angular_a.z};
}
JointTree::Vector6 onB(const ConstraintRow& r, double l)
{
    return l * JointTree::Vector6{r.linear.x, r.linear.y, r.linear.z, r.angular_b.x, r.angular_b.y, r.angular_b.z};
}

VelocityChange velocityOf(const RigidState& state, int body)
{
    if (body == world_body) return {};
    return {state.bodies[size_t(body)].v_m_s, state.bodies[size_t(body)].w_rad_s};
}

}  // namespace

JointIsland::JointIsland(std::vector<int> joints, const std::vector<Joint>& all, int moving)
    : tree(std::move(joints), all, moving), end_tree(tree)
{
    const size_t count = tree.bodies().size();
    const auto local = [&](int body) {
        const auto found = std::lower_bound(bodies().begin(), bodies().end(), body);
        return body >= 0 && found != bodies().end() && *found == body ? int(found - bodies().begin()) : -1;
    };
    for (int j : tree.joints()) {
        const Joint& joint = all[size_t(j)];
        Member m;
        m.index = j;
        m.a = local(joint.a);
        m.b = local(joint.b);
        list.push_back(m);
    }
    mass.resize(count);
    change.resize(count);
    force.resize(count);
    velocity.resize(count);
    moved_by.resize(count);
    solved_by.resize(count);
    projected_by.resize(count);
    motion.resize(count);
    mid_impulse.resize(list.size() * JointTree::stride);
    start_impulse.resize(list.size() * JointTree::stride);
    mid_row.resize(list.size() * JointTree::stride);
    rows.resize(list.size());
    end_rows.resize(list.size());
    right.resize(list.size() * JointTree::stride);
    impulse.resize(list.size() * JointTree::stride);
}

double JointIsland::rateOf(const Member& m, const ConstraintRow& row) const
{
    return row.rate(m.a < 0 ? m.still_a : velocity[size_t(m.a)], m.b < 0 ? m.still_b : velocity[size_t(m.b)]);
}

void JointIsland::gather(std::span<const SolverBody> solver)
{
    for (size_t i = 0; i < velocity.size(); ++i) {
        const SolverBody& s = solver[size_t(bodies()[i])];
        velocity[i] = {s.v, s.w};
    }
}

void JointIsland::scatter(std::span<SolverBody> solver) const
{
    for (size_t i = 0; i < velocity.size(); ++i) {
        SolverBody& s = solver[size_t(bodies()[i])];
        s.v = velocity[i].v_m_s;
        s.w = velocity[i].w_rad_s;
    }
}

void JointIsland::setMasses(const JointContext& context, const RigidState& state)
{
    for (size_t i = 0; i < mass.size(); ++i) {
        const size_t b = size_t(bodies()[i]);
        const Body& body = context.bodies[b];
        const SymMat3 m = rotated(matrixOf(state.bodies[b].q) * body.body_from_principal, body.moments_kg_m2);
        mass[i].setZero();
        mass[i].diagonal().head<3>().setConstant(body.mass_kg);
        mass[i].bottomRightCorner<3, 3>() << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    }
}

void JointIsland::setRows(const JointContext& context, const RigidState& state)
{
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        m.rows = rowsOf(joint, state.joints[size_t(m.index)], poseOf(state.bodies, joint.a),
                        poseOf(state.bodies, joint.b), context.planar);
    }
}

void JointIsland::setDemands(const JointContext& context, const RigidState& state)
{
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        m.start = posed(joint, poseOf(state.bodies, joint.a), poseOf(state.bodies, joint.b));
        const double rate = m.rows.axis.exists ? rateOf(m, m.rows.axis.row) : 0;
        all_factored = false;
        m.first = m.demands = demandsOf(joint, m.rows, rate, context.t_s, context.dt_s, context.planar);
    }
}

void JointIsland::start(const JointContext& context, const RigidState& state, std::span<const SolverBody> solver)
{
    gather(solver);
    setMasses(context, state);
    setRows(context, state);
    work_J = {};
    most_iterations = 0;
    is_converged = true;
    std::fill(moved_by.begin(), moved_by.end(), JointImpulses{});
    std::fill(solved_by.begin(), solved_by.end(), JointImpulses{});
    std::fill(projected_by.begin(), projected_by.end(), Impulse{});
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        if (m.a < 0) m.still_a = velocityOf(state, joint.a);
        if (m.b < 0) m.still_b = velocityOf(state, joint.b);
        m.on_b = {};
        m.motor_J = m.motor_N_s = 0;
        m.limited = false;
    }
    setDemands(context, state);
}

bool JointIsland::uses(Uses which, const JointDemand& d) const
{
    switch (which) {
        case Uses::holds:
            return d.role == RowRole::hold;
        case Uses::rigid:
            return d.active && d.role != RowRole::soft;
        case Uses::all:
            break;
    }
    return d.active;
}

void JointIsland::factor(Uses which, JointTree& solver)
{
    all_factored = false;
    for (size_t j = 0; j < list.size(); ++j) {
        rows[j].count = 0;
        for (int n = 0; n < list[j].demands.count; ++n)
            if (const JointDemand& d = list[j].demands.list[n]; uses(which, d))
                rows[j].add(n, d.row, d.at_end.compliance);
    }
    solver.factor(rows, rows, mass);
}

// The row of a demand in the poses of m.rows.
ConstraintRow JointIsland::rowNow(const Member& m, int n)
{
    const JointDemand& d = m.demands.list[n];
    if (d.role == RowRole::hold) return m.rows.row[n];
    if (d.coordinate == RowCoordinate::axis) return m.rows.axis.row;
    if (d.coordinate == RowCoordinate::twist) return m.rows.twist.row;
    return d.row;
}

// An impulse l along a row whose mean rate is `rate`, apart from the mean of a rate that it removes.
void JointIsland::count(Member& m, JointDemand& d, const ConstraintRow& row, double l, double rate,
                        std::vector<JointImpulses>& sums, double removed)
{
    addImpulse(m, row, l,
               [&](int i) -> Impulse& { return d.is_motor ? sums[size_t(i)].motors : sums[size_t(i)].joints; });
    d.impulse += l;
    m.on_b.linear_N_s += l * row.linear;
    m.on_b.angular_N_m_s += l * (row.angular_b - cross(m.rows.to_anchor_m, row.linear));
    const double work = l * rate;
    work_J.closing += l * removed;
    if (d.is_motor)
        work_J.motors += work, m.motor_J += work, m.motor_N_s += l;
    else if (d.role == RowRole::hold)
        work_J.closing += work;
    else
        (d.role == RowRole::soft ? work_J.springs : work_J.stops) += work;
}

// Adds the solved change. Rows that are not solved for contribute what `force` contains.
void JointIsland::apply(std::vector<JointImpulses>& sums, bool closing)
{
    const auto start_velocity = velocity;
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i] + toChange(change[i]);
    for (size_t j = 0; j < list.size(); ++j) {
        Member& m = list[j];
        for (int n = 0; n < m.demands.count; ++n) {
            JointDemand& d = m.demands.list[n];
            const double l = impulse[j * JointTree::stride + size_t(n)];
            if (l == 0) continue;
            const double before = d.row.rate(m.a < 0 ? m.still_a : start_velocity[size_t(m.a)],
                                             m.b < 0 ? m.still_b : start_velocity[size_t(m.b)]);
            // The work of a motor is that along the rate it prescribes.
            const double after = rateOf(m, d.row), mean = 0.5 * (before + after);
            const double removed = closing && d.is_motor ? mean - after : 0;
            count(m, d, d.row, l, mean - removed, sums, removed);
        }
    }
}

void JointIsland::addForce(const Member& m, const ConstraintRow& row, double l)
{
    if (m.a >= 0) force[size_t(m.a)] += onA(row, l);
    if (m.b >= 0) force[size_t(m.b)] += onB(row, l);
}

void JointIsland::project(std::span<SolverBody> solver)
{
    gather(solver);
    factor(Uses::holds, tree);
    std::fill(force.begin(), force.end(), Vector6::Zero());
    solve(Uses::holds, tree, [&](const Member& m, const JointDemand& d, int) { return -rateOf(m, d.row); });
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocity[i] + toChange(change[i]);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n)
            addImpulse(list[j], list[j].demands.list[n].row, impulse[j * JointTree::stride + size_t(n)],
                       [&](int i) -> Impulse& { return projected_by[size_t(i)]; });
    scatter(solver);
}

// Takes rows beyond their bounds out as fixed impulses, and back in where they are needed. Returns whether any changed.
bool JointIsland::changeActive()
{
    bool changed = false;
    const auto now = [&](int i, const VelocityChange& still) {
        return i < 0 ? still : velocity[size_t(i)] + toChange(change[size_t(i)]);
    };
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            Member& m = list[j];
            JointDemand& d = m.demands.list[n];
            if (d.role == RowRole::hold || d.role == RowRole::push) continue;
            if (!d.active && isCovered(d, m.demands)) continue;
            if (d.active) {
                const double total = d.impulse + impulse[j * JointTree::stride + size_t(n)];
                const double bound = std::clamp(total, d.lowest, d.highest);
                if (std::abs(total - bound) <= 1e-12 * std::abs(total)) continue;
                d.active = false;
                d.fixed = bound;
            } else {
                const double rate = d.row.rate(now(m.a, m.still_a), now(m.b, m.still_b));
                const double missing = d.at_end.target - rate - d.at_end.compliance * d.fixed;
                const double tiny = one_sided_tiny * (1 + std::abs(d.at_end.target));
                if (!(missing > tiny && d.fixed < d.highest) && !(missing < -tiny && d.fixed > d.lowest)) continue;
                d.active = true;
            }
            changed = true;
        }
    return changed;
}

void JointIsland::solveVelocities(std::span<SolverBody> solver)
{
    gather(solver);
    is_converged = false;
    for (int round = 0; round < most_rounds && !is_converged; ++round) {
        if (!all_factored) factor(Uses::all, tree);
        all_factored = true;
        std::fill(force.begin(), force.end(), Vector6::Zero());
        for (Member& m : list)
            for (int n = 0; n < m.demands.count; ++n) {
                const JointDemand& d = m.demands.list[n];
                if (d.active || d.fixed == d.impulse) continue;
                addForce(m, d.row, d.fixed - d.impulse);
            }
        solve(Uses::all, tree, [&](const Member& m, const JointDemand& d, int) {
            return d.at_end.target - rateOf(m, d.row) - d.at_end.compliance * d.impulse;
        });
        is_converged = !changeActive();
        all_factored = is_converged;
    }
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            const JointDemand& d = list[j].demands.list[n];
            if (!d.active) impulse[j * JointTree::stride + size_t(n)] = d.fixed - d.impulse;
        }
    apply(solved_by);
    scatter(solver);
}

void JointIsland::discard()
{
    for (Member& m : list) {
        m.demands = m.first;
        all_factored = false;
        m.on_b = {};
        m.motor_J = m.motor_N_s = 0;
        m.limited = false;
    }
    work_J = {};
    std::fill(solved_by.begin(), solved_by.end(), JointImpulses{});
}

// The rows of the demands in the poses of `rows`.
void JointIsland::turnDemands(const JointContext& context, const RigidState& state)
{
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        if (m.a < 0) m.still_a = velocityOf(state, joint.a);
        if (m.b < 0) m.still_b = velocityOf(state, joint.b);
        for (int n = 0; n < m.demands.count; ++n) m.demands.list[n].row = rowNow(m, n);
    }
}

void JointIsland::close(const JointContext& context, RigidState& state)
{
    std::fill(force.begin(), force.end(), Vector6::Zero());
    for (int round = 0; round < most_closings; ++round) {
        setRows(context, state);
        double worst = 0;
        for (const Member& m : list)
            for (int n = 0; n < m.demands.count; ++n)
                if (const JointDemand& d = m.demands.list[n]; uses(Uses::rigid, d) && d.closes)
                    worst = std::max(worst, std::abs(errorOf(d, m.rows, n)));
        if (worst <= closed || (round > 0 && worst < nearly_closed)) return;
        setMasses(context, state);
        turnDemands(context, state);
        factor(Uses::rigid, tree);
        solve(Uses::rigid, tree,
              [&](const Member& m, const JointDemand& d, int n) { return d.closes ? -errorOf(d, m.rows, n) : 0.0; });
        for (size_t i = 0; i < change.size(); ++i) displace(toChange(change[i]), state.bodies[size_t(bodies()[i])]);
    }
}

// Calls f(member, row number, row, compliance) for the rows that act, in the poses of m.rows.
template <class F>
void JointIsland::forActiveRows(const F& f) const
{
    for (const Member& m : list) {
        for (int n = 0; n < m.rows.count; ++n) f(m, n, m.rows.row[n], 0.0);
        for (int n = m.rows.count; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            const bool acts = d.role == RowRole::limit ? d.impulse != 0 : d.role != RowRole::push;
            if (d.active && acts) f(m, n, rowNow(m, n), d.at_end.compliance);
        }
    }
}

void JointIsland::addActiveRows(const JointContext& context, const RigidState& state, std::vector<HeldRow>& held)
{
    setRows(context, state);
    const auto global = [&](int i) { return i < 0 ? world_body : bodies()[size_t(i)]; };
    forActiveRows([&](const Member& m, int, const ConstraintRow& row, double compliance) {
        held.push_back({global(m.a), global(m.b), row, compliance});
    });
}

void JointIsland::factorActive(const JointContext& context, const RigidState& state)
{
    setMasses(context, state);
    setRows(context, state);
    for (SolverRows& r : rows) r.count = 0;
    forActiveRows([&](const Member& m, int n, const ConstraintRow& row, double compliance) {
        rows[size_t(&m - list.data())].add(n, row, compliance);
    });
    tree.factor(rows, rows, mass);
    all_factored = false;
}

void JointIsland::respond(std::span<const Impulse> impulses, std::span<VelocityChange> changes)
{
    for (size_t i = 0; i < force.size(); ++i) {
        const Impulse& l = impulses[size_t(bodies()[i])];
        force[i] << l.linear_N_s.x, l.linear_N_s.y, l.linear_N_s.z, l.angular_N_m_s.x, l.angular_N_m_s.y,
            l.angular_N_m_s.z;
    }
    std::fill(right.begin(), right.end(), 0.0);
    tree.solve(right, force, change, impulse);
    for (size_t i = 0; i < force.size(); ++i) changes[size_t(bodies()[i])] = toChange(change[i]);
}

}  // namespace flotsam
