// Four vectors in space at a time, in the lanes of vector registers, and the operations with which a formula that is
// written once holds for one number as well as for four.
#pragma once

#include "core/lanes.h"
#include "core/vec.h"

namespace flotsam {

struct Vec3x4 {
    Double4 x{}, y{}, z{};
};

inline Vec3x4 operator+(const Vec3x4& a, const Vec3x4& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3x4 operator-(const Vec3x4& a, const Vec3x4& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3x4 operator*(const Double4& s, const Vec3x4& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Vec3x4& operator+=(Vec3x4& a, const Vec3x4& b) { return a = a + b; }
inline Vec3x4& operator-=(Vec3x4& a, const Vec3x4& b) { return a = a - b; }
inline Double4 dot(const Vec3x4& a, const Vec3x4& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3x4 cross(const Vec3x4& a, const Vec3x4& b)
{
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}

// f(lane) of each of the four.
template <class F>
Double4 lanesOf(const F& f)
{
    return Double4{f(0), f(1), f(2), f(3)};
}
template <class F>
Vec3x4 vectorsOf(const F& f)
{
    return {lanesOf([&](int l) { return f(l).x; }), lanesOf([&](int l) { return f(l).y; }),
            lanesOf([&](int l) { return f(l).z; })};
}
inline Vec3 laneOf(const Vec3x4& v, int lane) { return {v.x[lane], v.y[lane], v.z[lane]}; }

using Mask4 = decltype(Double4{} < Double4{});
inline bool any(bool condition) { return condition; }
inline bool any(const Mask4& m) { return ((m[0] | m[1]) | (m[2] | m[3])) != 0; }
inline double select(bool condition, double a, double b) { return condition ? a : b; }
inline Double4 select(const Mask4& m, const Double4& a, const Double4& b) { return m ? a : b; }
// b where a is not a number, as std::max(b, a).
inline double most(double a, double b) { return a > b ? a : b; }
inline Double4 most(const Double4& a, const Double4& b) { return a > b ? a : b; }
inline double squareRoot(double v) { return std::sqrt(v); }
inline Double4 squareRoot(const Double4& v)
{
    return lanesOf([&](int l) { return std::sqrt(v[l]); });
}

}  // namespace flotsam
