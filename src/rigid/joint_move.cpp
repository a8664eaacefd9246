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
constexpr double unmoved = 1e-13;                        // the next change of a pose

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
        m.inverse_mass = 1 / body.mass_kg;
        m.inertia = eigen(rotated(body.body_from_principal, body.moments_kg_m2));
        const Vec3 own = body.moments_kg_m2;
        m.inverse_inertia = eigen(rotated(body.body_from_principal, {1 / own.x, 1 / own.y, 1 / own.z}));
        m.momentum = plain(m.start * (m.inertia * (m.start.transpose() * eigen(m.from.w_rad_s + m.given.w_rad_s))));
        m.mid = m.from + 0.5 * m.given;
    }
    std::fill(mid_impulse.begin(), mid_impulse.end(), 0.0);
    std::fill(start_impulse.begin(), start_impulse.end(), 0.0);
    move_factored = false;
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
        m.joints = {};
    }
    end_factored = false;
}

// Limits that do not act need none.
bool JointIsland::needsCoordinates(Uses which, const JointDemands& demands)
{
    for (int n = 0; n < demands.count; ++n)
        if (const JointDemand& d = demands.list[n]; d.coordinate != RowCoordinate::none)
            if (uses(which, d) || (which == Uses::all && d.role != RowRole::limit)) return true;
    return false;
}

// What the current guess leaves over: of the momenta in `force`, of the constraints in `right`. Returns the largest
// error of a joint.
double JointIsland::setResidual(const JointContext& context, Uses which, RigidState& state)
{
    place(context, state);
    const double dt = context.dt_s;
    double worst = soft_error = 0;
    for (size_t j = 0; j < list.size(); ++j) {
        Member& m = list[j];
        const Joint& joint = context.joints[size_t(m.index)];
        m.now = posed(joint, poseOf(state.bodies, joint.a), poseOf(state.bodies, joint.b));
        const PosedJoint between = mean(m.start, m.now);
        setHolds(joint, m.now, context.planar, m.rows);
        setHolds(joint, between, context.planar, m.mid_rows);
        m.has_values = false;
        m.has_coordinates = needsCoordinates(which, m.demands);
        if (m.has_coordinates) {
            setCoordinates(joint, m.now, m.rows);
            setCoordinates(joint, between, m.mid_rows);
        }
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            const size_t k = j * JointTree::stride + size_t(n);
            const bool used = uses(which, d);
            if (!used) mid_impulse[k] = which == Uses::all ? d.fixed : 0;
            const double l = mid_impulse[k];
            right[k] = 0;
            if (!used && l == 0) continue;
            const ConstraintRow& row = rowOf(m.mid_rows, d, n);
            addImpulse(m, row, l, [&](int i) -> Impulse& { return motion[size_t(i)].joints; });
            if (!used) continue;
            if (d.closes) {
                if (d.coordinate != RowCoordinate::none && !m.has_values) {
                    setValues(joint, state.joints[size_t(m.index)], m.now, m.rows);
                    m.has_values = true;
                }
                const double error = errorOf(d, m.rows, n);
                worst = std::max(worst, std::abs(error));
                right[k] = -error / dt;
            } else {
                const double rate_mid = row.rate(m.a < 0 ? m.still_a : motion[size_t(m.a)].mid,
                                                 m.b < 0 ? m.still_b : motion[size_t(m.b)].mid);
                right[k] = d.at_mean.target - rate_mid - d.at_mean.compliance * l;
                soft_error = std::max(soft_error, std::abs(right[k]));
            }
        }
    }
    for (size_t i = 0; i < motion.size(); ++i) {
        const Moving& m = motion[i];
        const double kg = context.bodies[size_t(bodies()[i])].mass_kg;
        const Vec3 linear = m.joints.linear_N_s - kg * (2 * (m.mid.v_m_s - m.from.v_m_s) - m.given.v_m_s);
        const Vector3d spin = m.start.transpose() * eigen(2 * m.mid.w_rad_s - m.from.w_rad_s);
        force[i].head<3>() = eigen(linear);
        force[i].tail<3>() = eigen(m.momentum + m.joints.angular_N_m_s) - m.end * (m.inertia * spin);
    }
    return worst;
}

// The linear system of Newton's method in the current guess.
void JointIsland::setSystem(const JointContext& context, Uses which)
{
    const double dt = context.dt_s;
    for (size_t i = 0; i < motion.size(); ++i) {
        Moving& m = motion[i];
        const Vec3 half = 0.5 * dt * m.mid.w_rad_s;
        m.tangent = (Matrix3d::Identity() + crossWith(eigen(half))) / (1 + dot(half, half));
        const Matrix3d turned = m.end * m.inertia * m.start.transpose();
        const Vector3d after = turned * eigen(2 * m.mid.w_rad_s - m.from.w_rad_s);
        mass[i].setZero();
        mass[i].topLeftCorner<3, 3>().diagonal().setConstant(2 * context.bodies[size_t(bodies()[i])].mass_kg);
        mass[i].bottomRightCorner<3, 3>() = 2 * turned - dt * crossWith(after) * m.tangent;
    }
    const auto turned = [&](int i, Vec3 angular) {
        return i < 0 ? angular : plain(motion[size_t(i)].tangent.transpose() * eigen(angular));
    };
    for (size_t j = 0; j < list.size(); ++j) {
        const Member& m = list[j];
        rows[j].count = end_rows[j].count = 0;
        Vec3 on_b;
        for (int n = 0; n < m.demands.count; ++n) {
            const JointDemand& d = m.demands.list[n];
            const size_t k = j * JointTree::stride + size_t(n);
            if (!uses(which, d) && mid_impulse[k] == 0) continue;
            const ConstraintRow& row = rowOf(m.mid_rows, d, n);
            on_b += mid_impulse[k] * row.linear;
            if (!uses(which, d)) continue;
            if (d.closes) {
                const ConstraintRow& end = rowOf(m.rows, d, n);
                end_row[k] = {end.linear, turned(m.a, end.angular_a), turned(m.b, end.angular_b)};
            }
            rows[j].add(n, row, d.at_mean.compliance);
            end_rows[j].add(n, d.closes ? end_row[k] : row, d.at_mean.compliance);
        }
        // The lever arm of the joint's force turns with the body: the stiffness that holds light links straight.
        if (context.joints[size_t(m.index)].kind == JointKind::slider || on_b == Vec3{}) continue;
        const auto stiffen = [&](int i, Vec3 arm, Vec3 on_body) {
            if (i < 0) return;
            mass[size_t(i)].bottomRightCorner<3, 3>() -=
                0.5 * dt * crossWith(eigen(on_body)) * crossWith(eigen(arm)) * motion[size_t(i)].tangent;
        };
        stiffen(m.a, m.now.ra, -on_b);
        stiffen(m.b, m.now.rb, on_b);
    }
}

// Whether the guess needs no correction, as in free fall.
bool JointIsland::isBalanced() const
{
    double largest = soft_error;
    for (size_t i = 0; i < motion.size(); ++i)
        largest = std::max({largest, force[i].head<3>().cwiseAbs().maxCoeff() * motion[i].inverse_mass,
                            (motion[i].inverse_inertia * (motion[i].end.transpose() * force[i].tail<3>())).norm()});
    return largest <= unmoved;
}

// Adds the solution of the linear system. Returns the largest change of a pose.
double JointIsland::addChange(const JointContext& context, Uses which)
{
    double moved = 0;
    for (size_t i = 0; i < motion.size(); ++i) {
        moved = std::max(moved, context.dt_s * change[i].cwiseAbs().maxCoeff());
        motion[i].mid = motion[i].mid + VelocityChange{plain(change[i].head<3>()), plain(change[i].tail<3>())};
    }
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = 0; n < list[j].demands.count; ++n)
            if (uses(which, list[j].demands.list[n]))
                mid_impulse[j * JointTree::stride + size_t(n)] += impulse[j * JointTree::stride + size_t(n)];
    return moved;
}

void JointIsland::setMissingValues(const JointContext& context, const RigidState& state)
{
    for (Member& m : list)
        if (!m.has_values) {
            if (!m.has_coordinates) setCoordinates(context.joints[size_t(m.index)], m.now, m.rows);
            m.has_coordinates = true;
            setValues(context.joints[size_t(m.index)], state.joints[size_t(m.index)], m.now, m.rows);
            m.has_values = true;
        }
}

// Factors are kept while they gain enough: an iteration with them costs a third of one with new ones.
bool JointIsland::newton(const JointContext& context, Uses which, RigidState& state)
{
    constexpr double infinity = std::numeric_limits<double>::infinity();
    double last = infinity, moved = infinity, gain = 1;
    bool fresh = false;
    factored.reset();
    for (int n = 0; n < most_newton; ++n) {
        const double worst = setResidual(context, which, state);
        if (!(worst < 1e3)) return false;
        most_iterations = std::max(most_iterations, n);
        const bool is_settled = n == 0  ? worst <= closed && isBalanced()
                                : fresh ? moved <= settled
                                        : moved * gain <= unmoved;
        // Rounding: large systems stop improving before they reach the limit.
        if (is_settled && (worst <= closed || (worst <= nearly_closed && worst > 0.5 * last))) {
            setMissingValues(context, state);
            return true;
        }
        last = worst;
        fresh = !move_factored;
        if (fresh) {
            setSystem(context, which);
            tree.factor(rows, end_rows, mass);
        }
        tree.solve(right, force, change, impulse);
        const double before = moved;
        moved = addChange(context, which);
        gain = n == 0 ? 1 : moved / before;
        move_factored = moved < 1e-3 && (n == 0 || gain < 0.03);
    }
    return false;
}

// Limits and motors at their largest torque. Returns whether any changed.
bool JointIsland::changeActiveMoved()
{
    bool changed = false;
    for (size_t j = 0; j < list.size(); ++j)
        for (int n = list[j].rows.count; n < list[j].demands.count; ++n) {
            Member& m = list[j];
            JointDemand& d = m.demands.list[n];
            if (d.role == RowRole::push) continue;
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
                    const double mid = rowOf(m.mid_rows, d, n)
                                           .rate(m.a < 0 ? m.still_a : motion[size_t(m.a)].mid,
                                                 m.b < 0 ? m.still_b : motion[size_t(m.b)].mid);
                    missing = d.at_mean.target - mid - d.at_mean.compliance * d.fixed;
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
        if (!newton(context, which, state)) return false;
        if (touched || !changeActiveMoved()) return true;
        move_factored = false;
    }
    is_converged = false;
    return newton(context, which, state);
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
            move_factored = false;
            is_converged = newton(context, which, state) && is_converged;
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
        setRows(context, state);
        setEndVelocities(context);
        countMove();
        displaceUntilClosed(context, state);
        setRows(context, state);
        end_factored = false;
    }
    projectEnd(context, state);
    for (size_t i = 0; i < velocity.size(); ++i) {
        BodyState& s = state.bodies[size_t(bodies()[i])];
        s.v_m_s = velocity[i].v_m_s;
        s.w_rad_s = velocity[i].w_rad_s;
        motion[i].after = s;
    }
}

void JointIsland::move(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                       RigidState& state, std::span<SolverBody> solver)
{
    gather(solver);
    if (touched) countAtAnchors();
    movePart(context, acceleration, touched, 0, state);
    scatter(solver);
}

}  // namespace flotsam
