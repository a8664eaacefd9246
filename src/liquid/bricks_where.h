#pragma once

#include "liquid/state.h"

namespace flotsam {

// The bricks of a set in which holds(i, j, k) for some cell.
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

}  // namespace flotsam
