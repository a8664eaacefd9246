// Rolling and spinning friction (Guendelman et al. 2003, with lengths for their coefficients). Bodies pressed together
// with N deform: the resultant of the pressure moves ahead of a rolling body by f_r and resists with a moment of at
// most f_r N. The sliding contact patch resists spin about the normal with at most f_s N.
#include <algorithm>

#include "rigid/solve.h"

namespace flotsam {

namespace {

double stopping(double impulse, double speed_rad_s, double mobility)
{
    return mobility > 0 ? impulse - speed_rad_s / mobility : 0;
}

}  // namespace

Vec3 nextTurning(const ContactPair& pair, std::span<const SolverPoint> points, Vec3 u, const SymMat3& mobility,
                 Vec3 turning)
{
    // The normal of the pair: that of its points, weighted by their normal impulses.
    Vec3 pressed;
    for (const SolverPoint& p : points) pressed += p.impulse.x * p.n;
    const double pressure_N_s = length(pressed);
    if (pressure_N_s <= 0) return {};
    const auto stopped = [&](Vec3 d) { return stopping(dot(turning, d), dot(u, d), dot(d, mobility * d)); };
    const Vec3 n = pressed / pressure_N_s, t = tangentTo(n), s = cross(n, t);
    double about_t = stopped(t), about_s = stopped(s);
    const double size = std::hypot(about_t, about_s), most = pair.rolling_m * pressure_N_s;
    if (size > most) {
        about_t *= most / size;
        about_s *= most / size;
    }
    const double spin_most = pair.spinning_m * pressure_N_s;
    return about_t * t + about_s * s + std::clamp(stopped(n), -spin_most, spin_most) * n;
}

}  // namespace flotsam
