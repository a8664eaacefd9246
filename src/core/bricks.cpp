#include "core/bricks.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace flotsam {

BrickSet::BrickSet(const Bricks& bricks, BrickList list_) : list(std::move(list_))
{
    int length = 0;
    for (size_t n = 0; n < list.size(); ++n) {
        const bool joins =
            n > 0 && list[n] == list[n - 1] + 1 && list[n] % bricks.count.x != 0 && length < longest_strip;
        const IndexBox box = bricks.box(list[n]);
        if (joins)
            strips.back().hi.x = box.hi.x;
        else
            strips.push_back(box);
        length = joins ? length + 1 : 1;
    }
}

BrickList common(const BrickList& a, const BrickList& b)
{
    BrickList both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

BrickList joined(const BrickList& a, const BrickList& b)
{
    BrickList either;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(either));
    return either;
}

BrickList without(const Bricks& bricks, const BrickList& list, const BrickList& other)
{
    std::vector<uint8_t> in_other(size_t(bricks.total()), 0);
    for (int brick : other) in_other[size_t(brick)] = 1;
    BrickList rest;
    for (int brick : list)
        if (!in_other[size_t(brick)]) rest.push_back(brick);
    return rest;
}

BrickList dilated(const Bricks& bricks, const BrickList& list)
{
    std::vector<uint8_t> marks(size_t(bricks.total()), 0);
    for (int brick : list) {
        const Int3 b = bricks.at(brick), one{1, 1, 1};
        const Int3 lo = max(b - one, {0, 0, 0}), hi = min(b + one, bricks.count - one);
        for (int k = lo.z; k <= hi.z; ++k)
            for (int j = lo.y; j <= hi.y; ++j)
                for (int i = lo.x; i <= hi.x; ++i) marks[size_t(bricks.index({i, j, k}))] = 1;
    }
    return listOf(marks);
}

}  // namespace flotsam
