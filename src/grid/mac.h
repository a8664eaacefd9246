// The staggered (MAC) grid: velocity components on the low faces of cells, everything else at cell centres. Positions
// in kernels are in cells, with the lowest corner of the tank at (0, 0, 0): cell centres are at (i + 1/2, j + 1/2, k +
// 1/2).
#pragma once

#include <type_traits>

#include "core/field.h"

namespace flotsam {

struct MacView {
    View3<float> u[3];  // [m/s]; u[a](i, j, k) is on the low-a face of cell (i, j, k)
};
struct ConstMacView {
    View3<const float> u[3];
    ConstMacView() = default;
    ConstMacView(const MacView& v) : u{v.u[0], v.u[1], v.u[2]} {}
};

struct MacField {
    MacField() = default;
    explicit MacField(Int3 cells) : u{Field3<float>(cells), Field3<float>(cells), Field3<float>(cells)} {}
    MacView view() { return {{u[0], u[1], u[2]}}; }
    operator MacView() { return view(); }
    operator ConstMacView() { return view(); }

    Field3<float> u[3];
};

// f(axis) with the axis as a type, so that the compiler resolves the branches on it and not every face.
template <class F>
void withAxis(int axis, const F& f)
{
    if (axis == 0) f(std::integral_constant<int, 0>{});
    if (axis == 1) f(std::integral_constant<int, 1>{});
    if (axis == 2) f(std::integral_constant<int, 2>{});
}

struct Float3 {
    float x, y, z;
    float operator[](int axis) const { return axis == 0 ? x : axis == 1 ? y : z; }
};
inline Float3 operator+(Float3 a, Float3 b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Float3 operator-(Float3 a, Float3 b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Float3 operator*(float s, Float3 a) { return {s * a.x, s * a.y, s * a.z}; }

// A position as the sample below it and the fractions of the distance to the next one.
struct GridPoint {
    int i, j, k;
    float fx, fy, fz;

    explicit GridPoint(Float3 index)
    {
        const float x = std::floor(index.x), y = std::floor(index.y), z = std::floor(index.z);
        i = int(x), j = int(y), k = int(z);
        fx = index.x - x, fy = index.y - y, fz = index.z - z;
    }
};

inline float mix(float a, float b, float t) { return a + t * (b - a); }

// Trilinear interpolation; index (0, 0, 0) is the first sample.
inline float trilinear(View3<const float> f, Float3 index)
{
    const GridPoint g(index);
    const float* p = &f(g.i, g.j, g.k);
    const float* q = p + f.sz;
    const float a = mix(mix(p[0], p[1], g.fx), mix(p[f.sy], p[f.sy + 1], g.fx), g.fy);
    const float b = mix(mix(q[0], q[1], g.fx), mix(q[f.sy], q[f.sy + 1], g.fx), g.fy);
    return mix(a, b, g.fz);
}

// Sample indices of a position for a velocity component, and below for cell-centred fields.
inline Float3 faceIndex(int axis, Float3 p)
{
    return {p.x - (axis == 0 ? 0 : 0.5f), p.y - (axis == 1 ? 0 : 0.5f), p.z - (axis == 2 ? 0 : 0.5f)};
}
// The centre of a cell and of a face in space [m].
inline Vec3 cellPosition(double h, Int3 c) { return h * Vec3{c.x + 0.5, c.y + 0.5, c.z + 0.5}; }
inline Vec3 facePosition(double h, int axis, Int3 f)
{
    return h * Vec3{f.x + (axis == 0 ? 0 : 0.5), f.y + (axis == 1 ? 0 : 0.5), f.z + (axis == 2 ? 0 : 0.5)};
}
inline Float3 centerIndex(Float3 p) { return {p.x - 0.5f, p.y - 0.5f, p.z - 0.5f}; }

inline Float3 velocityAt(const ConstMacView& v, Float3 p)
{
    return {trilinear(v.u[0], faceIndex(0, p)), trilinear(v.u[1], faceIndex(1, p)), trilinear(v.u[2], faceIndex(2, p))};
}

// Clamps to the domain. A NaN becomes a point of the domain too: the step continues, and its report shows the failure.
inline Float3 clampTo(Float3 p, Int3 cells)
{
    const auto within = [](float v, int n) { return v > 0 ? (v < float(n) ? v : float(n)) : 0.0f; };
    return {within(p.x, cells.x), within(p.y, cells.y), within(p.z, cells.z)};
}

}  // namespace flotsam
