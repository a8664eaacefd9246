// The move of joined bodies: an energy-momentum method (Simo and Wong 1991, Gonzalez 1999), docs/methods/joints.md.
//
// With the mean velocity u of a body and its mean spin w over the move, the rotation R' = cay(dt w) R, and joint
// impulses l along the rows J_m between the poses:
//     v' = 2 u - v,   W' = 2 W - W_start (body axes),   P' = P + external + J_m^T l,   C(q') = 0.
// J_m are discrete gradients of the constraints: they do no work, whatever dt is, and momentum is exact. RATTLE, with
// the rows at the start of the move, is explicit in the direction of the joint forces: a link of 1 g under a tension of
// 300 N oscillates with 7700 rad/s, and beyond dt = 2 / 7700 s its spin grows without bound.
#include <algorithm>

#include "rigid/joint_impulses.h"

namespace flotsam {

namespace {

constexpr int most_newton = 20, most_rounds = 12, most_halvings = 6, most_balance_halvings = 2;
constexpr double negligible = 1e-6;                      // loss of kinetic energy in a move
constexpr double closed = 1e-13, nearly_closed = 1e-11;  // errors of a closed joint [m, rad]
constexpr double settled = 1e-10;                        // the last change of a pose: squared, it is below rounding

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d crossWith(const Vector3d& v)
{
    Matrix3d r;
    r << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
    return r;
}

}  // namespace

void JointIsland::startMove(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                            const RigidState& state)
{
    for (size_t i = 0; i < motion.size(); ++i) {
        const size_t b = size_t(bodies()[i]);
        const Body& body = context.bodies[b];
        Moving& m = motion[i];
        m.before = state.bodies[b];
        m.entered = m.from = velocity[i];
        m.kick = {};
        m.given = touched ? VelocityChange{} : context.dt_s * acceleration[b];
        m.start = eigen(matrixOf(m.before.q));
        m.inertia = eigen(rotated(body.body_from_principal, body.moments_kg_m2));
        const Vec3 own = body.moments_kg_m2;
        m.inverse_inertia = eigen(rotated(body.body_from_principal, {1 / own.x, 1 / own.y, 1 / own.z}));
        m.momentum = plain(m.start * (m.inertia * (m.start.transpose() * eigen(m.from.w_rad_s + m.given.w_rad_s))));
        m.mid = m.from + 0.5 * m.given;
    }
    std::fill(mid_impulse.begin(), mid_impulse.end(), 0.0);
    std::fill(start_impulse.begin(), start_impulse.end(), 0.0);
}

// Poses at the end of the move for the current mean velocities.
void JointIsland::place(const JointContext& context, RigidState& state)
{
    for (size_t i = 0; i < motion.size(); ++i) {
        Moving& m = motion[i];
        BodyState& s = state.bodies[size_t(bodies()[i])];
        const Vec3 half = 0.5 * context.dt_s * m.mid.w_rad_s;
        s.x_m = m.before.x_m + context.dt_s * m.mid.v_m_s;
        s.q = normalized(Quat{1, half.x, half.y, half.z} * m.before.q);
        m.end = eigen(matrixOf(s.q));
        m.tangent = (Matrix3d::Identity() + crossWith(eigen(half))) / (1 + dot(half, half));
        m.joints = {};
    }
    setRows(context, state);
}

// The linear system of Newton's method in the current guess. Returns the largest error of a joint.
double JointIsland::setSystem(const JointContext& context, Uses which, RigidState& state)
{
    place(context, state);
    const double dt = context.dt_s;
    for (Matrix6& m : mass) m.setZero();
    double worst = 0;
    for (size_t j = 0; j < list.size(); ++j) {
        Member& m = list[j];
        const Joint& joint = context.joints[size_t(m.index)];
        const PosedJoint end = posed(joint, poseOf(state.bodies, joint.a), poseOf(state.bodies, joint.b));
        const JointRows between = rowsOf(joint, state.joints[size_t(m.index)], mean(m.start, end), context.planar);
        rows[j].count = end_rows[j].count = 0;
        Vec3 on_b_force;
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            const size_t k = j * JointTree::stride + size_t(n);
            const bool used = uses(which, d);
            ConstraintRow row = d.row;
            if (d.role == RowRole::hold)
                row = between.row[n];
            else if (d.coordinate == RowCoordinate::axis && between.axis.exists)
                row = between.axis.row;
            else if (d.coordinate == RowCoordinate::twist && between.twist.exists)
                row = between.twist.row;
            if (!used && which != Uses::all) mid_impulse[k] = 0;
            if (!used && which == Uses::all) mid_impulse[k] = d.fixed;
            mid_row[k] = row;
            const double l = mid_impulse[k];
            addImpulse(m, row, l, [&](int i) -> Impulse& { return motion[size_t(i)].joints; });
            on_b_force += l * row.linear;
            if (!used) continue;
            ConstraintRow moved = d.closes ? rowNow(m, n) : row;
            if (d.closes) {
                const double error = errorOf(d, m.rows, n);
                worst = std::max(worst, std::abs(error));
                right[k] = -error / dt;
                if (m.a >= 0) moved.angular_a = plain(motion[size_t(m.a)].tangent.transpose() * eigen(moved.angular_a));
                if (m.b >= 0) moved.angular_b = plain(motion[size_t(m.b)].tangent.transpose() * eigen(moved.angular_b));
            } else {
                const double rate = row.rate(m.a < 0 ? m.still_a : motion[size_t(m.a)].mid,
                                             m.b < 0 ? m.still_b : motion[size_t(m.b)].mid);
                right[k] = d.at_mean.target - rate - d.at_mean.compliance * l;
            }
            rows[j].add(n, row, d.at_mean.compliance);
            end_rows[j].add(n, moved, d.at_mean.compliance);
        }
        // The lever arm of the joint's force turns with the body: the stiffness that holds light links straight.
        if (joint.kind == JointKind::slider) continue;
        const auto stiffen = [&](int i, Vec3 arm, Vec3 on_body) {
            if (i < 0) return;
            mass[size_t(i)].bottomRightCorner<3, 3>() -=
                0.5 * dt * crossWith(eigen(on_body)) * crossWith(eigen(arm)) * motion[size_t(i)].tangent;
        };
        stiffen(m.a, end.ra, -on_b_force);
        stiffen(m.b, end.rb, on_b_force);
    }
    for (size_t i = 0; i < motion.size(); ++i) {
        const Moving& m = motion[i];
        const double kg = context.bodies[size_t(bodies()[i])].mass_kg;
        const Matrix3d turned = m.end * m.inertia * m.start.transpose();
        const Vector3d after = turned * eigen(2 * m.mid.w_rad_s - m.from.w_rad_s);
        mass[i].topLeftCorner<3, 3>().diagonal().array() += 2 * kg;
        mass[i].bottomRightCorner<3, 3>() += 2 * turned - dt * crossWith(after) * m.tangent;
        const Vec3 linear = m.joints.linear_N_s - kg * (2 * (m.mid.v_m_s - m.from.v_m_s) - m.given.v_m_s);
        force[i].head<3>() = eigen(linear);
        force[i].tail<3>() = eigen(m.momentum + m.joints.angular_N_m_s) - after;
    }
    return worst;
}

bool JointIsland::newton(const JointContext& context, Uses which, bool is_factored, RigidState& state)
{
    double last = std::numeric_limits<double>::infinity(), moved = last;
    all_factored = false;
    for (int n = 0; n < most_newton; ++n) {
        const double worst = setSystem(context, which, state);
        if (!(worst < 1e3)) return false;
        most_iterations = std::max(most_iterations, n);
        // Rounding: large systems stop improving before they reach the limit.
        if (moved <= settled && (worst <= closed || (worst <= nearly_closed && worst > 0.5 * last))) return true;
        last = worst;
        // The factors of an earlier iteration will do where they still gain two digits.
        if (!is_factored) tree.factor(rows, end_rows, mass);
        tree.solve(right, force, change, impulse);
        const double before = moved;
        moved = 0;
        for (size_t i = 0; i < motion.size(); ++i) {
            moved = std::max(moved, context.dt_s * change[i].cwiseAbs().maxCoeff());
            motion[i].mid = motion[i].mid + VelocityChange{plain(change[i].head<3>()), plain(change[i].tail<3>())};
        }
        for (size_t k = 0; k < mid_impulse.size(); ++k) {
            const JointDemands& demands = list[k / JointTree::stride].demands;
            const int row = int(k % JointTree::stride);
            if (row < demands.count && uses(which, demands.list[row])) mid_impulse[k] += impulse[k];
        }
        is_factored = moved < 0.01 * before && moved < 1e-3;
    }
    return false;
}

// Limits and motors at their largest torque. Returns whether any changed.
bool JointIsland::changeActiveMoved()
{
    bool changed = false;
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n) {
            Member& m = list[j];
            JointDemand& d = m.demands.list[n];
            if (d.role == RowRole::hold || d.role == RowRole::push) continue;
            if (!d.active && isCovered(d, m.demands)) continue;
            const size_t k = j * JointTree::stride + size_t(n);
            if (d.active) {
                const double bound = std::clamp(mid_impulse[k], d.lowest, d.highest);
                if (std::abs(mid_impulse[k] - bound) <= 1e-12 * std::abs(mid_impulse[k])) continue;
                d.active = false;
                d.fixed = bound;
            } else {
                // How much it lacks along the row: of the coordinate, or of the rate.
                double missing = 0, tiny = 1e-12;
                if (d.closes) {
                    missing = -errorOf(d, m.rows, n);
                } else {
                    const double rate = mid_row[k].rate(m.a < 0 ? m.still_a : motion[size_t(m.a)].mid,
                                                        m.b < 0 ? m.still_b : motion[size_t(m.b)].mid);
                    missing = d.at_mean.target - rate - d.at_mean.compliance * d.fixed;
                    tiny = 1e-10 * (1 + std::abs(d.at_mean.target));
                }
                if (!(missing > tiny && d.fixed < d.highest) && !(missing < -tiny && d.fixed > d.lowest)) continue;
                d.active = true;
            }
            changed = true;
        }
    return changed;
}

bool JointIsland::moveClosed(const JointContext& context, Uses which, bool touched, RigidState& state)
{
    for (int round = 0; round < most_rounds; ++round) {
        if (!newton(context, which, false, state)) return false;
        if (touched || !changeActiveMoved()) return true;
    }
    is_converged = false;
    return newton(context, which, false, state);
}

// Two moves of half the length.
void JointIsland::moveHalves(const JointContext& context, std::span<const VelocityChange> acceleration, int depth,
                             RigidState& state)
{
    for (size_t i = 0; i < motion.size(); ++i) {
        state.bodies[size_t(bodies()[i])] = motion[i].before;
        velocity[i] = motion[i].entered;
    }
    JointContext half = context;
    half.dt_s = 0.5 * context.dt_s;
    for (int part = 0; part < 2; ++part) {
        setRows(half, state);
        setDemands(half, state);
        movePart(half, acceleration, false, depth + 1, state);
        half.t_s += half.dt_s;
    }
}

// Halves the move where Newton's method or the balance of energies does not converge.
void JointIsland::movePart(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                           int depth, RigidState& state)
{
    startMove(context, acceleration, touched, state);
    const Uses which = touched ? Uses::rigid : Uses::all;
    if (moveClosed(context, which, touched, state)) {
        if (!touched && isSmooth() && !balance(context, state)) {
            if (depth < most_balance_halvings && projection_loss > negligible)
                return moveHalves(context, acceleration, depth, state);
            std::fill(start_impulse.begin(), start_impulse.end(), 0.0);
            kickStart(context, start_impulse);
            is_converged = newton(context, which, false, state) && is_converged;
        }
        setEndVelocities(context);
        countMove();
    } else {
        if (depth < most_halvings && !touched) return moveHalves(context, acceleration, depth, state);
        // The bodies move as if they were free, and are displaced until the joints are closed: crude, but bounded.
        is_converged = false;
        std::fill(mid_impulse.begin(), mid_impulse.end(), 0.0);
        for (Moving& m : motion) m.mid = m.from + 0.5 * m.given;
        place(context, state);
        setEndVelocities(context);
        countMove();
        close(context, state);
        setRows(context, state);
    }
    projectEnd(context, state);
    for (size_t i = 0; i < velocity.size(); ++i) {
        BodyState& s = state.bodies[size_t(bodies()[i])];
        s.v_m_s = velocity[i].v_m_s;
        s.w_rad_s = velocity[i].w_rad_s;
    }
}

void JointIsland::move(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                       RigidState& state, std::span<SolverBody> solver)
{
    gather(solver);
    movePart(context, acceleration, touched, 0, state);
    scatter(solver);
}

}  // namespace flotsam
