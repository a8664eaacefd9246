// Nothing gains energy: what contacts added to an island of touching bodies is taken out of its motion again
// (docs/methods/rigid.md, section 10).
#include <numeric>

#include "core/profile.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

int rootOf(std::vector<int>& parent, int i)
{
    while (parent[size_t(i)] != i) i = parent[size_t(i)] = parent[size_t(parent[size_t(i)])];
    return i;
}

bool acts(const ContactPair& pair, const RigidScratch& w)
{
    for (int i = pair.first; i < pair.first + pair.count; ++i)
        if (w.solver_points[size_t(i)].impulse.x > 0 || w.solver_points[size_t(i)].push > 0) return true;
    return false;
}

bool atRest(const SolverBody& s) { return s.v == Vec3{} && s.w == Vec3{}; }

// The island of each body: of its lowest number.
void findIslands(int moving, RigidScratch& w)
{
    std::vector<Island>& islands = w.islands;
    w.island.resize(size_t(moving));
    std::iota(w.island.begin(), w.island.end(), 0);
    islands.assign(size_t(moving), {});
    for (const ContactPair& pair : w.pairs) {
        if (pair.b >= moving || !acts(pair, w)) continue;
        const int a = rootOf(w.island, pair.a), b = rootOf(w.island, pair.b);
        w.island[size_t(std::max(a, b))] = std::min(a, b);
    }
    for (int i = 0; i < moving; ++i) w.island[size_t(i)] = rootOf(w.island, i);
    for (const ContactPair& pair : w.pairs) {
        if (!acts(pair, w)) continue;
        Island& island = islands[size_t(w.island[size_t(pair.a)])];
        island.touched = true;
        // What stands still is the frame, where there are several.
        if (pair.b >= moving && (island.anchor < 0 || atRest(w.solver[size_t(pair.b)]))) island.anchor = pair.b;
    }
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

// R of islands that nothing prescribed touches.
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

// R at a body.
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

void sumBody(const Body& body, const VelocityChange& before, const VelocityChange& pull, const VelocityChange& frame,
             const Mat3& world_from_body, double dt_s, const SolverBody& now, const VelocityChange& push, bool touched,
             Island& island)
{
    const SymMat3 inertia = inertiaOf(body, world_from_body);
    const double m = body.mass_kg;
    const auto product = [&](Vec3 v1, Vec3 w1, Vec3 v2, Vec3 w2) { return m * dot(v1, v2) + dot(inertia * w1, w2); };
    const auto workAlong = [&](Vec3 v, Vec3 turn) { return dt_s * product(pull.v_m_s, pull.w_rad_s, v, turn); };
    const Vec3 dv = now.v - frame.v_m_s, dw = now.w - frame.w_rad_s;
    // K(V') - K(V) as a product, so that nothing cancels.
    island.gain_J +=
        0.5 * product(now.v - before.v_m_s, now.w - before.w_rad_s, now.v + before.v_m_s, now.w + before.w_rad_s) -
        workAlong(now.v, now.w);
    // One that only pushing reaches goes its parabola.
    if (!touched) island.gain_J += 0.5 * dt_s * workAlong(pull.v_m_s, {});
    island.lift_J -= workAlong(push.v_m_s, push.w_rad_s);
    island.kinetic_J += 0.5 * product(dv, dw, dv, dw);
    island.pull_J += workAlong(dv, dw);
    island.cross_J += product(frame.v_m_s, frame.w_rad_s, dv, dw);
    // Whatever changes the momentum besides the pull comes from what is prescribed, with the velocity of the frame;
    // shock propagation puts some there that no contact with it shows.
    if (island.anchor >= 0)
        island.work_J += product(frame.v_m_s, frame.w_rad_s, now.v - before.v_m_s - dt_s * pull.v_m_s,
                                 now.w - before.w_rad_s - dt_s * pull.w_rad_s);
}

// What a prescribed body besides the frame did through the contacts of a pair.
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

// The part d of D that has to go: gain - d (2 K - W) + d^2 K = 0, or where the left side is least.
double excessOf(const Island& island)
{
    if (island.gain_J <= 0 || island.kinetic_J <= 0) return 0;
    const double slope = 2 * island.kinetic_J - island.pull_J;
    if (slope <= 0) return 0;
    const double under_root = slope * slope - 4 * island.kinetic_J * island.gain_J;
    return std::min(
        1.0, under_root >= 0 ? 2 * island.gain_J / (slope + std::sqrt(under_root)) : 0.5 * slope / island.kinetic_J);
}

}  // namespace

double keepEnergy(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration,
                  double dt_s, const RigidState& state, RigidScratch& w)
{
    const KernelTimer timer("rigid.energy");
    findIslands(moving, w);
    findFreeMotions(bodies, moving, state, w);
    const auto islandOf = [&](size_t i) -> Island& { return w.islands[size_t(w.island[i])]; };
    for (size_t i = 0; i < size_t(moving); ++i)
        if (islandOf(i).touched)
            sumBody(bodies[i], w.before[i], acceleration[i], frameAt(islandOf(i), state.bodies[i].x_m, state, w),
                    w.world_from_body[i], dt_s, w.solver[i], w.push[i], w.touched[i] != 0, islandOf(i));
    for (const ContactPair& pair : w.pairs)
        if (Island& island = islandOf(size_t(pair.a)); pair.b >= moving && island.touched)
            island.work_J += workOfOther(pair, island, state, w);
    double work_J = 0;
    for (Island& island : w.islands) {
        island.gain_J -= island.work_J;
        work_J += island.work_J - (island.anchor >= 0 ? excessOf(island) * island.cross_J : 0);
    }
    for (size_t i = 0; i < size_t(moving); ++i) {
        const Island& island = islandOf(i);
        if (!island.touched) continue;
        if (const double d = excessOf(island); d > 0) {
            const VelocityChange frame = frameAt(island, state.bodies[i].x_m, state, w);
            w.solver[i].v -= d * (w.solver[i].v - frame.v_m_s);
            w.solver[i].w -= d * (w.solver[i].w - frame.w_rad_s);
        }
        // Pushing may lift as much as contact has lost.
        const double budget_J = std::max(0.0, -island.gain_J);
        if (island.lift_J <= budget_J) continue;
        w.push[i].v_m_s = (budget_J / island.lift_J) * w.push[i].v_m_s;
        w.push[i].w_rad_s = (budget_J / island.lift_J) * w.push[i].w_rad_s;
    }
    return work_J;
}

}  // namespace flotsam
