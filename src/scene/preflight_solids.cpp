// Speed and thickness of solids.
#include <algorithm>
#include <cmath>

#include "scene/preflight_checks.h"

namespace flotsam {

double fastestPoint(const SolidSpec& solid, const Shape& shape)
{
    const Bounds b = shape.bounds();
    const Vec3 pivot = solid.has_pivot ? solid.pivot_m : b.center();
    double fastest = 0;
    for (int corner = 0; corner < 8; ++corner) {
        const Vec3 p{corner & 1 ? b.hi.x : b.lo.x, corner & 2 ? b.hi.y : b.lo.y, corner & 4 ? b.hi.z : b.lo.z};
        fastest = std::max(fastest, length(solid.velocity_m_s + cross(solid.spin_rad_s, p - pivot)));
    }
    return fastest;
}

namespace {

constexpr int most_samples_along_an_axis = 64;

double deepestPoint(const Shape& shape, double h)
{
    const Bounds b = shape.bounds();
    Int3 n;
    for (int a = 0; a < 3; ++a)
        n[a] = int(std::clamp(std::ceil(b.size()[a] / (0.5 * h)), 4., double(most_samples_along_an_axis)));
    double deepest = 0;
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j)
            for (int i = 0; i < n.x; ++i) {
                const Vec3 share{(i + 0.5) / n.x, (j + 0.5) / n.y, (k + 0.5) / n.z}, s = b.size();
                const Vec3 p = b.lo + Vec3{share.x * s.x, share.y * s.y, share.z * s.z};
                deepest = std::max(deepest, -shape.signedDistance(p));
            }
    return deepest;
}

// A two-dimensional run uses the cross-section at the centre of its single layer of cells.
struct Thickness {
    const Shape& shape;
    const DomainParams& domain;

    double operator()(const SphereShape& s) const
    {
        if (!domain.twoDimensional()) return 2 * s.radius_m;
        const double dz = s.center_m.z - 0.5 * domain.h();
        return 2 * std::sqrt(std::max(0., s.radius_m * s.radius_m - dz * dz));
    }
    double operator()(const BoxShape& s) const
    {
        const Vec3 size = s.max_m - s.min_m;
        const double flat = std::min(size.x, size.y);
        return domain.twoDimensional() ? flat : std::min(flat, size.z);
    }
    double operator()(const CylinderShape& s) const
    {
        const Vec3 axis = rotationFromDegrees(s.rotation_deg) * Vec3{0, 1, 0};
        const bool along_z = std::abs(axis.z) > 0.9;
        return domain.twoDimensional() && along_z ? 2 * s.radius_m : std::min(2 * s.radius_m, s.height_m);
    }
    double operator()(const MeshShape&) const
    {
        return domain.twoDimensional() ? HUGE_VAL : 2 * deepestPoint(shape, domain.h());
    }
    double operator()(const PoolShape&) const { return HUGE_VAL; }
};

}  // namespace

double thickness(const SolidSpec& solid, const Shape& shape, const DomainParams& domain)
{
    return std::visit(Thickness{shape, domain}, solid.shape);
}

}  // namespace flotsam
