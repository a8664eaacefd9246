// The fixed decomposition of a box of cells into bricks: the unit of parallel work, of sums, and of skipping regions
// without liquid. Long in x, where rows are contiguous; small enough that eight planes of a brick stay in cache.
#pragma once

#include <cstdint>
#include <vector>

#include "core/vec.h"

namespace flotsam {

struct Bricks {
    static constexpr Int3 side{16, 8, 8};

    Int3 cells;  // of the full box
    Int3 count;  // of bricks along each axis

    explicit Bricks(Int3 cells_ = {}) : cells(cells_)
    {
        for (int a = 0; a < 3; ++a) count[a] = (cells[a] + side[a] - 1) / side[a];
    }

    int total() const { return count.x * count.y * count.z; }
    int index(Int3 b) const { return b.x + count.x * (b.y + count.y * b.z); }
    Int3 at(int brick) const { return {brick % count.x, brick / count.x % count.y, brick / (count.x * count.y)}; }
    Int3 ofCell(Int3 c) const { return {c.x / side.x, c.y / side.y, c.z / side.z}; }
    IndexBox box(int brick) const
    {
        const Int3 b = at(brick), lo{b.x * side.x, b.y * side.y, b.z * side.z};
        return {lo, min(lo + side, cells)};
    }
    // The faces that a box of cells owns: their low faces, and the high ones at the end of the domain.
    IndexBox facesOf(int axis, IndexBox box) const
    {
        box.hi[axis] += box.hi[axis] == cells[axis];
        return box;
    }
    IndexBox facesOf(IndexBox box) const { return facesOf(0, facesOf(1, facesOf(2, box))); }
    // The coordinates of a brick and of the up to 26 around it.
    IndexBox around(int brick) const
    {
        const Int3 b = at(brick);
        return intersection({b - Int3{1, 1, 1}, b + Int3{2, 2, 2}}, {{0, 0, 0}, count});
    }
    bool contains(Int3 b) const { return IndexBox{{0, 0, 0}, count}.contains(b); }
};

using BrickList = std::vector<int>;  // ascending

// A subset of the bricks, and their cells as boxes. Neighbours along x are joined into strips, so that rows are long
// enough for the hardware prefetcher (rows of one brick, a cache line each, ran at 3 GB/s; strips run at memory
// bandwidth).
struct BrickSet {
    static constexpr int longest_strip = 16;  // bricks

    BrickSet() = default;
    BrickSet(const Bricks& bricks, BrickList list);

    BrickList list;
    std::vector<IndexBox> strips;
};

// The bricks whose mark is not zero.
inline BrickList listOf(const std::vector<uint8_t>& marks)
{
    BrickList list;
    for (int b = 0; b < int(marks.size()); ++b)
        if (marks[size_t(b)]) list.push_back(b);
    return list;
}

// The listed bricks and the 26 around each.
BrickList dilated(const Bricks& bricks, const BrickList& list);

// The intersection of two lists.
BrickList common(const BrickList& a, const BrickList& b);

// The union of two lists.
BrickList joined(const BrickList& a, const BrickList& b);

// The bricks of `list` that are not in `other`.
BrickList without(const Bricks& bricks, const BrickList& list, const BrickList& other);

}  // namespace flotsam
