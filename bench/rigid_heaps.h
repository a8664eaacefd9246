// The heaps timed by `bench rigid`, here and in the programs of rivals.
#pragma once

#include <string>

#include "rigid/world.h"

namespace flotsam {

struct Heap {
    const char* name;
    int boxes, across;     // a pile of boxes in a bin; or
    int gear_teeth, toys;  // eight gears of 32 triangles per tooth
};
inline constexpr Heap heaps[] = {{"boxes500", 500, 8, 0, 0},
                                 {"boxes2000", 2000, 12, 0, 0},
                                 {"gears384", 0, 0, 12, 0},
                                 {"gears768", 0, 0, 24, 0},
                                 {"gears_toys", 0, 0, 16, 3}};
inline constexpr double heap_dt_s = 1.0 / 120;
inline constexpr int heap_steps = 240;  // bodies fall during the first third, then settle

RigidWorld makeHeap(const Heap& heap);

}  // namespace flotsam
