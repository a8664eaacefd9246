#include "rigid/joint_rows.h"

#include <numbers>

namespace flotsam {

namespace {

Quat conjugate(Quat q) { return {q.w, -q.x, -q.y, -q.z}; }

// The rotation vector of a quaternion, at most half a turn.
Vec3 rotationVector(Quat q)
{
    const Vec3 v{q.x, q.y, q.z};
    const double s = length(v), sign = q.w < 0 ? -1 : 1;
    if (s == 0) return {};
    return sign * 2 * std::atan2(s, std::abs(q.w)) / s * v;
}

constexpr Vec3 worldAxis(int n) { return {n == 0 ? 1.0 : 0.0, n == 1 ? 1.0 : 0.0, n == 2 ? 1.0 : 0.0}; }

// The joint as seen from both bodies, in world axes.
struct Posed {
    Vec3 ra, rb;  // from the centres of mass to the anchors
    Vec3 apart;   // from the anchor of a to that of b
    Quat qa, qb;
    Mat3 axes_a, axes_b;  // rows are the axes of the joint

    Posed(const Joint& joint, const Pose& a, const Pose& b)
        : ra(matrixOf(a.q) * joint.in_a.anchor_m),
          rb(matrixOf(b.q) * joint.in_b.anchor_m),
          apart(b.x_m + rb - a.x_m - ra),
          qa(a.q * joint.in_a.axes),
          qb(b.q * joint.in_b.axes),
          axes_a(transposed(matrixOf(qa))),
          axes_b(transposed(matrixOf(qb)))
    {
    }
    // The displacement of b's anchor along a direction fixed in a, or in the world if the anchors meet.
    ConstraintRow along(Vec3 n) const { return {n, -cross(ra + apart, n), cross(rb, n)}; }
    ConstraintRow about(Vec3 n) const { return {{}, -n, n}; }
};

void add(const ConstraintRow& row, double error, JointRows& rows)
{
    rows.row[rows.count] = row;
    rows.error[rows.count++] = error;
}

void holdAnchor(const Posed& p, bool planar, JointRows& rows)
{
    for (int n = 0; n < (planar ? 2 : 3); ++n) {
        const Vec3 e = worldAxis(n);
        add({e, -cross(p.ra, e), cross(p.rb, e)}, dot(e, p.apart), rows);
    }
}

void holdRotation(const Posed& p, bool planar, JointRows& rows)
{
    for (int n = planar ? 2 : 0; n < 3; ++n) add(p.about(worldAxis(n)), rows.rotation_rad[n], rows);
}

// The angle of b relative to a about x, the nearest to an earlier one.
double twistOf(const Posed& p, double earlier)
{
    const Quat relative = conjugate(p.qa) * p.qb;
    const double angle = 2 * std::atan2(relative.x, relative.w), turn = 2 * std::numbers::pi;
    return angle + turn * std::round((earlier - angle) / turn);
}

}  // namespace

JointRows rowsOf(const Joint& joint, const JointState& state, const Pose& a, const Pose& b, bool planar)
{
    JointRows rows;
    const Posed p(joint, a, b);
    const Vec3 axis = p.axes_a.row0;
    rows.to_anchor_m = p.rb;
    rows.rotation_rad = rotationVector(p.qb * conjugate(p.qa));
    switch (joint.kind) {
        case JointKind::ball: {
            holdAnchor(p, planar, rows);
            if (joint.swing_limit_rad < 1e300) {
                const Vec3 n = cross(axis, p.axes_b.row0);
                const double s = length(n);
                if (s > 1e-9) rows.axis = {p.about(n / s), std::atan2(s, dot(axis, p.axes_b.row0)), true};
            }
            if (joint.lowest_twist_rad > -1e300 || joint.highest_twist_rad < 1e300) {
                const Vec3 mean = axis + p.axes_b.row0;
                if (length(mean) > 1e-9) rows.twist = {p.about(normalized(mean)), twistOf(p, 0), true};
            }
            break;
        }
        case JointKind::hinge: {
            holdAnchor(p, planar, rows);
            const Vec3 tilt = cross(axis, p.axes_b.row0);
            if (!planar) {
                add(p.about(p.axes_a.row1), dot(p.axes_a.row1, tilt), rows);
                add(p.about(p.axes_a.row2), dot(p.axes_a.row2, tilt), rows);
            }
            rows.axis = {p.about(axis), twistOf(p, state.coordinate), true};
            break;
        }
        case JointKind::universal: {
            holdAnchor(p, planar, rows);
            const Vec3 n = cross(axis, p.axes_b.row1);
            add({{}, n, -n}, dot(axis, p.axes_b.row1), rows);
            break;
        }
        case JointKind::slider:
            for (const Vec3 n : {p.axes_a.row1, p.axes_a.row2})
                if (!planar || std::abs(n.z) < 0.5) add(p.along(n), dot(n, p.apart), rows);
            holdRotation(p, planar, rows);
            rows.axis = {p.along(axis), dot(axis, p.apart), true};
            break;
        case JointKind::fixed:
            holdAnchor(p, planar, rows);
            holdRotation(p, planar, rows);
            break;
        case JointKind::distance: {
            const double d = length(p.apart);
            const Vec3 n = d > 0 ? p.apart / d : Vec3{1, 0, 0};
            add({n, -cross(p.ra, n), cross(p.rb, n)}, d - joint.length_m, rows);
            break;
        }
    }
    return rows;
}

void placeJoint(const PlacedJoint& place, const BodyState& a, const BodyState& b, Joint& joint)
{
    const Vec3 x = normalized(place.axis);
    const Vec3 other = std::abs(x.x) < 0.6 ? Vec3{1, 0, 0} : std::abs(x.y) < 0.6 ? Vec3{0, 1, 0} : Vec3{0, 0, 1};
    // The second axis of a universal joint is y; otherwise any direction across x, in the plane of a run in x and y.
    const Vec3 across = joint.kind == JointKind::universal ? place.axis2
                        : std::abs(x.z) < 0.5              ? Vec3{-x.y, x.x, 0}
                                                           : other;
    const Vec3 y = normalized(across - dot(across, x) * x);
    const Quat axes = quatOf(transposed(Mat3{x, y, cross(x, y)}));
    const auto inBody = [&](const BodyState& body, Vec3 anchor_m) {
        return JointFrame{transposed(matrixOf(body.q)) * (anchor_m - body.x_m), conjugate(body.q) * axes};
    };
    joint.in_a = inBody(a, place.anchor_m);
    joint.in_b = inBody(b, joint.kind == JointKind::distance ? place.second_anchor_m : place.anchor_m);
    if (joint.kind == JointKind::distance) joint.length_m = length(place.second_anchor_m - place.anchor_m);
}

}  // namespace flotsam
