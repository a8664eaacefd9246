#include "coupling/body_obstacle.h"

namespace flotsam {

// Uses the bounds in the body frame, which are tighter than those in the world. A quarter of a step accounts for the
// error of distances from a grid.
Obstacle::Span BodyObstacle::spanNear(Vec3 p_m, double step_m, int count, double reach_m) const
{
    const Bounds& b = collider().bounds_m;
    const Vec3 from = body_from_world * (p_m - state().x_m) - b.center();
    const Vec3 step = body_from_world * Vec3{step_m, 0, 0}, half = 0.5 * b.size();
    double first = 0, last = count - 1;
    for (int a = 0; a < (collider().section ? 2 : 3); ++a) {
        const double along = std::abs(step[a]) > 1e-9 * step_m ? step[a] : 1e-9 * step_m;
        const double middle = -from[a] / along, width = (half[a] + reach_m + 0.25 * step_m) / std::abs(along);
        first = std::max(first, middle - width);
        last = std::min(last, middle + width);
    }
    if (first > last) return {};
    return {int(std::ceil(first)), int(std::floor(last)) + 1};
}

Vec3 BodyObstacle::torqueOfPressure(Vec3 torque) const
{
    const Collider& c = collider();
    const auto without = [&](int axis) {
        Vec3 e;
        e[axis] = 1;
        const Vec3 n = transposed(body_from_world) * e;
        return torque - dot(torque, n) * n;
    };
    if (c.kind == ColliderKind::sphere) return {};
    if (c.kind == ColliderKind::cylinder || c.kind == ColliderKind::capsule) return without(1);
    if (c.kind == ColliderKind::ellipsoid)
        for (int a = 0; a < 3; ++a)
            if (c.size_m[(a + 1) % 3] == c.size_m[(a + 2) % 3]) return without(a);
    return torque;
}

}  // namespace flotsam
