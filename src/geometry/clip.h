// The part of a tetrahedron on one side of a plane, as tetrahedra.
#pragma once

#include <array>
#include <span>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace flotsam {

using TetrahedronPoints = std::array<Vec3, 4>;

// A plane with an outward normal.
struct OutwardPlane {
    Vec3 normal;
    double offset_m;
    double above(Vec3 p_m) const { return dot(normal, p_m) - offset_m; }
};

inline double volumeOf(const TetrahedronPoints& p)
{
    return std::abs(dot(p[1] - p[0], cross(p[2] - p[0], p[3] - p[0]))) / 6;
}
inline Vec3 centroidOf(const TetrahedronPoints& p) { return 0.25 * (p[0] + p[1] + p[2] + p[3]); }

// f(tetrahedron) for the parts of a tetrahedron where the function with values d at its corners, linear between them,
// is negative.
template <class F>
void forNegative(const TetrahedronPoints& p, const std::array<double, 4>& d, const F& f)
{
    int order[4], negative = 0, last = 3;
    for (int n = 0; n < 4; ++n) order[d[size_t(n)] < 0 ? negative++ : last--] = n;
    const auto at = [&](int n) { return p[size_t(order[n])]; };
    const auto cut = [&](int n, int k) {
        const double a = d[size_t(order[n])], b = d[size_t(order[k])];
        return at(n) + a / (a - b) * (at(k) - at(n));
    };
    if (negative == 4) f(p);
    if (negative == 1) f({at(0), cut(0, 1), cut(0, 2), cut(0, 3)});
    if (negative == 2) {  // a prism between the triangles at both negative corners
        const Vec3 a = at(0), b = at(1), ac = cut(0, 2), ad = cut(0, 3), bc = cut(1, 2), bd = cut(1, 3);
        f({a, ac, ad, bd});
        f({a, ac, bc, bd});
        f({a, b, bc, bd});
    }
    if (negative == 3) {  // a prism between the triangle of the negative corners and the cut
        const Vec3 a = at(0), b = at(1), c = at(2), ad = cut(0, 3), bd = cut(1, 3), cd = cut(2, 3);
        f({a, b, c, cd});
        f({a, b, bd, cd});
        f({a, ad, bd, cd});
    }
}

// The parts of a tetrahedron inside all planes.
inline std::vector<TetrahedronPoints> partsInside(const TetrahedronPoints& t, std::span<const OutwardPlane> planes)
{
    std::vector<TetrahedronPoints> parts{t}, cut;
    for (const OutwardPlane& plane : planes) {
        cut.clear();
        for (const TetrahedronPoints& p : parts)
            forNegative(p, {plane.above(p[0]), plane.above(p[1]), plane.above(p[2]), plane.above(p[3])},
                        [&](const TetrahedronPoints& part) { cut.push_back(part); });
        std::swap(parts, cut);
    }
    return parts;
}

}  // namespace flotsam
