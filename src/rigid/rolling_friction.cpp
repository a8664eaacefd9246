// Rolling and spinning friction (Guendelman et al. 2003, with lengths for their coefficients). Bodies pressed together
// with N deform: the resultant of the pressure moves ahead of a rolling body by f_r and resists with a moment of at
// most f_r N. The sliding contact patch resists spin about the normal with at most f_s N.
#include "rigid/solve.h"

namespace flotsam {

namespace {

// Change of the relative angular velocity about d per angular impulse about d [1 / (kg m2)].
double mobilityAbout(Vec3 d, const SolverBody& a, const SolverBody& b)
{
    return dot(d, a.inverse.inertia_1_kg_m2 * d) + dot(d, b.inverse.inertia_1_kg_m2 * d);
}

double stopping(double impulse, double speed_rad_s, double mobility)
{
    return mobility > 0 ? impulse - speed_rad_s / mobility : 0;
}

}  // namespace

void solveRollingFriction(const ContactPair& pair, std::span<const SolverPoint> points, Vec3& turning, SolverBody& a,
                          SolverBody& b)
{
    // The normal of the pair: that of its points, weighted by their normal impulses.
    Vec3 pressed;
    for (const SolverPoint& p : points) pressed += p.impulse.x * p.n;
    const double pressure_N_s = length(pressed);
    const Vec3 old = turning;
    turning = {};
    if (pressure_N_s > 0) {
        const Vec3 n = pressed / pressure_N_s, t = tangentTo(n), s = cross(n, t), u = a.w - b.w;
        double about_t = stopping(dot(old, t), dot(u, t), mobilityAbout(t, a, b));
        double about_s = stopping(dot(old, s), dot(u, s), mobilityAbout(s, a, b));
        const double size = std::hypot(about_t, about_s), most = pair.rolling_m * pressure_N_s;
        if (size > most) {
            about_t *= most / size;
            about_s *= most / size;
        }
        const double spin_most = pair.spinning_m * pressure_N_s;
        const double about_n =
            std::clamp(stopping(dot(old, n), dot(u, n), mobilityAbout(n, a, b)), -spin_most, spin_most);
        turning = about_t * t + about_s * s + about_n * n;
    }
    a.w += a.inverse.inertia_1_kg_m2 * (turning - old);
    b.w -= b.inverse.inertia_1_kg_m2 * (turning - old);
}

}  // namespace flotsam
