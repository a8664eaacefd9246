// Tests on bricks.
#pragma once

#include "liquid/state.h"

namespace flotsam {

// The bricks of a set with at least one cell for which holds(i, j, k) is true.
template <class F>
BrickList bricksWhere(const Grid& grid, const BrickSet& set, const char* label, const F& holds)
{
    std::vector<uint8_t> marks(size_t(grid.bricks.total()), 0);
    parallelTasks(label, int(set.list.size()), [&](int n) {
        const int brick = set.list[size_t(n)];
        const IndexBox box = grid.bricks.box(brick);
        for (int k = box.lo.z; k < box.hi.z; ++k)
            for (int j = box.lo.y; j < box.hi.y; ++j) {
                int any = 0;
                for (int i = box.lo.x; i < box.hi.x; ++i) any |= int(holds(i, j, k));
                if (any) {
                    marks[size_t(brick)] = 1;
                    return;
                }
            }
    });
    return listOf(marks);
}

// Whether the cells of a box and all cells adjacent to it are liquid, with the box away from the domain boundaries.
inline bool isDeep(const Grid& grid, IndexBox box, View3<const float> phi)
{
    for (int a = 0; a < 3; ++a)
        if (box.lo[a] == 0 || box.hi[a] == grid.cells[a]) return false;
    bool plain = true;
    for (int k = box.lo.z - 1; k <= box.hi.z && plain; ++k)
        for (int j = box.lo.y - 1; j <= box.hi.y && plain; ++j) {
            float most = -1;
            for (int i = box.lo.x - 1; i <= box.hi.x; ++i) most = std::max(most, phi(i, j, k));
            plain = most < 0;
        }
    return plain;
}

}  // namespace flotsam
