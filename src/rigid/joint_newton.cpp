// Newton's method for the move of joined bodies (docs/methods/joints.md, section 4).
#include <algorithm>
#include <limits>

#include "rigid/joint_impulses.h"

namespace flotsam {

namespace {

constexpr int most_newton = 20;
constexpr double closed = 1e-13, nearly_closed = 1e-11;  // errors of a closed joint [m, rad]
constexpr double settled = 1e-10;                        // the last change of a pose: squared, it is below rounding
constexpr double unmoved = 1e-13;                        // the next change of a pose
constexpr double unmoved_touched = 1e-11;                // after contacts, whose velocities are far less accurate

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d crossWith(const Vector3d& v)
{
    Matrix3d r;
    r << 0, -v[2], v[1], v[2], 0, -v[0], -v[1], v[0], 0;
    return r;
}

}  // namespace

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
        motion[i].mid = motion[i].mid + toChange(change[i]);
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
    const bool touched = which == Uses::rigid;
    const double closed_m = touched ? nearly_closed : closed, unmoved_m = touched ? unmoved_touched : unmoved;
    double last = infinity, moved = infinity, gain = 1;
    bool fresh = false;
    factored.reset();
    for (int n = 0; n < most_newton; ++n) {
        const double worst = setResidual(context, which, state);
        if (!(worst < 1e3)) return false;
        most_iterations = std::max(most_iterations, n);
        const bool is_settled = n == 0  ? worst <= closed && isBalanced()
                                : fresh ? moved <= settled
                                        : moved * gain <= unmoved_m;
        // Rounding: large systems stop improving before they reach the limit.
        if (is_settled && (worst <= closed_m || (worst <= nearly_closed && worst > 0.5 * last))) {
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

}  // namespace flotsam
