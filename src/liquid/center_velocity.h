// The velocity that moves the surface and its particles: at cell centres, the mean of a cell's faces (thesis eq. 6 and
// 6.3). A sample of it is eight loads of one register each, against 24 scattered ones on the faces.
#pragma once

#include "core/lanes.h"
#include "liquid/state.h"

namespace flotsam {

// For the cells of `set` and the layers past the domain.
void fillCenterVelocity(const Grid& grid, const BrickSet& set, const ConstMacView& u, View3<Float4> out);

// Linear in each direction at a position [cells] with components >= 0. The fourth lane is that of the field: 0.
inline Float4 sampleAt(View3<const Float4> f, Float4 p)
{
    // floor(p - 1/2) for p >= 0: truncation is a floor only for what is positive.
    const Float4 shifted = p + 0.5f;
    const Int4 cell = __builtin_convertvector(shifted, Int4);
    const Float4 t = shifted - __builtin_convertvector(cell, Float4);
    const Float4* q = f.origin + (cell[0] - 1) + (cell[1] - 1) * f.sy + (cell[2] - 1) * f.sz;
    const Float4 tx = __builtin_shufflevector(t, t, 0, 0, 0, 0), ty = __builtin_shufflevector(t, t, 1, 1, 1, 1),
                 tz = __builtin_shufflevector(t, t, 2, 2, 2, 2);
    const auto along_x = [&](const Float4* r) { return r[0] + tx * (r[1] - r[0]); };
    const auto in_plane = [&](const Float4* r) {
        const Float4 low = along_x(r), high = along_x(r + f.sy);
        return low + ty * (high - low);
    };
    const Float4 low = in_plane(q), high = in_plane(q + f.sz);
    return low + tz * (high - low);
}

// Into the domain; a NaN becomes a point of it. The fourth lane is left alone within +-1.
struct DomainClamp {
    Float4 lo, hi;
    // margin: how far from the domain's sides [cells].
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
