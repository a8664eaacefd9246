// Vectors of joints as those of Eigen, and sums of impulses along rows.
#pragma once

#include <algorithm>

#include "rigid/joint_island.h"

namespace flotsam {

inline Eigen::Vector3d eigen(Vec3 v) { return {v.x, v.y, v.z}; }
inline Vec3 plain(const Eigen::Vector3d& v) { return {v[0], v[1], v[2]}; }

inline VelocityChange toChange(const JointTree::Vector6& v) { return {{v[0], v[1], v[2]}, {v[3], v[4], v[5]}}; }

inline Eigen::Matrix3d eigen(const Mat3& m)
{
    Eigen::Matrix3d r;
    r << m.row0.x, m.row0.y, m.row0.z, m.row1.x, m.row1.y, m.row1.z, m.row2.x, m.row2.y, m.row2.z;
    return r;
}
inline Eigen::Matrix3d eigen(const SymMat3& m)
{
    Eigen::Matrix3d r;
    r << m.xx, m.xy, m.xz, m.xy, m.yy, m.yz, m.xz, m.yz, m.zz;
    return r;
}

// A limit of a coordinate that a motor prescribes: the motor stays within it, and both rows would be singular.
inline bool isCovered(const JointDemand& limit, const JointDemands& demands)
{
    if (limit.role != RowRole::limit || limit.coordinate != RowCoordinate::axis) return false;
    const auto drives = [](const JointDemand& d) { return d.role == RowRole::drive && d.active; };
    return std::any_of(demands.list, demands.list + demands.count, drives);
}

// Adds an impulse l along a row to the sums of both bodies.
template <class SumOf>
void addImpulse(const JointIsland::Member& m, const ConstraintRow& row, double l, const SumOf& sumOf)
{
    if (m.a >= 0) {
        Impulse& sum = sumOf(m.a);
        sum.linear_N_s -= l * row.linear;
        sum.angular_N_m_s += l * row.angular_a;
    }
    if (m.b >= 0) {
        Impulse& sum = sumOf(m.b);
        sum.linear_N_s += l * row.linear;
        sum.angular_N_m_s += l * row.angular_b;
    }
}

// Adds an impulse l along a row to those of its kind.
inline void addImpulse(const JointIsland::Member& m, const JointDemand& d, const ConstraintRow& row, double l,
                       std::vector<JointImpulses>& sums)
{
    addImpulse(m, row, l,
               [&](int i) -> Impulse& { return d.is_motor ? sums[size_t(i)].motors : sums[size_t(i)].joints; });
}

}  // namespace flotsam
