// Overlaps are taken back a little in each step, by a motion of its own that leaves no velocity behind.
#include "core/profile.h"
#include "rigid/rotate.h"
#include "rigid/solve.h"

namespace flotsam {
namespace {

constexpr int sweeps = 4;
constexpr double overlap_left_of_inner = 2e-4;  // a contact stays a contact
constexpr double pushed_a_step = 0.1;           // of the rest

}  // namespace

namespace {

// How far a point is to be moved apart: what it would sink in this step, and a part of what it had sunk.
double wayApart(const SolverPoint& p, double left_m, double dt_s, const SolverBody& a, const SolverBody& b)
{
    const double leaving_m = dt_s * dot(a.v + cross(a.w, p.ra) - b.v - cross(b.w, p.rb), p.n);
    const double now_m = std::max(0.0, -p.gap_m - left_m);
    const double then_m = std::max(0.0, -p.gap_m - left_m - leaving_m);
    return then_m > now_m ? then_m - now_m + pushed_a_step * now_m : pushed_a_step * then_m;
}

}  // namespace

void pushApart(const std::vector<Body>& bodies, int moving, double dt_s, RigidScratch& w)
{
    const KernelTimer timer("rigid.push");
    w.push.assign(w.solver.size(), {});
    // Shock propagation left the masses of held bodies in the points; here both move.
    w.pushed.clear();
    for (size_t n = 0; n < w.pairs.size(); ++n) {
        const ContactPair& pair = w.pairs[n];
        const double left_m = overlap_left_of_inner * bodies[size_t(pair.a)].collider->inner_m;
        const SolverBody &a = w.solver[size_t(pair.a)], &b = w.solver[size_t(pair.b)];
        for (int i = pair.first; i < pair.first + pair.count; ++i) {
            SolverPoint& p = w.solver_points[size_t(i)];
            const double way_m = wayApart(p, left_m, dt_s, a, b);
            if (way_m <= 0) continue;
            setMasses(a.inverse, b.inverse, p);
            w.pushed.push_back({int(n), i, way_m});
        }
    }
    for (int sweep = 0; sweep < sweeps; ++sweep)
        for (const PushedPoint& pushed : w.pushed) {
            SolverPoint& p = w.solver_points[size_t(pushed.point)];
            const ContactPair& pair = w.pairs[size_t(pushed.pair)];
            const InverseMass &ma = w.solver[size_t(pair.a)].inverse, &mb = w.solver[size_t(pair.b)].inverse;
            VelocityChange &a = w.push[size_t(pair.a)], &b = w.push[size_t(pair.b)];
            const double speed = dot(a.v_m_s + cross(a.w_rad_s, p.ra) - b.v_m_s - cross(b.w_rad_s, p.rb), p.n);
            const double next = std::max(0.0, p.push - (speed - pushed.way_m / dt_s) * p.inverse_diagonal.x);
            const Vec3 j = (next - p.push) * p.n;
            p.push = next;
            a.v_m_s += ma.mass_1_kg * j;
            a.w_rad_s += ma.inertia_1_kg_m2 * cross(p.ra, j);
            b.v_m_s -= mb.mass_1_kg * j;
            b.w_rad_s -= mb.inertia_1_kg_m2 * cross(p.rb, j);
        }
    w.touched.assign(size_t(moving), 0);
    for (const ContactPair& pair : w.pairs) {
        bool any = false;
        for (int i = pair.first; i < pair.first + pair.count; ++i)
            any = any || w.solver_points[size_t(i)].impulse.x > 0;
        if (!any) continue;
        w.touched[size_t(pair.a)] = 1;
        if (pair.b < moving) w.touched[size_t(pair.b)] = 1;
    }
}

void moveBodies(const std::vector<Body>& bodies, int moving, std::span<const VelocityChange> acceleration, double dt_s,
                RigidState& state, const RigidScratch& w)
{
    const KernelTimer timer("rigid.move");
    for (size_t i = 0; i < size_t(moving); ++i) {
        BodyState& s = state.bodies[i];
        s.v_m_s = w.solver[i].v;
        s.w_rad_s = w.solver[i].w;
        s.x_m += dt_s * (s.v_m_s + w.push[i].v_m_s);
        // A parabola exactly, where nothing touches: a bounce then reaches the height that it should.
        if (!w.touched[i]) s.x_m -= 0.5 * dt_s * dt_s * acceleration[i].v_m_s;
        turnFreely(bodies[i], dt_s, s);
        // The spin turns with the body, so that being pushed changes no kinetic energy.
        const Vec3 p = 0.5 * dt_s * w.push[i].w_rad_s;
        if (p == Vec3{}) continue;
        const Quat turn = normalized(Quat{1, p.x, p.y, p.z});
        s.q = normalized(turn * s.q);
        s.w_rad_s = matrixOf(turn) * s.w_rad_s;
    }
}

}  // namespace flotsam
