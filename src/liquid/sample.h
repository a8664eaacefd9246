// Trilinear samples at positions that are vectors {x, y, z, anything} in cells, for particles and trajectories.
#pragma once

#include "core/field.h"
#include "core/lanes.h"

namespace flotsam {

// The cell whose centre is below a position along every axis, and the fraction t of the distance to the next centre.
// For positions >= 0: truncation of p + 1/2 is floor(p - 1/2) + 1.
struct CenterPoint {
    Int4 next;
    Float4 t;

    explicit CenterPoint(Float4 p)
    {
        const Float4 shifted = p + 0.5f;
        next = __builtin_convertvector(shifted, Int4);
        t = shifted - __builtin_convertvector(next, Float4);
    }
    template <class T>
    const T* below(View3<const T> f) const
    {
        return f.origin + (next[0] - 1) + (next[1] - 1) * f.sy + (next[2] - 1) * f.sz;
    }
    Float4 tx() const { return __builtin_shufflevector(t, t, 0, 0, 0, 0); }
    Float4 ty() const { return __builtin_shufflevector(t, t, 1, 1, 1, 1); }
    Float4 tz() const { return __builtin_shufflevector(t, t, 2, 2, 2, 2); }
};

// Four loads of two neighbours along x each, instead of 24 scattered ones for a velocity on faces.
inline Float4 sampleAt(View3<const Float4> f, Float4 p)
{
    const CenterPoint c(p);
    const Float4 *q = c.below(f), *r = q + f.sz;
    const auto pair = [](const Float4* from) { return load(reinterpret_cast<const float*>(from)); };
    const auto mix = [](Float8 a, Float8 b, Float8 t) { return a + t * (b - a); };
    const Float8 ty = __builtin_shufflevector(c.t, c.t, 1, 1, 1, 1, 1, 1, 1, 1),
                 tz = __builtin_shufflevector(c.t, c.t, 2, 2, 2, 2, 2, 2, 2, 2);
    const Float8 both = mix(mix(pair(q), pair(q + f.sy), ty), mix(pair(r), pair(r + f.sy), ty), tz);
    const Float4 low = __builtin_shufflevector(both, both, 0, 1, 2, 3),
                 high = __builtin_shufflevector(both, both, 4, 5, 6, 7);
    return low + c.tx() * (high - low);
}

// Pairs along x, two rows per register.
inline float sampleAt(View3<const float> f, Float4 p)
{
    const CenterPoint c(p);
    const float *q = c.below(f), *r = q + f.sz;
    const auto rows = [&](const float* row) { return loadPairs(row, row + f.sy); };
    const Float4 low = rows(q), both = low + c.tz() * (rows(r) - low);
    const Float4 next = __builtin_shufflevector(both, both, 2, 3, 2, 3), row = both + c.ty() * (next - both);
    return row[0] + c.t[0] * (row[1] - row[0]);
}

// Clamps to the domain; a NaN becomes a point of it. The fourth lane is unchanged within +-1.
struct DomainClamp {
    Float4 lo, hi;
    // margin: distance to keep from the domain boundaries [cells].
    explicit DomainClamp(Int3 cells, float margin = 0)
        : lo{margin, margin, margin, -1},
          hi{float(cells.x) - margin, float(cells.y) - margin, float(cells.z) - margin, 1}
    {
    }
    Float4 operator()(Float4 p) const
    {
        const Float4 above = p > lo ? p : lo;
        return above < hi ? above : hi;
    }
};

}  // namespace flotsam
