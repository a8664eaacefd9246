// Two capsules: the nearest points of their axes, and the ends of each axis, so that parallel ones rest on two points.
#include "rigid/contact.h"

namespace flotsam {
namespace {

struct Axis {
    Vec3 center_m, half_m;

    explicit Axis(const PosedCollider& c) : center_m(c.x_m), half_m(c.world_from_body * Vec3{0, c.collider.size_m.y, 0})
    {
    }
    Vec3 at(double s) const { return center_m + s * half_m; }  // s within -1 and 1
    double nearest(Vec3 p_m) const { return std::clamp(dot(p_m - center_m, half_m) / dot(half_m, half_m), -1.0, 1.0); }
};

// Where axis a is nearest to axis b. Alternating projections between convex sets would converge slowly; the minimum of
// the quadratic is either inside of both or at an end, which is tried separately.
double crossing(const Axis& a, const Axis& b)
{
    const double aa = dot(a.half_m, a.half_m), bb = dot(b.half_m, b.half_m), ab = dot(a.half_m, b.half_m);
    const double det = aa * bb - ab * ab;
    const Vec3 d = b.center_m - a.center_m;
    if (det < 1e-12 * aa * bb) return 0;
    return std::clamp((dot(d, a.half_m) * bb - dot(d, b.half_m) * ab) / det, -1.0, 1.0);
}

}  // namespace

void findCapsuleContacts(const PosedCollider& a, const PosedCollider& b, const ContactReach& reach,
                         std::vector<ContactPoint>& points)
{
    const Axis of_a(a), of_b(b);
    const double ra = a.collider.size_m.x, rb = b.collider.size_m.x;
    const auto tryPair = [&](Vec3 p, Vec3 q) {
        const Vec3 d = p - q;
        const double far = length(d), gap = far - ra - rb;
        if (gap > reach.reach_m) return;
        const Vec3 n = far > 0 ? d / far : Vec3{0, 1, 0};
        points.push_back({q + (rb + 0.5 * gap) * n, n, gap});
    };
    const double s = crossing(of_a, of_b);
    const Vec3 p = of_a.at(s), q = of_b.at(of_b.nearest(p));
    tryPair(of_a.at(of_a.nearest(q)), q);
    for (const double end : {-1.0, 1.0}) {
        tryPair(of_a.at(end), of_b.at(of_b.nearest(of_a.at(end))));
        tryPair(of_a.at(of_a.nearest(of_b.at(end))), of_b.at(end));
    }
}

}  // namespace flotsam
