// Finds pairs that may touch: overlapping bounding boxes, by a grid of cells as large as the larger ordinary bodies.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

#include "core/vec.h"

namespace flotsam {

struct BroadPhase {
    // A body in a cell. Entries whose cells share a place in the table are linked.
    struct Entry {
        uint64_t cell;
        int body, next;
    };
    std::vector<Entry> entries;
    std::vector<int> table;  // the last entry of each place; -1: none
    std::vector<double> extents;
    std::vector<Int3> lowest;  // by body: the cell of the lowest corner of its box
    std::vector<int> large;
    std::vector<std::pair<int, int>> pairs;

    // Sorted pairs (a, b), a < b, of overlapping boxes where at least one body has an index below `moving`.
    void find(const std::vector<Bounds>& boxes, int moving);
};

}  // namespace flotsam
