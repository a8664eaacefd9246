// Small vectors and boxes of cells. Plain structs: trivially copyable, captured by value in kernels.
#pragma once

#include <algorithm>
#include <cmath>

namespace flotsam {

struct Vec3 {
    double x = 0, y = 0, z = 0;

    constexpr double& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr double operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr bool operator==(const Vec3&) const = default;
};

constexpr Vec3 operator+(Vec3 a, Vec3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Vec3 operator-(Vec3 a, Vec3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Vec3 operator-(Vec3 a) { return {-a.x, -a.y, -a.z}; }
constexpr Vec3 operator*(double s, Vec3 a) { return {s * a.x, s * a.y, s * a.z}; }
constexpr Vec3 operator*(Vec3 a, double s) { return s * a; }
constexpr Vec3 operator/(Vec3 a, double s) { return {a.x / s, a.y / s, a.z / s}; }
constexpr Vec3& operator+=(Vec3& a, Vec3 b) { return a = a + b; }
constexpr Vec3& operator-=(Vec3& a, Vec3 b) { return a = a - b; }
constexpr double dot(Vec3 a, Vec3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
constexpr Vec3 cross(Vec3 a, Vec3 b) { return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x}; }
inline double length(Vec3 a) { return std::sqrt(dot(a, a)); }
inline Vec3 normalized(Vec3 a)
{
    const double l = length(a);
    return l > 0 ? a / l : Vec3{};
}
inline Vec3 min(Vec3 a, Vec3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
inline Vec3 max(Vec3 a, Vec3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
inline bool isFinite(Vec3 a) { return std::isfinite(a.x) && std::isfinite(a.y) && std::isfinite(a.z); }

struct Int3 {
    int x = 0, y = 0, z = 0;

    constexpr int& operator[](int axis) { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr int operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
    constexpr bool operator==(const Int3&) const = default;
};

constexpr Int3 operator+(Int3 a, Int3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
constexpr Int3 operator-(Int3 a, Int3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
constexpr Int3 unit(int axis) { return {axis == 0, axis == 1, axis == 2}; }
inline Int3 min(Int3 a, Int3 b) { return {std::min(a.x, b.x), std::min(a.y, b.y), std::min(a.z, b.z)}; }
inline Int3 max(Int3 a, Int3 b) { return {std::max(a.x, b.x), std::max(a.y, b.y), std::max(a.z, b.z)}; }
constexpr long long product(Int3 a) { return 1LL * a.x * a.y * a.z; }

// Cells with lo <= c < hi.
struct IndexBox {
    Int3 lo, hi;

    constexpr Int3 size() const { return hi - lo; }
    constexpr bool empty() const { return hi.x <= lo.x || hi.y <= lo.y || hi.z <= lo.z; }
    constexpr bool contains(Int3 c) const
    {
        return c.x >= lo.x && c.y >= lo.y && c.z >= lo.z && c.x < hi.x && c.y < hi.y && c.z < hi.z;
    }
};

inline IndexBox intersection(IndexBox a, IndexBox b) { return {max(a.lo, b.lo), min(a.hi, b.hi)}; }
inline IndexBox grown(IndexBox b, int layers)
{
    return {b.lo - Int3{layers, layers, layers}, b.hi + Int3{layers, layers, layers}};
}

// An axis-aligned box in space.
struct Bounds {
    Vec3 lo{1e300, 1e300, 1e300}, hi{-1e300, -1e300, -1e300};

    bool empty() const { return !(lo.x <= hi.x && lo.y <= hi.y && lo.z <= hi.z); }
    void add(Vec3 p)
    {
        lo = min(lo, p);
        hi = max(hi, p);
    }
    Vec3 center() const { return 0.5 * (lo + hi); }
    Vec3 size() const { return hi - lo; }
};

// A rotation matrix; its columns are the images of the axes.
struct Mat3 {
    Vec3 row0{1, 0, 0}, row1{0, 1, 0}, row2{0, 0, 1};
};

constexpr Vec3 operator*(const Mat3& m, Vec3 v) { return {dot(m.row0, v), dot(m.row1, v), dot(m.row2, v)}; }
constexpr Mat3 transposed(const Mat3& m)
{
    return {{m.row0.x, m.row1.x, m.row2.x}, {m.row0.y, m.row1.y, m.row2.y}, {m.row0.z, m.row1.z, m.row2.z}};
}
constexpr Mat3 operator*(const Mat3& a, const Mat3& b)
{
    const Mat3 t = transposed(b);
    const auto row = [&](Vec3 r) { return Vec3{dot(r, t.row0), dot(r, t.row1), dot(r, t.row2)}; };
    return {row(a.row0), row(a.row1), row(a.row2)};
}

// The rotation by |angle_rad| about the direction of angle_rad (Rodrigues).
inline Mat3 rotation(Vec3 angle_rad)
{
    const double a = length(angle_rad);
    if (a == 0) return {};
    const Vec3 n = angle_rad / a;
    const double c = std::cos(a), s = std::sin(a), t = 1 - c;
    return {{c + t * n.x * n.x, t * n.x * n.y - s * n.z, t * n.x * n.z + s * n.y},
            {t * n.x * n.y + s * n.z, c + t * n.y * n.y, t * n.y * n.z - s * n.x},
            {t * n.x * n.z - s * n.y, t * n.y * n.z + s * n.x, c + t * n.z * n.z}};
}

// About x, then y, then z, in world axes.
inline Mat3 rotationFromDegrees(Vec3 deg)
{
    constexpr double rad = 3.14159265358979323846 / 180;
    return rotation({0, 0, rad * deg.z}) * rotation({0, rad * deg.y, 0}) * rotation({rad * deg.x, 0, 0});
}

}  // namespace flotsam
