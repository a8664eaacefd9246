#include "geometry/exact_distance.h"

namespace flotsam {

double distanceToEllipsoid(Vec3 a, Vec3 p, Vec3& normal)
{
    const double least = std::min({a.x, a.y, a.z});
    // On a plane of symmetry the nearest point may lie off the plane; a shift below the accuracy of any use finds it.
    Vec3 q{std::abs(p.x), std::abs(p.y), std::abs(p.z)};
    for (int i = 0; i < 3; ++i) q[i] = std::max(q[i], 1e-12 * a[i]);
    double low = -least * least, high = 0;
    for (int i = 0; i < 3; ++i) {
        low = std::max(low, -a[i] * a[i] + a[i] * q[i]);
        high = std::max(high, -a[i] * a[i] + std::sqrt(3.0) * a[i] * q[i]);
    }
    double t = low;  // left of the root, where the function is convex and decreasing: Newton's method cannot overshoot
    for (int n = 0; n < 60; ++n) {
        double excess = -1, slope = 0;  // of sum (a q / (t + a^2))^2 - 1
        for (int i = 0; i < 3; ++i) {
            const double inverse = 1 / (t + a[i] * a[i]), part = a[i] * q[i] * inverse;
            excess += part * part;
            slope -= 2 * part * part * inverse;
        }
        const double next = std::clamp(t - excess / slope, low, std::max(low, high));
        if (std::abs(next - t) <= 1e-14 * least * least) break;
        t = next;
    }
    Vec3 nearest;
    for (int i = 0; i < 3; ++i) {
        nearest[i] = std::copysign(a[i] * a[i] * q[i] / (t + a[i] * a[i]), p[i]);
        normal[i] = nearest[i] / (a[i] * a[i]);
    }
    normal = normalized(normal);
    double inside = -1;
    for (int i = 0; i < 3; ++i) inside += (p[i] / a[i]) * (p[i] / a[i]);
    return std::copysign(length(p - nearest), inside);
}

}  // namespace flotsam
