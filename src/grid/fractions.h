// The fraction of a face, a tetrahedron or a cube where a linear function is positive or negative.
#pragma once

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>

namespace flotsam {

// The volume fraction of a cell of size h below a planar surface at signed distance phi from its centre.
template <class T>
T belowSurface(T phi, T h)
{
    return std::clamp(T(0.5) - phi / h, T(0), T(1));
}

// The area fraction of a triangle where the linear function with corner values a, b, c is positive.
inline float positivePartOfTriangle(float a, float b, float c)
{
    if (a > b) std::swap(a, b);
    if (b > c) std::swap(b, c);
    if (a > b) std::swap(a, b);
    if (a >= 0) return 1;
    if (c <= 0) return 0;
    if (b <= 0) return c * c / ((c - a) * (c - b));
    return 1 - a * a / ((a - b) * (a - c));
}

// The open fraction of a square face with solid distances d at (0,0), (1,0), (0,1), (1,1): the mean over its two
// diagonals.
inline float openFractionOfFace(float d00, float d10, float d01, float d11)
{
    const float area = 0.25f * (positivePartOfTriangle(d00, d10, d11) + positivePartOfTriangle(d00, d01, d11) +
                                positivePartOfTriangle(d00, d10, d01) + positivePartOfTriangle(d10, d01, d11));
    constexpr float sliver = 1e-3f;  // a smaller fraction counts as closed: it moves nothing and harms conditioning
    return area < sliver ? 0 : area > 1 - sliver ? 1 : area;
}

// The volume fraction of a tetrahedron where the linear function with corner values v is negative.
inline double negativePartOfTetrahedron(double v0, double v1, double v2, double v3)
{
    // Corner order by sign pattern, negative corners first.
    static constexpr uint8_t order[16][4] = {
        {0, 1, 2, 3}, {0, 1, 2, 3}, {1, 0, 2, 3}, {0, 1, 2, 3}, {2, 0, 1, 3}, {0, 2, 1, 3}, {1, 2, 0, 3}, {0, 1, 2, 3},
        {3, 0, 1, 2}, {0, 3, 1, 2}, {1, 3, 0, 2}, {0, 1, 3, 2}, {2, 3, 0, 1}, {0, 2, 3, 1}, {1, 2, 3, 0}, {0, 1, 2, 3}};
    const unsigned signs = unsigned(v0 < 0) | unsigned(v1 < 0) << 1 | unsigned(v2 < 0) << 2 | unsigned(v3 < 0) << 3;
    const double v[4] = {v0, v1, v2, v3};
    const uint8_t(&o)[4] = order[signs];
    const double a = v[o[0]], b = v[o[1]], c = v[o[2]], d = v[o[3]];
    switch (std::popcount(signs)) {
        case 0:
            return 0;
        case 1:
            return a * a * a / ((a - b) * (a - c) * (a - d));
        case 2: {  // a prism, cut into three tetrahedra; no term of the sum is negative
            const double ac = a - c, ad = a - d, bc = b - c, bd = b - d;
            return (a * a * bc * bd - a * b * d * bc - b * b * c * ad) / (ac * ad * bc * bd);
        }
        case 3:
            return 1 - d * d * d / ((d - a) * (d - b) * (d - c));
        default:
            return 1;
    }
}

}  // namespace flotsam
