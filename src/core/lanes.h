// Four or eight floats at a time, for the few kernels that the compiler does not vectorise by itself. GCC and Clang
// lower these to the instructions of the machine.
#pragma once

#include <cmath>
#include <cstring>

namespace flotsam {

using Float4 = float __attribute__((vector_size(16)));
using Int4 = int __attribute__((vector_size(16)));
using Float8 = float __attribute__((vector_size(32)));
using Int8 = int __attribute__((vector_size(32)));
using Double4 = double __attribute__((vector_size(32)));

inline Float8 load(const float* p)
{
    Float8 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline void store(float* p, const Float8& v) { std::memcpy(p, &v, sizeof v); }
inline Float4 load4(const float* p)
{
    Float4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
// {a[0], a[1], b[0], b[1]}, loaded as doubles: a register stored in two halves cannot be loaded at once (no store
// forwarding).
inline Float4 loadPairs(const float* a, const float* b)
{
    using Double2 = double __attribute__((vector_size(16)));
    Double2 v;
    double pair;
    std::memcpy(&pair, a, sizeof pair);
    v[0] = pair;
    std::memcpy(&pair, b, sizeof pair);
    v[1] = pair;
    Float4 out;
    std::memcpy(&out, &v, sizeof out);
    return out;
}
inline Float8 least(const Float8& a, const Float8& b) { return a < b ? a : b; }
inline Float8 most(const Float8& a, const Float8& b) { return a > b ? a : b; }
inline Float8 magnitude(const Float8& v) { return most(v, -v); }
inline Float8 squareRoot(const Float8& v)
{
    Float8 root;
    for (int n = 0; n < 8; ++n) root[n] = std::sqrt(v[n]);
    return root;
}
// Mask of the lanes of eight cells starting at i that are before `end`.
inline Int8 lanesBefore(int end, int i)
{
    constexpr Int8 lane = {0, 1, 2, 3, 4, 5, 6, 7};
    return lane < end - i;
}
inline Double4 loadDouble(const double* p)
{
    Double4 v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
inline void storeDouble(double* p, const Double4& v) { std::memcpy(p, &v, sizeof v); }
inline Double4 lowHalf(const Float8& v)
{
    return __builtin_convertvector(__builtin_shufflevector(v, v, 0, 1, 2, 3), Double4);
}
inline Double4 highHalf(const Float8& v)
{
    return __builtin_convertvector(__builtin_shufflevector(v, v, 4, 5, 6, 7), Double4);
}

// A running sum in double, four lanes, in a fixed order.
struct LaneSum {
    Double4 lanes = {};
    void add(const Float8& v) { lanes += lowHalf(v) + highHalf(v); }
    void addSquare(const Float8& v)
    {
        const Double4 low = lowHalf(v), high = highHalf(v);
        lanes += low * low + high * high;
    }
    double total() const { return (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]); }
};

}  // namespace flotsam
