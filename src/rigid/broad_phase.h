// Which bodies may touch: overlapping boxes, found in a grid of cells as large as the larger of the ordinary bodies.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace flotsam {

struct BroadPhase {
    struct Entry {
        uint64_t cell;
        int body;
    };
    std::vector<Entry> entries;
    std::vector<double> extents;
    std::vector<int> large;
    std::vector<std::pair<int, int>> pairs;

    // Pairs (a, b), a < b, whose boxes overlap, sorted; of bodies below `moving`, and of those with all others.
    void find(const std::vector<Bounds>& boxes, int moving);
};

}  // namespace flotsam
