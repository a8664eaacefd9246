#include "rigid/joint_island.h"

#include <algorithm>
#include <limits>

#include "rigid/joint_impulses.h"
#include "rigid/rotate.h"

namespace flotsam {

namespace {

// Iterations that close the joints: a light link that is pushed by most of its length takes more than 30.
constexpr int most_closings = 100;
constexpr double closed = 1e-14, nearly_closed = 1e-11;  // errors of a closed joint [m, rad]

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
    is_solved = end_factored = move_factored = false;
    for (Member& m : list) {
        const Joint& joint = context.joints[size_t(m.index)];
        m.start = m.now;
        if (joint.stiffness > 0) m.rows.rotation_rad = rotationOf(m.now);
        const auto rate = [&](const JointRows::Coordinate& c) { return c.exists ? rateOf(m, c.row) : 0; };
        flotsam::setDemands(joint, m.rows, {rate(m.rows.axis), rate(m.rows.twist)}, context.t_s, context.dt_s,
                            context.planar, m.demands);
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

void JointIsland::start(const JointContext& context, const RigidState& state)
{
    if (is_started) return;
    is_started = true;
    for (size_t i = 0; i < velocity.size(); ++i) velocity[i] = velocityOf(state, bodies()[i]);
    setRows(context, state);
    setStill(context, state);
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
    move_factored = response_factored = false;
}

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
    addImpulse(m, d, row, l, moved_by);
    countWork(m, d, l, rate, removed);
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
    endTree().factor(rows, rows, mass);
    end_factored = true;
    if (moves_touched) move_factored = false, factored.reset();
}

void JointIsland::close(const JointContext& context, RigidState& state)
{
    const auto isMoved = [&](size_t i) {
        const BodyState &now = state.bodies[size_t(bodies()[i])], &then = motion[i].after;
        return now.x_m != then.x_m || now.q != then.q;
    };
    for (size_t i = 0; i < motion.size(); ++i)
        if (isMoved(i)) {
            is_converged = displaceUntilClosed(context, state) && is_converged;
            return;
        }
}

bool JointIsland::displaceUntilClosed(const JointContext& context, RigidState& state)
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
        if (worst <= closed || (round > 0 && worst < nearly_closed)) return true;
        // The factors at the end of the move will do where they gain a digit.
        if (!end_factored || worst > 0.1 * last) {
            setMasses(context, state);
            factorEnd();
        }
        last = worst;
        endTree().solve(right, {}, change, impulse);
        for (size_t i = 0; i < change.size(); ++i) displace(toChange(change[i]), state.bodies[size_t(bodies()[i])]);
    }
    return false;
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
