// Unit quaternions: orientations of bodies.
#pragma once

#include "core/vec.h"

namespace flotsam {

struct Quat {
    double w = 1, x = 0, y = 0, z = 0;

    constexpr bool operator==(const Quat&) const = default;
};

constexpr Quat operator*(Quat a, Quat b)
{
    return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
            a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat normalized(Quat q)
{
    const double l = std::sqrt(q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z);
    return {q.w / l, q.x / l, q.y / l, q.z / l};
}

constexpr Mat3 matrixOf(Quat q)
{
    const double xx = q.x * q.x, yy = q.y * q.y, zz = q.z * q.z, xy = q.x * q.y, xz = q.x * q.z, yz = q.y * q.z,
                 wx = q.w * q.x, wy = q.w * q.y, wz = q.w * q.z;
    return {{1 - 2 * (yy + zz), 2 * (xy - wz), 2 * (xz + wy)},
            {2 * (xy + wz), 1 - 2 * (xx + zz), 2 * (yz - wx)},
            {2 * (xz - wy), 2 * (yz + wx), 1 - 2 * (xx + yy)}};
}

// The quaternion of a rotation matrix (Shepperd: from its largest component).
inline Quat quatOf(const Mat3& m)
{
    const double xx = m.row0.x, yy = m.row1.y, zz = m.row2.z, trace = xx + yy + zz;
    if (trace >= std::max({xx, yy, zz}))
        return normalized(Quat{1 + trace, m.row2.y - m.row1.z, m.row0.z - m.row2.x, m.row1.x - m.row0.y});
    if (xx >= std::max(yy, zz))
        return normalized(Quat{m.row2.y - m.row1.z, 1 + xx - yy - zz, m.row0.y + m.row1.x, m.row0.z + m.row2.x});
    if (yy >= zz)
        return normalized(Quat{m.row0.z - m.row2.x, m.row0.y + m.row1.x, 1 + yy - xx - zz, m.row1.z + m.row2.y});
    return normalized(Quat{m.row1.x - m.row0.y, m.row0.z + m.row2.x, m.row1.z + m.row2.y, 1 + zz - xx - yy});
}

}  // namespace flotsam
