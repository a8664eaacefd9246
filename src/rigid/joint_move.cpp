// The move of joined bodies: an energy-momentum method (Simo and Wong 1991, Gonzalez 1999), docs/methods/joints.md.
//
// With the mean velocity u of a body and its mean spin w over the move, the rotation R' = cay(dt w) R, and joint
// impulses l along the rows J_m between the poses:
//     v' = 2 u - v,   W' = 2 W - W_start (body axes),   P' = P + external + J_m^T l,   C(q') = 0.
// J_m are discrete gradients of the constraints: they do no work, whatever dt is, and momentum is exact. RATTLE, with
// the rows at the start of the move, is explicit across the joint forces: a link of 1 g under a tension of
// 300 N oscillates with 7700 rad/s, and beyond dt = 2 / 7700 s its spin grows without bound.
#include <algorithm>

#include "rigid/joint_impulses.h"

namespace flotsam {

namespace {

constexpr int most_rounds = 12, most_halvings = 6, most_balance_halvings = 2;
constexpr double negligible = 1e-6;  // loss of kinetic energy in a move

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

bool JointIsland::moveClosed(const JointContext& context, Uses which, RigidState& state)
{
    for (int round = 0; round < most_rounds; ++round) {
        if (!newton(context, which, state)) return false;
        if (which != Uses::all || !changeActiveMoved()) return true;
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

// Halves the move where Newton's method or the balance of energies does not converge. Not after contacts: light links
// that they have struck turn by more than a radian in any part (50 links of 1 g under 100 N: 64 parts did not converge
// either, and it took 15 minutes), and the velocities after contacts are of first order anyway.
void JointIsland::movePart(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                           int depth, RigidState& state)
{
    startMove(context, acceleration, touched, state);
    const Uses which = touched ? Uses::rigid : Uses::all;
    if (moveClosed(context, which, state)) {
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
        moveFree(context, touched, state);
    }
    projectEnd(context, state);
    for (size_t i = 0; i < velocity.size(); ++i) {
        BodyState& s = state.bodies[size_t(bodies()[i])];
        s.v_m_s = velocity[i].v_m_s;
        s.w_rad_s = velocity[i].w_rad_s;
        motion[i].after = s;
    }
}

// The bodies move as if they were free, and are displaced until the joints are closed: of first order, but bounded.
void JointIsland::moveFree(const JointContext& context, bool touched, RigidState& state)
{
    std::fill(mid_impulse.begin(), mid_impulse.end(), 0.0);
    for (Moving& m : motion) m.mid = m.from + 0.5 * m.given;
    place(context, state);
    setRows(context, state);
    setEndVelocities(context);
    countMove();
    const bool is_closed = displaceUntilClosed(context, state);
    is_converged = is_converged && touched && is_closed;
    setRows(context, state);
    end_factored = false;
}

void JointIsland::move(const JointContext& context, std::span<const VelocityChange> acceleration, bool touched,
                       RigidState& state, std::span<SolverBody> solver)
{
    gather(solver);
    moves_touched = touched;
    if (touched) countAtAnchors();
    movePart(context, acceleration, touched, 0, state);
    scatter(solver);
}

}  // namespace flotsam
