// The first layer of air: cells whose centre is outside the liquid by less than one cell.
#pragma once

#include "liquid/state.h"

namespace flotsam {

inline bool isFirstAir(const Grid& grid, float phi_m) { return phi_m >= 0 && phi_m < float(grid.h); }

// f(cell) for the cells of a box whose phi is wanted. Most rows have none near the surface, and counting is fast.
template <class Wanted, class F>
void forCellsWith(const Wanted& isWanted, IndexBox box, View3<const float> phi, const F& f)
{
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j) {
            const float* row = phi.row(j, k);
            int count = 0;
            for (int i = box.lo.x; i < box.hi.x; ++i) count += int(isWanted(row[i]));
            for (int i = box.lo.x; count > 0 && i < box.hi.x; ++i)
                if (isWanted(row[i])) f(Int3{i, j, k});
        }
}

// f(cell) for the cells of a box in the first layer of air.
template <class F>
void forFirstAir(const Grid& grid, IndexBox box, View3<const float> phi, const F& f)
{
    forCellsWith([&](float phi_m) { return isFirstAir(grid, phi_m); }, box, phi, f);
}

}  // namespace flotsam
