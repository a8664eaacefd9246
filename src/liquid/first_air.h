// The first layer of air: cells whose centre is outside the liquid by less than one cell.
#pragma once

#include "liquid/state.h"

namespace flotsam {

inline bool isFirstAir(const Grid& grid, float phi_m) { return phi_m >= 0 && phi_m < float(grid.h); }

// f(cell) for the cells of a box in the first layer of air. Most rows have none, and counting is fast.
template <class F>
void forFirstAir(const Grid& grid, IndexBox box, View3<const float> phi, const F& f)
{
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j) {
            const float* row = phi.row(j, k);
            int count = 0;
            for (int i = box.lo.x; i < box.hi.x; ++i) count += int(isFirstAir(grid, row[i]));
            for (int i = box.lo.x; count > 0 && i < box.hi.x; ++i)
                if (isFirstAir(grid, row[i])) f(Int3{i, j, k});
        }
}

}  // namespace flotsam
