#include "rigid/world.h"

#include "core/check.h"
#include "core/profile.h"
#include "rigid/contact_rows.h"
#include "rigid/detect.h"
#include "rigid/rotate.h"
#include "rigid/solve.h"

namespace flotsam {

namespace {

constexpr int most_substeps = 1000;
constexpr int most_detections = 4;  // of contacts in a substep: again after collisions that make bodies faster

}  // namespace

BodyState Prescribed::at(double t_s) const
{
    const Quat turn = quatOf(rotation(t_s * spin_rad_s));
    const Vec3 arm = matrixOf(turn) * (x0_m - pivot_m);
    return {pivot_m + t_s * velocity_m_s + arm, normalized(turn * q0), velocity_m_s + cross(spin_rad_s, arm),
            spin_rad_s};
}

BodyState Prescribed::endOf(double t_s, double dt_s) const
{
    BodyState s = at(t_s + dt_s);
    s.v_m_s = velocity_m_s + chordFactor(dt_s * length(spin_rad_s)) * (s.v_m_s - velocity_m_s);
    return s;
}

int RigidWorld::add(Body body, const BodyState& s)
{
    FLOTSAM_CHECK(body.mass_kg, >, 0.0);
    FLOTSAM_CHECK(prescribed.size(), ==, size_t(0));
    bodies.push_back(std::move(body));
    state.bodies.push_back(s);
    collision_accelerations.emplace_back();
    return moving_count++;
}

int RigidWorld::addPrescribed(Body body, const Prescribed& motion)
{
    body.mass_kg = 0;
    body.takes_partners_surface = true;
    bodies.push_back(std::move(body));
    prescribed.push_back(motion);
    state.bodies.push_back(motion.at(state.t_s));
    return int(bodies.size()) - 1;
}

int RigidWorld::addWall(Vec3 point_m, Vec3 normal)
{
    Body wall;
    wall.name = "wall";
    wall.collider = halfSpaceCollider();
    const Vec3 t = tangentTo(normal);
    const Mat3 world_from_wall = transposed(Mat3{t, normal, cross(t, normal)});
    return addPrescribed(std::move(wall), {point_m, quatOf(world_from_wall), point_m, {}, {}});
}

void RigidWorld::setJoints(std::vector<Joint> list, bool planar)
{
    is_factored = false;
    joints.set(std::move(list), moving_count, planar, state);
}

void RigidWorld::movePrescribed(double t_s)
{
    for (size_t i = 0; i < prescribed.size(); ++i) state.bodies[size_t(moving_count) + i] = prescribed[i].at(t_s);
}

void RigidWorld::restore()
{
    is_factored = false;
    scratch.pairs.clear();  // those of another state
    movePrescribed(state.t_s);
    joints.arrange(state);
}

// Per substep no body may move farther relative to one that it may touch than half the smaller inner radius of the two,
// nor rotate by more than half a radian: otherwise points would jump over bodies they should hit.
int RigidWorld::substepsFor(double dt_s, std::span<const VelocityChange> acceleration)
{
    double smallest_m = 1e300, fastest_m_s = 0, spin_rad_s = 0;
    const auto pulled = [&](size_t i) { return i < acceleration.size() ? dt_s * acceleration[i].v_m_s : Vec3{}; };
    for (size_t i = 0; i < bodies.size(); ++i) {
        const BodyState& s = state.bodies[i];
        const Collider& c = *bodies[i].collider;
        if (c.inner_m > 0) smallest_m = std::min(smallest_m, c.inner_m);
        fastest_m_s = std::max(fastest_m_s, length(s.v_m_s) + length(pulled(i)));
        if (c.kind != ColliderKind::sphere) spin_rad_s = std::max(spin_rad_s, length(s.w_rad_s));
    }
    double substeps = std::max({dt_s / params.max_dt_s, dt_s * spin_rad_s / 0.5, 1.0});
    if (dt_s * fastest_m_s > 0.5 * smallest_m * substeps) {
        refreshPoses(bodies, state, scratch);
        findNear(bodies, moving_count, acceleration, dt_s, state, scratch);
        for (const auto& [a, b] : scratch.broad.pairs) {
            if (joints.excludes(a, b)) continue;
            const size_t i = size_t(a), j = size_t(b);
            const double moved_m =
                dt_s * (length(state.bodies[i].v_m_s - state.bodies[j].v_m_s) + length(pulled(i) - pulled(j)));
            substeps = std::max(substeps, moved_m / (0.5 * innerOf(bodies[i], bodies[j])));
        }
    }
    // At most most_substeps + 1, which step() reports.
    return int(std::min(std::ceil(substeps * (1 - 1e-9)), most_substeps + 1.0));
}

RigidReport RigidWorld::step(double dt_s, std::span<const Force> outside, std::span<const char> floating)
{
    FLOTSAM_CHECK(dt_s, >, 0.0);
    is_factored = false;
    RigidReport report;
    accelerations.assign(size_t(moving_count), {});
    for (size_t i = 0; i < size_t(moving_count); ++i) {
        accelerations[i].v_m_s = params.gravity_m_s2;
        if (i >= outside.size()) continue;
        const InverseMass m = inverseMassOf(bodies[i], state.bodies[i].q);
        accelerations[i].v_m_s += m.mass_1_kg * outside[i].force_N;
        accelerations[i].w_rad_s = m.inertia_1_kg_m2 * outside[i].torque_N_m;
    }
    for (size_t i = 0; i < size_t(moving_count); ++i) accelerations[i] = allowed(bodies[i], accelerations[i]);
    for (CollisionAcceleration& c : collision_accelerations) c = {};
    step_impulses.assign(size_t(moving_count), {});
    joints.startStep();
    joints.setFloating(floating);
    const int required = substepsFor(dt_s, accelerations);
    report.substeps = std::min(required, most_substeps);
    report.cut_substeps = required > most_substeps;
    const double start_s = state.t_s;
    for (int n = 0; n < report.substeps; ++n) {
        const double substep_s = dt_s / report.substeps;
        // Joined bodies in liquid have the velocity of the end of the step in all substeps, as other bodies in it: the
        // force of the liquid acts at the start.
        for (size_t i = 0; n < 2 && i < size_t(moving_count); ++i)
            if (joints.isFloating(int(i)))
                accelerations[i] = n == 0 ? report.substeps * accelerations[i] : VelocityChange{};
        substep(substep_s, dt_s - (n + 1) * substep_s, accelerations, floating, report);
        state.t_s = start_s + (n + 1) * substep_s;
        movePrescribed(state.t_s);
    }
    joints.endStep(dt_s, state);
    for (CollisionAcceleration& c : collision_accelerations) {
        c.A_c_m_s2 = c.A_c_m_s2 / dt_s;
        c.alpha_c_rad_s2 = c.alpha_c_rad_s2 / dt_s;
    }
    return report;
}

// Guendelman, Bridson, Fedkiw 2003: collisions, velocities, contacts with shock propagation, positions.
// after_s: the rest of the step after it.
void RigidWorld::substep(double dt_s, double after_s, std::span<const VelocityChange> acceleration,
                         std::span<const char> floating, RigidReport& report)
{
    RigidScratch& w = scratch;
    refreshPoses(bodies, state, w);
    joints.startSubstep();
    detectContacts(bodies, moving_count, joints, acceleration, dt_s, state, w);
    joints.findNear(w);
    w.bounced.clear();
    w.impulses.assign(size_t(moving_count), {});
    bool separated = false, cut_off = false;
    for (int round = 0; round < most_detections && !separated; ++round) {
        const BounceReport bounced = bounce(acceleration, dt_s, state, w, report.work_J);
        report.collisions += bounced.collisions;
        cut_off |= bounced.cut_off;
        if ((separated = bounced.collisions == 0)) break;
        joints.project(bodies, dt_s, state, w);
        const bool stale = contactsAreStale(bodies, moving_count, dt_s, w);
        separated = !stale && joints.empty();
        if (stale) detectContacts(bodies, moving_count, joints, acceleration, dt_s, state, w);
        if (!separated) joints.findNear(w);
    }
    report.cut_collisions += cut_off || !separated;
    w.before.resize(size_t(moving_count));
    for (size_t i = 0; i < size_t(moving_count); ++i) {
        w.before[i] = {w.solver[i].v, w.solver[i].w};
        w.solver[i].v += dt_s * acceleration[i].v_m_s;
        w.solver[i].w += dt_s * acceleration[i].w_rad_s;
    }
    prescribed_ends.resize(prescribed.size());
    for (size_t i = 0; i < prescribed.size(); ++i) prescribed_ends[i] = prescribed[i].endOf(state.t_s, dt_s);
    expectMotions(bodies, moving_count, prescribed_ends, dt_s, state, w);
    solveContacts(params, bodies, moving_count, dt_s, state, joints, w);
    report.cut_shocks += propagateShocks(params, moving_count, dt_s, joints, w);
    joints.solveVelocities(w);
    joints.startAll(bodies, dt_s, state);
    report.work_J += keepEnergy(bodies, moving_count, joints, acceleration, dt_s, state, w);
    for (size_t i = 0; i < w.islands.size(); ++i)
        if (w.islands[i].removed_J > 0) report.cutEnergy(int(i), w.islands[i].removed_J);
    // The liquid moves with its velocity at the end of the step, and the force of its pressure is that of the start. A
    // body that moves with its mean velocity in this force gains energy: an oscillation of frequency w grows by
    // pi w dt / 4 per half period.
    for (size_t i = 0; i < floating.size(); ++i)
        if (floating[i] && !w.touched[i])
            w.displacing[i].v_m_s = w.solver[i].v + after_s * acceleration[i].v_m_s,
            w.displacing[i].w_rad_s = w.solver[i].w + after_s * acceleration[i].w_rad_s;
    joints.discardUntouched(acceleration, dt_s, w);
    rememberContacts(bodies, dt_s, state, w, report);
    moveBodies(bodies, moving_count, joints, dt_s, state, w);
    movePrescribed(state.t_s + dt_s);
    joints.move(bodies, acceleration, dt_s, state, w);
    countImpulses();
    pushApart(bodies, moving_count, acceleration, dt_s, state, w);
    joints.close(bodies, dt_s, state);
}

// Adds the impulses of a substep to those of the step, and the velocity changes that they cause in the poses in which
// they acted: the start of the substep, and its end for the move of joined bodies.
void RigidWorld::countImpulses()
{
    RigidScratch& w = scratch;
    const auto change = [&](size_t body, const VelocityChange& c) {
        collision_accelerations[body].A_c_m_s2 += c.v_m_s;
        collision_accelerations[body].alpha_c_rad_s2 += c.w_rad_s;
    };
    for (size_t i = 0; i < size_t(moving_count); ++i) change(i, w.solver[i].inverse * w.impulses[i].touching());
    for (const JointIsland& island : joints.all())
        for (size_t n = 0; n < island.bodies().size(); ++n) {
            const size_t i = size_t(island.bodies()[n]);
            const JointImpulses &solved = island.solved()[n], &moved = island.moved()[n];
            const Impulse at_start = island.projected()[n] + solved.joints + solved.motors;
            change(i, w.solver[i].inverse * at_start);
            change(i, inverseMassOf(bodies[i], state.bodies[i].q) * (moved.joints + moved.motors));
            w.impulses[i].joints += island.projected()[n] + solved.joints + moved.joints;
            w.impulses[i].motors += solved.motors + moved.motors;
        }
    for (size_t i = 0; i < size_t(moving_count); ++i) step_impulses[i] += w.impulses[i];
}

ConstrainedMass::Matrix6 RigidWorld::inverseMatrix(size_t body) const
{
    const InverseMass m = inverseMassOf(bodies[body], state.bodies[body].q);
    const SymMat3& in = m.inertia_1_kg_m2;
    ConstrainedMass::Matrix6 inverse = ConstrainedMass::Matrix6::Zero();
    inverse.diagonal().head(bodies[body].planar ? 2 : 3).setConstant(m.mass_1_kg);
    inverse.bottomRightCorner<3, 3>() << in.xx, in.xy, in.xz, in.xy, in.yy, in.yz, in.xz, in.yz, in.zz;
    return inverse;
}

void RigidWorld::factorInverseMass() const
{
    std::vector<HeldRow> rows;
    addContactRows(moving_count, state, scratch, rows);
    joints.factorActive(bodies, state, rows);
    std::vector<ConstrainedMass::Matrix6> inverse(static_cast<size_t>(moving_count));
    for (size_t i = 0; i < inverse.size(); ++i) inverse[i] = inverseMatrix(i);
    constrained_mass.factor(rows, inverse);
}

bool RigidWorld::holdClosing(std::span<const VelocityChange> before, double least_m_s)
{
    bool any = false;
    const auto speedOf = [&](const SolverPoint& p, const VelocityChange& a, const VelocityChange& b) {
        return dot(a.v_m_s + cross(a.w_rad_s, p.ra) - b.v_m_s - cross(b.w_rad_s, p.rb), p.n);
    };
    const auto now = [&](int i) {
        return VelocityChange{state.bodies[size_t(i)].v_m_s, state.bodies[size_t(i)].w_rad_s};
    };
    const auto then = [&](int i) { return i < moving_count ? before[size_t(i)] : now(i); };
    for (const ContactPair& pair : scratch.pairs) {
        if (pair.is_released) continue;
        const double closed_m = closed_of_inner * innerOf(bodies[size_t(pair.a)], bodies[size_t(pair.b)]);
        for (int n = pair.first; n < pair.first + pair.count; ++n) {
            SolverPoint& p = scratch.solver_points[size_t(n)];
            if (p.acts() || p.gap_m > closed_m || speedOf(p, now(pair.a), now(pair.b)) > -least_m_s ||
                speedOf(p, then(pair.a), then(pair.b)) < -least_m_s)
                continue;
            p.is_held = any = true;
        }
    }
    is_factored = is_factored && !any;
    return any;
}

bool RigidWorld::releaseContacts(std::span<const HeldRow> rows, std::span<const double> impulses, double least_N_s)
{
    const bool any = flotsam::releaseContacts(rows, impulses, least_N_s, scratch);
    is_factored = is_factored && !any;
    return any;
}

std::vector<HeldRow> RigidWorld::heldRows() const
{
    std::vector<HeldRow> rows;
    addContactRows(moving_count, state, scratch, rows);
    joints.addActiveRows(bodies, state, rows);
    return rows;
}

ConstrainedMass RigidWorld::constrainedMass(std::span<const HeldRow> rows,
                                            std::span<const ConstrainedMass::Matrix6> carried_kg) const
{
    using Matrix6 = ConstrainedMass::Matrix6;
    std::vector<Matrix6> inverse(static_cast<size_t>(moving_count));
    for (size_t i = 0; i < inverse.size(); ++i) {
        // (M + C)^-1 = M^-1 (1 + C M^-1)^-1, also where M^-1 is singular.
        const Matrix6 own = inverseMatrix(i), with = own * (Matrix6::Identity() + carried_kg[i] * own).inverse();
        inverse[i] = 0.5 * (with + with.transpose());
    }
    ConstrainedMass mass;
    mass.factor(rows, inverse);
    return mass;
}

void RigidWorld::applyInverseMass(std::span<const Impulse> impulses, std::span<VelocityChange> changes) const
{
    if (!is_factored) factorInverseMass();
    is_factored = true;
    constrained_mass.apply(impulses, changes);
    joints.respond(impulses, changes);
}

void RigidWorld::applyImpulses(std::span<const Impulse> impulses)
{
    std::vector<VelocityChange> changes(impulses.size());
    applyInverseMass(impulses, changes);
    for (size_t i = 0; i < changes.size(); ++i) {
        state.bodies[i].v_m_s += changes[i].v_m_s;
        state.bodies[i].w_rad_s += changes[i].w_rad_s;
    }
}

}  // namespace flotsam
