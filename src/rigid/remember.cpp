#include "rigid/solve.h"

namespace flotsam {

void rememberContacts(const std::vector<Body>& bodies, double dt_s, RigidState& state, const RigidScratch& w,
                      RigidReport& report)
{
    state.remembered.clear();
    report.contacts = 0;
    for (const ContactPair& pair : w.pairs) {
        const Mat3 a_from_world = transposed(w.world_from_body[size_t(pair.a)]);
        const double inner_m = bodies[size_t(pair.a)].collider->inner_m;
        for (int i = pair.first; i < pair.first + pair.count; ++i) {
            const SolverPoint& p = w.solver_points[size_t(i)];
            report.deepest_m = std::max(report.deepest_m, -p.gap_m);
            report.deepest_of_size = std::max(report.deepest_of_size, -p.gap_m / (2 * inner_m));
            if (p.impulse.x <= 0) continue;
            ++report.contacts;
            const Vec3 friction_N_s = p.impulse.y * p.t + p.impulse.z * cross(p.n, p.t);
            state.remembered.push_back({pair.a, pair.b, a_from_world * p.ra, p.impulse.x / dt_s, friction_N_s / dt_s});
        }
    }
}

}  // namespace flotsam
