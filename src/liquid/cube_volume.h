// The volume that a surface cuts off a cube.
#pragma once

#include "geometry/tetrahedra.h"
#include "grid/fractions.h"

namespace flotsam {

// The volume fraction of a cube where the function with corner values v, linear in each of six tetrahedra, is negative.
inline double negativePartOfCube(const float (&v)[8])
{
    unsigned signs = 0;
    for (int n = 0; n < 8; ++n) {
        const bool negative = v[n] < 0;  // in one expression, g++ 12 miscompiles it with -fsanitize=bounds,shift
        signs |= unsigned(negative) << n;
    }
    double part = 0;
    for (const auto& t : tetrahedra_of_cube) {
        const unsigned corners = 1u << t[0] | 1u << t[1] | 1u << t[2] | 1u << t[3], in = signs & corners;
        if (in == corners)
            part += 1;
        else if (in != 0)
            part += negativePartOfTetrahedron(v[t[0]], v[t[1]], v[t[2]], v[t[3]]);
    }
    return part / 6;
}

// The fraction of a tetrahedron where two linear functions with the corner values a and b are both negative.
inline double bothNegativePartOfTetrahedron(const float (&a)[4], const float (&b)[4])
{
    int order[4], negative = 0, last = 3;
    for (int n = 0; n < 4; ++n) order[a[n] < 0 ? negative++ : last--] = n;
    if (negative == 0) return 0;
    if (negative == 4) return negativePartOfTetrahedron(b[0], b[1], b[2], b[3]);
    const auto valueOf = [&](int n) { return double(b[order[n]]); };
    const auto fractionTo = [&](int n, int k) {  // of the edge from corner n to the zero of a
        const double from = a[order[n]], to = a[order[k]];
        return from / (from - to);
    };
    const auto valueAt = [&](int n, int k) { return valueOf(n) + fractionTo(n, k) * (valueOf(k) - valueOf(n)); };
    const auto cornerPart = [&](int n, int i, int j, int k) {
        return fractionTo(n, i) * fractionTo(n, j) * fractionTo(n, k) *
               negativePartOfTetrahedron(valueOf(n), valueAt(n, i), valueAt(n, j), valueAt(n, k));
    };
    if (negative == 1) return cornerPart(0, 1, 2, 3);
    if (negative == 3) return negativePartOfTetrahedron(b[0], b[1], b[2], b[3]) - cornerPart(3, 0, 1, 2);
    // A prism, cut into three tetrahedra.
    const double ac = fractionTo(0, 2), ad = fractionTo(0, 3), bc = fractionTo(1, 2), bd = fractionTo(1, 3);
    return ac * ad * (1 - bd) * negativePartOfTetrahedron(valueOf(0), valueAt(0, 2), valueAt(0, 3), valueAt(1, 3)) +
           ac * (1 - bc) * bd * negativePartOfTetrahedron(valueOf(0), valueAt(0, 2), valueAt(1, 2), valueAt(1, 3)) +
           bc * bd * negativePartOfTetrahedron(valueOf(0), valueOf(1), valueAt(1, 2), valueAt(1, 3));
}

// The volume fraction of a cube where both functions are negative.
inline double bothNegativePartOfCube(const float (&a)[8], const float (&b)[8])
{
    double part = 0;
    for (const auto& t : tetrahedra_of_cube)
        part +=
            bothNegativePartOfTetrahedron({a[t[0]], a[t[1]], a[t[2]], a[t[3]]}, {b[t[0]], b[t[1]], b[t[2]], b[t[3]]});
    return part / 6;
}

}  // namespace flotsam
