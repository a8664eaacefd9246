// Fields stored for some bricks only. The 16 x 8 x 8 cells of a brick are contiguous in memory, and the bricks follow
// one another. A sweep then reads memory sequentially whatever the shape of the liquid. In row-major fields, rows only
// partly filled with liquid made the pressure solver 2 to 3 times slower, since the hardware prefetches data that is
// not needed.
#pragma once

#include <array>

#include "core/field.h"

namespace flotsam {

// The storage positions of the listed bricks: slot 0 is all zeros and stands for every other brick, slot n is the n-th
// of the list.
class BrickSlots {
public:
    static constexpr int cells_per_brick = Bricks::side.x * Bricks::side.y * Bricks::side.z;
    static constexpr int row = Bricks::side.x, plane = row * Bricks::side.y;  // strides in y and z within a brick

    explicit BrickSlots(Int3 cells) : bricks(cells), slot_of_brick(size_t(bricks.total()), 0) { assign({}); }

    void assign(const BrickList& list_);

    int count() const { return int(list.size()); }  // slots 1 .. count() are used
    int slotOf(Int3 brick) const { return bricks.contains(brick) ? slot_of_brick[size_t(bricks.index(brick))] : 0; }
    int brickOf(int slot) const { return list[size_t(slot - 1)]; }
    // The slots of the six neighbours: west, east, down, up, back, front.
    const std::array<int, 6>& around(int slot) const { return neighbours[size_t(slot)]; }

    // Offset of a cell within its brick.
    static size_t offset(int i, int j, int k) { return size_t((i & 15) + row * (j & 7) + plane * (k & 7)); }
    // Index of a cell in a field; of a zero if its brick is not listed.
    size_t index(int i, int j, int k) const
    {
        const Int3 brick{i >> 4, j >> 3, k >> 3};
        return size_t(slotOf(brick)) * cells_per_brick + offset(i, j, k);
    }

    Bricks bricks;
    BrickList list;

private:
    std::vector<int> slot_of_brick;
    std::vector<std::array<int, 6>> neighbours;
};
static_assert(Bricks::side.x == 16 && Bricks::side.y == 8 && Bricks::side.z == 8);

// Address space for all bricks; only touched pages take memory. Assigning a list does not change the contents of the
// slots.
template <class T>
class BrickField {
public:
    explicit BrickField(const Bricks& bricks)
        : pages(size_t(bricks.total() + 1) * BrickSlots::cells_per_brick * sizeof(T))
    {
        if (pages.bytes > large_pages_from) pages.expectDense();  // filled from the front: no page stays mostly empty
    }

    T* data() { return static_cast<T*>(pages.data); }
    const T* data() const { return static_cast<const T*>(pages.data); }
    T* brick(int slot) { return data() + size_t(slot) * BrickSlots::cells_per_brick; }
    const T* brick(int slot) const { return data() + size_t(slot) * BrickSlots::cells_per_brick; }

private:
    static constexpr size_t large_pages_from = 8 << 20;
    Pages pages;
};

}  // namespace flotsam
