// How much of a face, a tetrahedron or a cube lies where a linear function is positive or negative.
#pragma once

#include <algorithm>
#include <cmath>

namespace flotsam {

// The part of a triangle where the linear function with corner values a, b, c is positive.
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

// The open part of a square face with solid distances d at (0,0), (1,0), (0,1), (1,1): the mean over its two diagonals.
inline float openFractionOfFace(float d00, float d10, float d01, float d11)
{
    const float area = 0.25f * (positivePartOfTriangle(d00, d10, d11) + positivePartOfTriangle(d00, d01, d11) +
                                positivePartOfTriangle(d00, d10, d01) + positivePartOfTriangle(d10, d01, d11));
    constexpr float sliver = 1e-3f;  // below it a face is closed: it moves nothing and costs conditioning
    return area < sliver ? 0 : area > 1 - sliver ? 1 : area;
}

// The part of a tetrahedron where the linear function with corner values v is negative.
inline double negativePartOfTetrahedron(double a, double b, double c, double d)
{
    if (a > b) std::swap(a, b);
    if (c > d) std::swap(c, d);
    if (a > c) std::swap(a, c);
    if (b > d) std::swap(b, d);
    if (b > c) std::swap(b, c);
    if (a >= 0) return 0;
    if (d < 0) return 1;
    if (b >= 0) return a * a * a / ((a - b) * (a - c) * (a - d));
    if (c < 0) return 1 - d * d * d / ((d - a) * (d - b) * (d - c));
    // Two below, two above: a prism, cut into three tetrahedra.
    const double ac = a / (a - c), ad = a / (a - d), bc = b / (b - c), bd = b / (b - d);
    return ac * ad + ac * (1 - ad) * bd + (1 - ac) * bc * bd;
}

}  // namespace flotsam
