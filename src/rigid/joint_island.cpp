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
    end_row.resize(list.size() * JointTree::stride);
    rate_before.resize(list.size() * JointTree::stride);
    rows.resize(list.size());
    end_rows.resize(list.size());
    right.resize(list.size() * JointTree::stride);
    impulse.resize(list.size() * JointTree::stride);
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
        m.now = posed(joint, poseOf(state.bodies, joint.a), poseOf(state.bodies, joint.b));
        setHolds(joint, m.now, context.planar, m.rows);
        setCoordinates(joint, m.now, m.rows);
        setValues(joint, state.joints[size_t(m.index)], m.now, m.rows);
        m.has_coordinates = m.has_values = true;
    }
}

void JointIsland::setDemands(const JointContext& context, const RigidState& state)
{
    factored.reset();
    is_solved = is_exact = end_factored = move_factored = false;
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        m.start = m.now;
        if (joint.stiffness > 0) m.rows.rotation_rad = rotationOf(m.now);
        const double axis_rate = m.rows.axis.exists ? rateOf(m, m.rows.axis.row) : 0;
        flotsam::setDemands(joint, m.rows, axis_rate, context.t_s, context.dt_s, context.planar, m.demands);
    }
    setMasses(context, state);
}

// The velocities of what does not move by itself.
void JointIsland::setStill(const JointContext& context, const RigidState& state)
{
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        if (m.a < 0) m.still_a = velocityOf(state, joint.a);
        if (m.b < 0) m.still_b = velocityOf(state, joint.b);
    }
}

void JointIsland::start(const JointContext& context, const RigidState& state, std::span<const SolverBody> solver)
{
    gather(solver);
    setRows(context, state);
    setStill(context, state);
    work_J = {};
    most_iterations = 0;
    is_converged = true;
    std::fill(moved_by.begin(), moved_by.end(), JointImpulses{});
    std::fill(solved_by.begin(), solved_by.end(), JointImpulses{});
    std::fill(projected_by.begin(), projected_by.end(), Impulse{});
    for (Member& m : list) {
        m.on_b = {};
        m.motor_J = m.motor_N_s = 0;
        m.limited = false;
    }
    setDemands(context, state);
}

bool JointIsland::uses(Uses which, const JointDemand& d)
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

const ConstraintRow& JointIsland::rowOf(const JointRows& rows, const JointDemand& d, int n)
{
    if (d.role == RowRole::hold) return rows.row[n];
    if (d.coordinate == RowCoordinate::axis && rows.axis.exists) return rows.axis.row;
    if (d.coordinate == RowCoordinate::twist && rows.twist.exists) return rows.twist.row;
    return d.row;
}

// For velocities, in the poses at the start of the substep.
void JointIsland::factorStart(Uses which)
{
    if (factored == which) return;
    for (size_t j = 0; j < list.size(); ++j) {
        rows[j].count = 0;
        const JointDemands& demands = list[j].demands;
        for (int n = 0; n < demands.count; ++n)
            if (const JointDemand& d = demands.list[n]; uses(which, d)) rows[j].add(n, d.row, d.at_end.compliance);
    }
    tree.factor(rows, rows, mass);
    factored = which;
    move_factored = false;
}

namespace {

// Adds an impulse l along a row to those of its kind.
void addTo(std::vector<JointImpulses>& sums, const JointIsland::Member& m, const JointDemand& d,
           const ConstraintRow& row, double l)
{
    addImpulse(m, row, l,
               [&](int i) -> Impulse& { return d.is_motor ? sums[size_t(i)].motors : sums[size_t(i)].joints; });
}

}  // namespace

// An impulse l along a row whose mean rate is `rate`, apart from the mean of a rate that it removes.
void JointIsland::countWork(Member& m, const JointDemand& d, double l, double rate, double removed)
{
    const double work = l * rate;
    work_J.closing += l * removed;
    if (d.is_motor)
        work_J.motors += work, m.motor_J += work, m.motor_N_s += l;
    else if (d.role == RowRole::hold)
        work_J.closing += work;
    else
        (d.role == RowRole::soft ? work_J.springs : work_J.stops) += work;
}

void JointIsland::count(Member& m, JointDemand& d, const ConstraintRow& row, double l, double rate, double removed)
{
    d.impulse += l;
    m.on_b.linear_N_s += l * row.linear;
    m.on_b.angular_N_m_s += l * (row.angular_b - cross(m.rows.to_anchor_m, row.linear));
    addTo(moved_by, m, d, row, l);
    countWork(m, d, l, rate, removed);
}

void JointIsland::project(std::span<SolverBody> solver)
{
    gather(solver);
    is_exact = false;
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

// Whether no row is off by more than a tolerance.
bool JointIsland::isSolved(double tolerance_m_s) const
{
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            const JointDemand& d = list[j].demands.list[n];
            const double missing = d.at_end.target - rate_before[j * JointTree::stride + size_t(n)] -
                                   d.at_end.compliance * (d.active ? d.impulse : d.fixed);
            if (d.role == RowRole::push) continue;
            if (d.active ? std::abs(missing) > tolerance_m_s
                         : !isCovered(d, list[j].demands) && ((missing > tolerance_m_s && d.fixed < d.highest) ||
                                                              (missing < -tolerance_m_s && d.fixed > d.lowest)))
                return false;
        }
    return true;
}

void JointIsland::solveVelocities(std::span<SolverBody> solver, double tolerance_m_s)
{
    if (is_exact && isUnchanged(solver)) return;
    gather(solver);
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n)
            rate_before[j * JointTree::stride + size_t(n)] = rateOf(list[j], list[j].demands.list[n].row);
    is_exact = !(is_solved && tolerance_m_s > 0 && isSolved(tolerance_m_s));
    if (!is_exact) return;
    is_converged = false;
    for (int round = 0; round < most_rounds && !is_converged; ++round) {
        factorStart(Uses::all);
        for (size_t j = 0; j < list.size(); ++j)
            for (int n = 0; n < list[j].demands.count; ++n) {
                const JointDemand& d = list[j].demands.list[n];
                const size_t k = j * JointTree::stride + size_t(n);
                right[k] = d.active ? d.at_end.target - rate_before[k] - d.at_end.compliance * d.impulse : 0;
            }
        tree.solve(right, addFixed() ? std::span<const Vector6>(force) : std::span<const Vector6>(), change, impulse);
        is_converged = !changeActive();
        if (!is_converged) factored.reset();
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

bool JointIsland::isUnchanged(std::span<const SolverBody> solver) const
{
    for (size_t i = 0; i < velocity.size(); ++i) {
        const SolverBody& s = solver[size_t(bodies()[i])];
        if (s.v != velocity[i].v_m_s || s.w != velocity[i].w_rad_s) return false;
    }
    return true;
}

// All impulses act together: one by one, in the order in which they were found, contacts would do work on a motor.
void JointIsland::countSolved(std::span<const VelocityChange> before)
{
    const auto at = [&](int i, const VelocityChange& still) {
        return i < 0 ? still : before[size_t(bodies()[size_t(i)])];
    };
    for (Member& m : list)
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            if (d.impulse == 0) continue;
            const double start = d.row.rate(at(m.a, m.still_a), at(m.b, m.still_b));
            countWork(m, d, d.impulse, 0.5 * (start + rateOf(m, d.row)), 0);
            addTo(solved_by, m, d, d.row, d.impulse);
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
    is_solved = is_exact = false;
    is_converged = true;
    work_J = {};
    std::fill(solved_by.begin(), solved_by.end(), JointImpulses{});
}

// The rows that do not give way, in the current poses.
void JointIsland::factorEnd()
{
    for (size_t j = 0; j < list.size(); ++j) {
        rows[j].count = 0;
        const JointDemands& demands = list[j].demands;
        for (int n = 0; n < demands.count; ++n)
            if (const JointDemand& d = demands.list[n]; uses(Uses::rigid, d))
                rows[j].add(n, rowOf(list[j].rows, d, n), d.at_end.compliance);
    }
    end_tree.factor(rows, rows, mass);
    end_factored = true;
}

void JointIsland::close(const JointContext& context, RigidState& state)
{
    const auto isMoved = [&](size_t i) {
        const BodyState &now = state.bodies[size_t(bodies()[i])], &then = motion[i].after;
        return now.x_m != then.x_m || now.q != then.q;
    };
    for (size_t i = 0; i < motion.size(); ++i)
        if (isMoved(i)) return displaceUntilClosed(context, state);
}

void JointIsland::displaceUntilClosed(const JointContext& context, RigidState& state)
{
    double last = std::numeric_limits<double>::infinity();
    for (int round = 0; round < most_closings; ++round) {
        setRows(context, state);
        double worst = 0;
        for (size_t j = 0; j < list.size(); ++j)
            for (int n = 0; n < list[j].demands.count; ++n) {
                const JointDemand& d = list[j].demands.list[n];
                const double error = uses(Uses::rigid, d) && d.closes ? errorOf(d, list[j].rows, n) : 0;
                right[j * JointTree::stride + size_t(n)] = -error;
                worst = std::max(worst, std::abs(error));
            }
        if (worst <= closed || (round > 0 && worst < nearly_closed)) return;
        // The factors at the end of the move will do where they gain a digit.
        if (!end_factored || worst > 0.1 * last) {
            setMasses(context, state);
            factorEnd();
        }
        last = worst;
        end_tree.solve(right, {}, change, impulse);
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
            if (d.active && acts) f(m, n, rowOf(m.rows, d, n), d.at_end.compliance);
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
    factored.reset();
    move_factored = false;
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
