// Position correction at the end of the step: overlaps are removed by a displacement that leaves no velocity behind.
// Energy lost in the step limits the potential energy it adds.
#include "core/parallel.h"
#include "rigid/detect.h"
#include "rigid/rotate.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

constexpr int sweeps = 4, pairs_per_block = 64;
// Fractions of old overlap corrected per step: small, and larger for depths beyond the contact distance.
constexpr double shallow_per_step = 0.1, deep_per_step = 0.5, deep_of_inner = 0.02;
// For bodies that move farther in the step, contacts are detected again; for others their contact points are
// extrapolated: rotation adds s^2 / 2 r to a displacement of s, here 1e-3 radii.
constexpr double fast_of_inner = 0.05;

// Data of an overlapping pair for the position correction at a point.
struct Overlapping {
    const ContactPair& pair;
    double inner_m, before_m, dt_s;  // before_m: overlap at the start of the step
};

// now_m: the overlap at the end of the step. Overlap that will open by itself in the next step is ignored.
void addPushed(const Overlapping& o, Vec3 ra, Vec3 rb, Vec3 n, double now_m, const RigidScratch& w,
               std::vector<PushedPoint>& pushed)
{
    const SolverBody &a = w.solver[size_t(o.pair.a)], &b = w.solver[size_t(o.pair.b)];
    now_m -= o.dt_s * std::max(0.0, dot(a.v + cross(a.w, ra) - b.v - cross(b.w, rb), n));
    if (now_m <= 0) return;
    const Vec3 an = cross(ra, n), bn = cross(rb, n);
    const double k = a.inverse.mass_1_kg + b.inverse.mass_1_kg + dot(an, a.inverse.inertia_1_kg_m2 * an) +
                     dot(bn, b.inverse.inertia_1_kg_m2 * bn);
    const double old_m = std::min(o.before_m, now_m), deep_m = deep_of_inner * o.inner_m;
    pushed.push_back({o.pair.a, o.pair.b, ra, rb, n, now_m - old_m,
                      shallow_per_step * std::min(old_m, deep_m) + deep_per_step * std::max(0.0, old_m - deep_m), 1 / k,
                      0});
}

// The points of a pair that overlap now.
void findPushed(const ContactPair& pair, const std::vector<Body>& bodies, double dt_s, const RigidState& state,
                const RigidScratch& w, std::vector<ContactPoint>& again, std::vector<PushedPoint>& pushed)
{
    const size_t ia = size_t(pair.a), ib = size_t(pair.b);
    const SolverBody &a = w.solver[ia], &b = w.solver[ib];
    const double inner_m = innerOf(bodies[ia], bodies[ib]), left_m = closed_of_inner * inner_m;
    const double displacement_m = dt_s * (speedBound(bodies[ia], a.v, a.w) + speedBound(bodies[ib], b.v, b.w));
    Overlapping o{pair, inner_m, 0, dt_s};
    bool acts = false;
    for (int i = pair.first; i < pair.first + pair.count; ++i) {
        o.before_m = std::max(o.before_m, -w.solver_points[size_t(i)].gap_m - left_m);
        acts = acts || w.solver_points[size_t(i)].impulse.x > 0;
    }
    if (!acts && o.before_m == 0) return;  // left to the collision of the next step
    const auto meanSpeed = [&](const SolverBody& s, size_t i, Vec3 r) {
        if (i < w.displacing.size()) return w.displacing[i].v_m_s + cross(w.displacing[i].w_rad_s, r);
        return 0.5 * (s.v + w.expected[i].v_m_s + cross(s.w + w.expected[i].w_rad_s, r));
    };
    if (displacement_m <= fast_of_inner * inner_m) {
        for (int i = pair.first; i < pair.first + pair.count; ++i) {
            const SolverPoint& p = w.solver_points[size_t(i)];
            const double apart_m = dt_s * dot(meanSpeed(a, ia, p.ra) - meanSpeed(b, ib, p.rb), p.n);
            addPushed(o, p.ra, p.rb, p.n, -p.gap_m - left_m - apart_m, w, pushed);
        }
        return;
    }
    const Vec3 xa = state.bodies[ia].x_m, xb = state.bodies[ib].x_m;
    again.clear();
    findContacts({*bodies[ia].collider, xa, matrixOf(state.bodies[ia].q)},
                 {*bodies[ib].collider, xb, matrixOf(state.bodies[ib].q)}, {0, -left_m}, again);
    for (const ContactPoint& c : again)
        addPushed(o, c.position_m - xa, c.position_m - xb, c.normal, -c.gap_m - left_m, w, pushed);
}

void solvePushes(double PushedPoint::*overlap_m, double dt_s, RigidScratch& w)
{
    w.push.assign(w.solver.size(), {});
    for (PushedPoint& p : w.pushed) p.push_N_s = 0;
    bool changed = true;
    for (int sweep = 0; sweep < sweeps && changed; ++sweep) {
        changed = false;
        for (PushedPoint& p : w.pushed) {
            const InverseMass &ma = w.solver[size_t(p.a)].inverse, &mb = w.solver[size_t(p.b)].inverse;
            VelocityChange &a = w.push[size_t(p.a)], &b = w.push[size_t(p.b)];
            const double speed = dot(a.v_m_s + cross(a.w_rad_s, p.ra) - b.v_m_s - cross(b.w_rad_s, p.rb), p.n);
            const double next = std::max(0.0, p.push_N_s - (speed - p.*overlap_m / dt_s) * p.inverse_k_kg);
            if (next == p.push_N_s) continue;
            changed = true;
            const Vec3 j = (next - p.push_N_s) * p.n;
            p.push_N_s = next;
            a.v_m_s += ma.mass_1_kg * j;
            a.w_rad_s += ma.inertia_1_kg_m2 * cross(p.ra, j);
            b.v_m_s -= mb.mass_1_kg * j;
            b.w_rad_s -= mb.inertia_1_kg_m2 * cross(p.rb, j);
        }
    }
}

}  // namespace

void moveBodies(const std::vector<Body>& bodies, int moving, const Joints& joints, double dt_s, RigidState& state,
                const RigidScratch& w)
{
    const KernelTimer timer("rigid.move");
    for (size_t i = 0; i < size_t(moving); ++i) {
        if (joints.isJoined(int(i))) continue;
        BodyState& s = state.bodies[i];
        s.v_m_s = w.solver[i].v;
        s.x_m += dt_s * w.displacing[i].v_m_s;
        integrateForcedRotation(bodies[i], dt_s, w.displacing[i].w_rad_s, w.solver[i].w, s);
    }
}

void pushApart(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
               RigidState& state, RigidScratch& w)
{
    const KernelTimer timer("rigid.push");
    const int blocks = (int(w.pairs.size()) + pairs_per_block - 1) / pairs_per_block;
    w.pushed_blocks.resize(std::max(w.pushed_blocks.size(), size_t(blocks)));
    parallelTasks("rigid.push", blocks, [&](int block) {
        std::vector<ContactPoint> again;
        w.pushed_blocks[size_t(block)].clear();
        const size_t end = std::min(w.pairs.size(), size_t(block + 1) * pairs_per_block);
        for (size_t i = size_t(block) * pairs_per_block; i < end; ++i)
            findPushed(w.pairs[i], bodies, dt_s, state, w, again, w.pushed_blocks[size_t(block)]);
    });
    w.pushed.clear();
    for (int block = 0; block < blocks; ++block)
        w.pushed.insert(w.pushed.end(), w.pushed_blocks[size_t(block)].begin(), w.pushed_blocks[size_t(block)].end());
    if (w.pushed.empty()) return;
    solvePushes(&PushedPoint::fresh_m, dt_s, w);
    limitNewCorrection(bodies, moving, acceleration, dt_s, w);
    for (size_t i = 0; i < size_t(moving); ++i) displace(dt_s * w.push[i], state.bodies[i]);
    solvePushes(&PushedPoint::old_m, dt_s, w);
    limitOldCorrection(bodies, moving, acceleration, dt_s, w);
    for (size_t i = 0; i < size_t(moving); ++i) displace(dt_s * w.push[i], state.bodies[i]);
}

}  // namespace flotsam
