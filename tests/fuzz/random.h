// Random choices of one input: the same ones for the same seed and number.
#pragma once

#include <string>
#include <vector>

#include "core/random.h"

namespace flotsam::fuzz {

class Random {
public:
    Random(uint64_t seed_, uint64_t input_) : seed(seed_), input(input_) {}

    size_t below(size_t count) { return size_t(randomBits(seed, input, draw++) % count); }  // count > 0
    bool oneIn(size_t count) { return below(count) == 0; }
    char byte() { return char(below(256)); }
    template <class T>
    const T& of(const std::vector<T>& list)
    {
        return list[below(list.size())];
    }

private:
    uint64_t seed, input, draw = 0;
};

}  // namespace flotsam::fuzz
