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

}  // namespace flotsam
