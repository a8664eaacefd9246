#include "rigid/broad_phase.h"

#include <algorithm>
#include <bit>

namespace flotsam {
namespace {

bool overlap(const Bounds& a, const Bounds& b)
{
    return a.lo.x <= b.hi.x && b.lo.x <= a.hi.x && a.lo.y <= b.hi.y && b.lo.y <= a.hi.y && a.lo.z <= b.hi.z &&
           b.lo.z <= a.hi.z;
}

double extentOf(const Bounds& b)
{
    const Vec3 s = b.size();
    return std::max({s.x, s.y, s.z});
}

constexpr int cell_bits = 21;
constexpr double largest_cell_number = (1 << (cell_bits - 1)) - 1;

Int3 cellOf(Vec3 p, double cells_per_m)
{
    const auto number = [cells_per_m](double v) {
        return int(std::clamp(std::floor(v * cells_per_m), -largest_cell_number, largest_cell_number));
    };
    return {number(p.x), number(p.y), number(p.z)};
}

uint64_t keyOf(Int3 c)
{
    const auto part = [](int v) { return uint64_t(v + (1 << (cell_bits - 1))); };
    return part(c.z) << (2 * cell_bits) | part(c.y) << cell_bits | part(c.x);
}

// Fibonacci hashing: the upper bits of the product depend on all bits of the key.
size_t placeOf(uint64_t key, int bits) { return size_t((key * 0x9E3779B97F4A7C15u) >> (64 - bits)); }

}  // namespace

void BroadPhase::find(const std::vector<Bounds>& boxes, int moving)
{
    pairs.clear();
    entries.clear();
    large.clear();
    extents.clear();
    if (moving == 0) return;
    for (int i = 0; i < moving; ++i) extents.push_back(extentOf(boxes[size_t(i)]));
    auto middle = extents.begin() + moving / 2;
    std::nth_element(extents.begin(), middle, extents.end());
    const double side = 2 * std::max(*middle, 1e-9), cells_per_m = 1 / side;
    lowest.resize(size_t(moving));
    // Boxes of the median size are in at most eight cells, and in 3.4 on average.
    const int bits = std::bit_width(4 * size_t(moving));
    table.assign(size_t(1) << bits, -1);
    for (int i = 0; i < moving; ++i) {
        const Bounds& b = boxes[size_t(i)];
        if (extentOf(b) > side) {
            large.push_back(i);
            continue;
        }
        const Int3 lo = cellOf(b.lo, cells_per_m), hi = cellOf(b.hi, cells_per_m);
        lowest[size_t(i)] = lo;
        for (int z = lo.z; z <= hi.z; ++z)
            for (int y = lo.y; y <= hi.y; ++y)
                for (int x = lo.x; x <= hi.x; ++x) {
                    const uint64_t cell = keyOf({x, y, z});
                    int& last = table[placeOf(cell, bits)];
                    for (int at = last; at >= 0; at = entries[size_t(at)].next) {
                        const auto& [other_cell, other, next] = entries[size_t(at)];
                        if (other_cell != cell || !overlap(boxes[size_t(other)], b)) continue;
                        // A pair may share several cells; the cell of the overlap's lowest corner reports it.
                        const Int3& l = lowest[size_t(other)];
                        if (Int3{x, y, z} == max(l, lo)) pairs.emplace_back(other, i);
                    }
                    entries.push_back({cell, i, last});
                    last = int(entries.size()) - 1;
                }
    }
    for (const int l : large)
        for (int i = 0; i < moving; ++i) {
            const bool other_large = extentOf(boxes[size_t(i)]) > side;
            if (i == l || (other_large && i < l) || !overlap(boxes[size_t(i)], boxes[size_t(l)])) continue;
            pairs.emplace_back(std::min(i, l), std::max(i, l));
        }
    for (int i = 0; i < moving; ++i)
        for (size_t s = size_t(moving); s < boxes.size(); ++s)
            if (overlap(boxes[size_t(i)], boxes[s])) pairs.emplace_back(i, int(s));
    std::sort(pairs.begin(), pairs.end());
}

}  // namespace flotsam
