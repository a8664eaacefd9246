// Counter-based random numbers: a value is a function of its key alone, independent of thread and call order.
#pragma once

#include <cstdint>
#include <initializer_list>

namespace flotsam {

// The finaliser of splitmix64, applied to the keys one after the other.
inline uint64_t randomBits(uint64_t a, uint64_t b = 0, uint64_t c = 0)
{
    uint64_t h = 0;
    for (uint64_t key : {a, b, c}) {
        h += key + 0x9e3779b97f4a7c15u;
        h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
        h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
        h ^= h >> 31;
    }
    return h;
}

// In [0, 1).
inline double randomUnit(uint64_t a, uint64_t b = 0, uint64_t c = 0)
{
    return double(randomBits(a, b, c) >> 11) * 0x1p-53;
}

}  // namespace flotsam
