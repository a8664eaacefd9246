// Prevents energy gain: energy that contacts added to an island of touching bodies is removed from its motion
// (docs/methods/rigid.md, section 9).
#include <numeric>

#include "core/profile.h"
#include "rigid/detect.h"
#include "rigid/disjoint_sets.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

bool acts(const ContactPair& pair, const RigidScratch& w)
{
    for (int i = pair.first; i < pair.first + pair.count; ++i)
        if (w.solver_points[size_t(i)].impulse.x > 0) return true;
    return false;
}

bool atRest(const SolverBody& s) { return s.v == Vec3{} && s.w == Vec3{}; }

// The island of each body, named by its lowest body index.
void findIslands(int moving, const Joints& joints, RigidScratch& w)
{
    w.touched.assign(size_t(moving), 0);
    w.island.resize(size_t(moving));
    std::iota(w.island.begin(), w.island.end(), 0);
    w.islands.assign(size_t(moving), {});
    for (const ContactPair& pair : w.pairs) {
        if (!acts(pair, w)) continue;
        w.touched[size_t(pair.a)] = 1;
        if (pair.b >= moving) continue;
        w.touched[size_t(pair.b)] = 1;
        unite(pair.a, pair.b, w.island);
    }
    for (const auto& [a, b] : w.bounced)
        if (b < moving) unite(a, b, w.island);
    for (const JointIsland& joined : joints.all()) {
        const int first = joined.bodies().front();
        for (const int body : joined.bodies()) unite(first, body, w.island);
        if (std::any_of(joined.bodies().begin(), joined.bodies().end(), [&](int i) { return w.touched[size_t(i)]; }))
            for (const int body : joined.bodies()) w.touched[size_t(body)] = 1;
    }
    for (int i = 0; i < moving; ++i) w.island[size_t(i)] = rootOf(w.island, i);
    const auto see = [&](int a, int b) {
        Island& island = w.islands[size_t(w.island[size_t(a)])];
        island.touched = true;
        // If there are several, a body at rest is the frame.
        if (b >= moving && (island.anchor < 0 || atRest(w.solver[size_t(b)]))) island.anchor = b;
    };
    for (const ContactPair& pair : w.pairs)
        if (acts(pair, w)) see(pair.a, pair.b);
    for (const auto& [a, b] : w.bounced) see(a, b);
}

// A contact begins if the approach that it stops is most of the velocity change of both bodies, and would let them
// overlap by more than the overlap that is left. Its island moves with the velocities at the end of the substep, so that
// it does not overlap. Other islands move with the mean velocities.
void findLasting(const std::vector<Body>& bodies, int moving, const Joints& joints, double dt_s, RigidScratch& w)
{
    const auto changeOf = [&](int i) {
        return i < moving ? length(w.solver[size_t(i)].v - w.before[size_t(i)].v_m_s) : 0.0;
    };
    for (const ContactPair& pair : w.pairs) {
        Island& island = w.islands[size_t(w.island[size_t(pair.a)])];
        // Half of the approach remains in the mean velocity.
        const double closed_m = closed_of_inner * innerOf(bodies[size_t(pair.a)], bodies[size_t(pair.b)]);
        const double most_m_s = std::max({0.5 * changeOf(pair.a), 0.5 * changeOf(pair.b), 2 * closed_m / dt_s});
        for (int i = pair.first; island.lasting && i < pair.first + pair.count; ++i) {
            const SolverPoint& p = w.solver_points[size_t(i)];
            if (p.impulse.x > 0 && -p.approach > most_m_s) island.lasting = false;
        }
    }
    for (const JointIsland& joined : joints.all())
        w.islands[size_t(w.island[size_t(joined.bodies().front())])].lasting = false;
}

Vec3 solved(const SymMat3& m, Vec3 b)
{
    const Vec3 r0{m.xx, m.xy, m.xz}, r1{m.xy, m.yy, m.yz}, r2{m.xz, m.yz, m.zz};
    const Vec3 c12 = cross(r1, r2), c20 = cross(r2, r0), c01 = cross(r0, r1);
    return (b.x * c12 + b.y * c20 + b.z * c01) / dot(r0, c12);
}

SymMat3 inertiaOf(const Body& body, const Mat3& world_from_body)
{
    return rotated(world_from_body * body.body_from_principal, body.moments_kg_m2);
}

void add(const SymMat3& m, SymMat3& sum)
{
    sum.xx += m.xx, sum.yy += m.yy, sum.zz += m.zz, sum.xy += m.xy, sum.xz += m.xz, sum.yz += m.yz;
}

// R of islands without contact to a prescribed body.
void findFreeMotions(const std::vector<Body>& bodies, int moving, const RigidState& state, RigidScratch& w)
{
    std::vector<Island>& islands = w.islands;
    const auto forFree = [&](const auto& f) {
        for (size_t i = 0; i < size_t(moving); ++i)
            if (Island& island = islands[size_t(w.island[i])]; island.touched && island.anchor < 0) f(i, island);
    };
    forFree([&](size_t i, Island& island) {
        const double m = bodies[i].mass_kg;
        island.mass_kg += m;
        island.moment_kg_m += m * state.bodies[i].x_m;
        island.momentum_N_s += m * w.solver[i].v;
    });
    forFree([&](size_t i, Island& island) {
        const double m = bodies[i].mass_kg;
        const Vec3 r = state.bodies[i].x_m - island.center();
        const SymMat3 own = inertiaOf(bodies[i], w.world_from_body[i]);
        island.angular_N_m_s += m * cross(r, w.solver[i].v) + own * w.solver[i].w;
        add(own, island.inertia_kg_m2);
        add({m * (r.y * r.y + r.z * r.z), m * (r.x * r.x + r.z * r.z), m * (r.x * r.x + r.y * r.y), -m * r.x * r.y,
             -m * r.x * r.z, -m * r.y * r.z},
            island.inertia_kg_m2);
    });
    for (Island& island : islands)
        if (island.mass_kg > 0) island.spin_rad_s = solved(island.inertia_kg_m2, island.angular_N_m_s);
}

// Velocity of R at a body.
VelocityChange frameAt(const Island& island, Vec3 x_m, const RigidState& state, const RigidScratch& w)
{
    if (island.anchor < 0) {
        const Vec3 r = x_m - island.center();
        return {island.momentum_N_s / island.mass_kg + cross(island.spin_rad_s, r), island.spin_rad_s};
    }
    const SolverBody& s = w.solver[size_t(island.anchor)];
    if (atRest(s)) return {};
    return {s.v + cross(s.w, x_m - state.bodies[size_t(island.anchor)].x_m), s.w};
}

// R at a body at the start and the end of a substep in which it moves by displacement_m: dt times the mean of both is
// the displacement of R, exactly.
struct FrameMotion {
    VelocityChange start, end;
};
FrameMotion frameOver(const Island& island, Vec3 x_m, Vec3 displacement_m, double dt_s, const RigidState& state,
                      const RigidScratch& w)
{
    const VelocityChange frame = frameAt(island, x_m, state, w);
    if (island.anchor < 0 || !island.lasting || atRest(w.solver[size_t(island.anchor)])) return {frame, frame};
    const ExpectedMotion& e = w.expected[size_t(island.anchor)];
    const Vec3 from_m = state.bodies[size_t(island.anchor)].x_m, v_start = 2 / dt_s * (e.x_m - from_m) - e.v_m_s;
    const Vec3 spin = chordFactor(dt_s * length(e.w_rad_s)) * e.w_rad_s;
    return {{v_start + cross(spin, x_m - from_m), e.w_rad_s},
            {e.v_m_s + cross(spin, x_m + displacement_m - e.x_m), e.w_rad_s}};
}

// A body of an island: its velocities at the start of the step, after collisions, and now.
struct BodyMotion {
    VelocityChange start, before, now, pull, frame;
    FrameMotion frame_over;
    bool touched = false;  // by contact; else it moves in a parabola
};
VelocityChange meanOf(const VelocityChange& l, const VelocityChange& r) { return 0.5 * (l + r); }

// The mean velocity over the substep.
VelocityChange displacing(const Island& island, bool touched, const VelocityChange& before, const VelocityChange& now,
                          const VelocityChange& pull, double dt_s)
{
    if (!touched) return {now.v_m_s - 0.5 * dt_s * pull.v_m_s, now.w_rad_s};
    if (!island.lasting) return now;
    const VelocityChange mean = meanOf(before, now);
    return {mean.v_m_s + island.lowering_s2 / dt_s * pull.v_m_s, mean.w_rad_s};
}

void sumBody(const Body& body, const Mat3& world_from_body, double dt_s, const BodyMotion& motion, Island& island)
{
    const SymMat3 inertia = inertiaOf(body, world_from_body);
    const auto product = [&](const VelocityChange& l, const VelocityChange& r) {
        return body.mass_kg * dot(l.v_m_s, r.v_m_s) + dot(inertia * l.w_rad_s, r.w_rad_s);
    };
    const auto minus = [](const VelocityChange& l, const VelocityChange& r) {
        return VelocityChange{l.v_m_s - r.v_m_s, l.w_rad_s - r.w_rad_s};
    };
    const auto& [start, before, now, pull, frame, frame_over, touched] = motion;
    const VelocityChange& frame_end = frame_over.end;
    const VelocityChange change = minus(now, before), relative = minus(now, frame_end);
    const VelocityChange frame_mid = meanOf(frame_over.start, frame_end);
    // Differences of kinetic energies as products, to avoid cancellation.
    const auto kineticLoss = [&](const VelocityChange& from, const VelocityChange& to) {
        const VelocityChange twice_mean{from.v_m_s + to.v_m_s - 2 * frame.v_m_s,
                                        from.w_rad_s + to.w_rad_s - 2 * frame.w_rad_s};
        return 0.5 * product(minus(from, to), twice_mean);
    };
    const VelocityChange sum{now.v_m_s + before.v_m_s, now.w_rad_s + before.w_rad_s};
    const bool by_mean = touched && island.lasting;
    if (by_mean) {
        island.gain_J += 0.5 * product(minus(change, dt_s * pull), sum);
        island.pull2_J_s2 += body.mass_kg * dot(pull.v_m_s, pull.v_m_s);
        island.most_pull_m_s2 = std::max(island.most_pull_m_s2, length(pull.v_m_s));
        island.most_change_m_s = std::max(island.most_change_m_s, length(change.v_m_s));
    } else
        island.gain_J += 0.5 * product(change, sum) - dt_s * product(pull, now);
    if (!touched) island.gain_J += 0.5 * dt_s * dt_s * product(pull, pull);
    island.kinetic_J += 0.5 * product(relative, relative);
    island.pull_J += (by_mean ? 0.5 : 1) * dt_s * product(pull, relative);
    island.cross_J += product(frame_mid, relative);
    island.turning_J += product(minus(frame_end, frame_mid), relative);
    island.collision_loss_J += kineticLoss(start, before);
    island.kinetic_loss_J += kineticLoss(start, now);
    // All change of momentum besides the pull comes from the prescribed body, with the velocity of the frame; shock
    // propagation transfers some that appears in no contact with it.
    if (island.anchor >= 0) island.work_J += product(frame_mid, change) - dt_s * product(frame_mid, pull);
}

// Work of a prescribed body other than the frame through the contacts of a pair.
double workOfOther(const ContactPair& pair, const Island& island, const RigidState& state, const RigidScratch& w)
{
    if (pair.b == island.anchor) return 0;
    const SolverBody& b = w.solver[size_t(pair.b)];
    double work = 0;
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        const SolverPoint& p = w.solver_points[size_t(i)];
        if (p.impulse == Vec3{}) continue;
        const Vec3 frame = frameAt(island, state.bodies[size_t(pair.b)].x_m + p.rb, state, w).v_m_s;
        work += dot(impulseOf(p), b.v + cross(b.w, p.rb) - frame);
    }
    return work;
}

// The fraction d of D to remove: gain - d (2 K - W) + d^2 K = 0, or the minimum of the left side.
double excessOf(const Island& island)
{
    if (island.gain_J <= 0 || island.kinetic_J <= 0) return 0;
    const double slope = 2 * island.kinetic_J + island.turning_J - island.pull_J;
    if (slope <= 0) return 0;
    const double under_root = slope * slope - 4 * island.kinetic_J * island.gain_J;
    return std::min(
        1.0, under_root >= 0 ? 2 * island.gain_J / (slope + std::sqrt(under_root)) : 0.5 * slope / island.kinetic_J);
}

// The gain that remains whatever is removed from D: contacts lifted bodies that moved apart at the start. It is removed
// by lowering the bodies, if that displaces them less than moving by the velocities at the end would. Returns false if
// not: the gain of islands that move by those can always be removed.
bool lowerByRest(double dt_s, Island& island)
{
    if (island.gain_J <= 0) return true;
    const double d = excessOf(island), slope = 2 * island.kinetic_J + island.turning_J - island.pull_J;
    const double rest_J = std::max(0.0, island.gain_J - d * slope + d * d * island.kinetic_J);
    if (island.pull2_J_s2 > 0) island.lowering_s2 = rest_J / island.pull2_J_s2;
    return rest_J == 0 ||
           (island.pull2_J_s2 > 0 && island.lowering_s2 * island.most_pull_m_s2 <= 0.5 * dt_s * island.most_change_m_s);
}

void forgetSums(Island& island)
{
    island.gain_J = island.kinetic_loss_J = island.collision_loss_J = island.kinetic_J = island.pull_J = 0;
    island.cross_J = island.turning_J = island.work_J = island.lowering_s2 = 0;
}

}  // namespace

double keepEnergy(const std::vector<Body>& bodies, int moving, const Joints& joints,
                  std::span<const VelocityChange> acceleration, double dt_s, const RigidState& state, RigidScratch& w)
{
    const KernelTimer timer("rigid.energy");
    findIslands(moving, joints, w);
    findLasting(bodies, moving, joints, dt_s, w);
    findFreeMotions(bodies, moving, state, w);
    w.displacing.resize(size_t(moving));
    const auto nowOf = [&](size_t i) { return VelocityChange{w.solver[i].v, w.solver[i].w}; };
    const auto islandOf = [&](size_t i) -> Island& { return w.islands[size_t(w.island[i])]; };
    const auto sum = [&](const auto& chosen) {
        for (size_t i = 0; i < size_t(moving); ++i)
            if (Island& island = islandOf(i); island.touched && chosen(island)) {
                const BodyState& b = state.bodies[i];
                const VelocityChange by =
                    displacing(island, w.touched[i], w.before[i], nowOf(i), acceleration[i], dt_s);
                sumBody(bodies[i], w.world_from_body[i], dt_s,
                        {{b.v_m_s, b.w_rad_s},
                         w.before[i],
                         nowOf(i),
                         acceleration[i],
                         frameAt(island, b.x_m, state, w),
                         frameOver(island, b.x_m, dt_s * by.v_m_s, dt_s, state, w),
                         w.touched[i] != 0},
                        island);
            }
        for (const ContactPair& pair : w.pairs)
            if (Island& island = islandOf(size_t(pair.a)); pair.b >= moving && island.touched && chosen(island))
                island.work_J += workOfOther(pair, island, state, w);
        for (Island& island : w.islands)
            if (chosen(island)) island.gain_J -= island.work_J;
    };
    sum([](const Island&) { return true; });
    bool any = false;
    std::vector<char> again(w.islands.size(), 0);
    for (size_t i = 0; i < w.islands.size(); ++i)
        if (Island& island = w.islands[i]; island.lasting && island.touched && !lowerByRest(dt_s, island)) {
            any = true;
            again[i] = 1;
            island.lasting = false;
            forgetSums(island);
        }
    if (any) sum([&](const Island& island) { return again[size_t(&island - w.islands.data())] != 0; });
    // Motors and springs add energy or take it, joints to moving solids as well.
    for (const JointIsland& joined : joints.all())
        islandOf(size_t(joined.bodies().front())).gain_J -= joined.work().motors + joined.work().springs;
    double work_J = 0;
    for (Island& island : w.islands) {
        island.loss_J = std::max(0.0, -island.gain_J) + std::max(0.0, island.collision_loss_J);
        island.kinetic_loss_J = std::max(0.0, island.kinetic_loss_J);
        const double d = excessOf(island);
        island.removed_J = d * (2 * island.kinetic_J + island.turning_J - island.pull_J) - d * d * island.kinetic_J;
        work_J += island.work_J - (island.anchor >= 0 ? d * island.cross_J : 0);
    }
    for (size_t i = 0; i < size_t(moving); ++i) {
        const Island& island = islandOf(i);
        const auto by = [&] { return displacing(island, w.touched[i], w.before[i], nowOf(i), acceleration[i], dt_s); };
        if (const double d = island.touched ? excessOf(island) : 0; d > 0) {
            const VelocityChange frame = frameOver(island, state.bodies[i].x_m, dt_s * by().v_m_s, dt_s, state, w).end;
            const auto [v, spin] = allowed(bodies[i], -d * (nowOf(i) - frame));
            w.solver[i].v += v;
            w.solver[i].w += spin;
            w.impulses[i].energy_limit += {bodies[i].mass_kg * v, inertiaOf(bodies[i], w.world_from_body[i]) * spin};
        }
        w.displacing[i] = by();
    }
    return work_J;
}

namespace {

// Merges islands that are connected by pushes.
void joinByPushes(int moving, RigidScratch& w)
{
    for (const PushedPoint& p : w.pushed)
        if (p.b < moving && p.push_N_s > 0) unite(p.a, p.b, w.island);
    for (int i = 0; i < moving; ++i) {
        const int root = rootOf(w.island, i);
        if (root == i) continue;
        Island &from = w.islands[size_t(i)], &to = w.islands[size_t(root)];
        to.loss_J += from.loss_J;
        to.kinetic_loss_J += from.kinetic_loss_J;
        from.loss_J = from.kinetic_loss_J = 0;
    }
}

void sumLifts(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
              RigidScratch& w)
{
    joinByPushes(moving, w);
    for (Island& island : w.islands) island.lift_J = 0;
    for (size_t i = 0; i < size_t(moving); ++i) {
        const VelocityChange &pull = acceleration[i], &push = w.push[i];
        if (push.v_m_s == Vec3{} && push.w_rad_s == Vec3{}) continue;
        const SymMat3 inertia = inertiaOf(bodies[i], w.world_from_body[i]);
        w.islands[size_t(rootOf(w.island, int(i)))].lift_J -=
            dt_s * (bodies[i].mass_kg * dot(pull.v_m_s, push.v_m_s) + dot(inertia * pull.w_rad_s, push.w_rad_s));
    }
}

// Scales the pushes of lifting islands by part(island), at most 1.
template <class F>
void scaleLifts(int moving, const F& part, RigidScratch& w)
{
    for (size_t i = 0; i < size_t(moving); ++i) {
        const Island& island = w.islands[size_t(rootOf(w.island, int(i)))];
        if (island.lift_J <= 0) continue;
        const double s = std::min(1.0, part(island));
        w.push[i] = {s * w.push[i].v_m_s, s * w.push[i].w_rad_s};
    }
}

}  // namespace

void limitNewCorrection(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                        double dt_s, RigidScratch& w)
{
    sumLifts(bodies, moving, acceleration, dt_s, w);
    scaleLifts(
        moving, [](const Island& island) { return island.loss_J / island.lift_J; }, w);
    for (Island& island : w.islands) island.loss_J -= std::clamp(island.lift_J, 0.0, island.loss_J);
}

void limitOldCorrection(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                        double dt_s, RigidScratch& w)
{
    sumLifts(bodies, moving, acceleration, dt_s, w);
    double loss_J = 0, lift_J = 0;
    for (const Island& island : w.islands) {
        loss_J += std::min(island.loss_J, island.kinetic_loss_J);
        lift_J += std::max(0.0, island.lift_J);
    }
    scaleLifts(
        moving, [&](const Island&) { return loss_J / lift_J; }, w);
}

}  // namespace flotsam
