// One-sided derivatives of phi along an axis, from seven samples around a cell (Osher and Fedkiw 2003, chapter 3).
// Differences are per cell: divide by h for a slope.
#pragma once

#include <algorithm>
#include <cmath>

#include "core/field.h"

namespace flotsam {

// The five differences between six samples for a derivative from one side, with the nearest in the centre. The
// derivative from the other side uses the same formula with the opposite order.
struct OneSided {
    float v1, v2, v3, v4, v5;
};

// Seven samples along an axis; those past the ghost cells repeat the last one.
struct AxisStencil {
    float v[7];

    AxisStencil(View3<const float> f, Int3 c, int axis, int cells)
    {
        constexpr int layers = Field3<float>::ghost_cells;
        const std::ptrdiff_t stride = axis == 0 ? 1 : axis == 1 ? f.sy : f.sz;
        const float* p = &f(c);
        const int at = c[axis];
        for (int m = -3; m <= 3; ++m) v[m + 3] = p[stride * (std::clamp(at + m, -layers, cells - 1 + layers) - at)];
    }
    OneSided below() const { return {v[1] - v[0], v[2] - v[1], v[3] - v[2], v[4] - v[3], v[5] - v[4]}; }
    OneSided above() const { return {v[6] - v[5], v[5] - v[4], v[4] - v[3], v[3] - v[2], v[2] - v[1]}; }
};

// Thesis eqs. 87, 88.
struct FirstOrder {
    float operator()(const OneSided& d) const { return d.v3; }
};

// The parabola through the smoother of two neighbouring stencils.
struct Eno2 {
    float operator()(const OneSided& d) const
    {
        const float before = d.v3 - d.v2, after = d.v4 - d.v3;
        return d.v3 + 0.5f * (std::abs(before) < std::abs(after) ? before : after);
    }
};

// The three cubics that WENO blends and ENO3 chooses from.
struct Cubics {
    float left, middle, right;
    explicit Cubics(const OneSided& d)
        : left((2 * d.v1 - 7 * d.v2 + 11 * d.v3) * (1.0f / 6)),
          middle((-d.v2 + 5 * d.v3 + 2 * d.v4) * (1.0f / 6)),
          right((2 * d.v3 + 5 * d.v4 - d.v5) * (1.0f / 6))
    {
    }
};

struct Eno3 {
    float operator()(const OneSided& d) const
    {
        const Cubics cubic(d);
        const float left = std::abs(d.v1 - 2 * d.v2 + d.v3), middle = std::abs(d.v2 - 2 * d.v3 + d.v4),
                    right = std::abs(d.v3 - 2 * d.v4 + d.v5);
        if (std::abs(d.v3 - d.v2) < std::abs(d.v4 - d.v3)) return left < middle ? cubic.left : cubic.middle;
        return middle < right ? cubic.middle : cubic.right;
    }
};

// Jiang and Peng 2000.
struct Weno5 {
    float operator()(const OneSided& d) const
    {
        const auto square = [](float x) { return x * x; };
        const Cubics cubic(d);
        const float largest = std::max({square(d.v1), square(d.v2), square(d.v3), square(d.v4), square(d.v5)});
        const float tiny = 1e-6f * largest + 1e-30f;
        const float s1 = 13.0f / 12 * square(d.v1 - 2 * d.v2 + d.v3) + 0.25f * square(d.v1 - 4 * d.v2 + 3 * d.v3);
        const float s2 = 13.0f / 12 * square(d.v2 - 2 * d.v3 + d.v4) + 0.25f * square(d.v2 - d.v4);
        const float s3 = 13.0f / 12 * square(d.v3 - 2 * d.v4 + d.v5) + 0.25f * square(3 * d.v3 - 4 * d.v4 + d.v5);
        // Relative to `tiny`, so that fourth powers of small numbers do not underflow in float.
        const float a1 = 0.1f * square(tiny / (s1 + tiny)), a2 = 0.6f * square(tiny / (s2 + tiny)),
                    a3 = 0.3f * square(tiny / (s3 + tiny));
        return (a1 * cubic.left + a2 * cubic.middle + a3 * cubic.right) / (a1 + a2 + a3);
    }
};

}  // namespace flotsam
