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

// Rotation of b relative to a about n.
ConstraintRow about(Vec3 n) { return {{}, -n, n}; }
// Displacement of b's anchor along a direction fixed in a.
ConstraintRow along(const PosedJoint& p, Vec3 n) { return {n, cross(n, p.a_to_b), cross(p.rb, n)}; }
// Displacement of b's anchor relative to that of a along a direction fixed in the world.
ConstraintRow between(const PosedJoint& p, Vec3 n) { return {n, -cross(p.ra, n), cross(p.rb, n)}; }
Vec3 apart(const PosedJoint& p) { return p.a_to_b - p.ra; }

void add(const ConstraintRow& row, double error, JointRows& rows)
{
    rows.row[rows.count] = row;
    rows.error[rows.count++] = error;
}

void holdAnchor(const PosedJoint& p, bool planar, JointRows& rows)
{
    for (int n = 0; n < (planar ? 2 : 3); ++n) add(between(p, worldAxis(n)), apart(p)[n], rows);
}

// Keeps a direction of a and one of b perpendicular.
void holdAcross(Vec3 of_a, Vec3 of_b, JointRows& rows) { add(about(cross(of_b, of_a)), dot(of_a, of_b), rows); }

void holdRotation(const PosedJoint& p, bool planar, JointRows& rows)
{
    if (planar) {  // about z, by two axes in the plane; a rotation in the plane keeps the z of all of them
        const Vec3 a[3] = {p.axes_a.row0, p.axes_a.row1, p.axes_a.row2},
                   b[3] = {p.axes_b.row0, p.axes_b.row1, p.axes_b.row2};
        const int normal = std::abs(a[0].z) > 0.7 ? 0 : std::abs(a[1].z) > 0.7 ? 1 : 2;
        holdAcross(a[(normal + 1) % 3], b[(normal + 2) % 3], rows);
        return;
    }
    holdAcross(p.axes_a.row1, p.axes_b.row0, rows);
    holdAcross(p.axes_a.row2, p.axes_b.row0, rows);
    holdAcross(p.axes_a.row1, p.axes_b.row2, rows);
}

// The angle of b relative to a about x, the nearest to an earlier one.
double twistOf(const PosedJoint& p, double earlier)
{
    const Quat relative = conjugate(p.qa) * p.qb;
    const double angle = 2 * std::atan2(relative.x, relative.w), turn = 2 * std::numbers::pi;
    return angle + turn * std::round((earlier - angle) / turn);
}

}  // namespace

PosedJoint posed(const Joint& joint, const Pose& a, const Pose& b)
{
    PosedJoint p;
    p.ra = matrixOf(a.q) * joint.in_a.anchor_m;
    p.rb = matrixOf(b.q) * joint.in_b.anchor_m;
    p.a_to_b = b.x_m + p.rb - a.x_m;
    p.qa = a.q * joint.in_a.axes;
    p.qb = b.q * joint.in_b.axes;
    p.axes_a = transposed(matrixOf(p.qa));
    p.axes_b = transposed(matrixOf(p.qb));
    return p;
}

PosedJoint mean(const PosedJoint& start, const PosedJoint& end)
{
    const auto half = [](Vec3 a, Vec3 b) { return 0.5 * (a + b); };
    const auto both = [half](const Mat3& a, const Mat3& b) {
        return Mat3{half(a.row0, b.row0), half(a.row1, b.row1), half(a.row2, b.row2)};
    };
    return {half(start.ra, end.ra),
            half(start.rb, end.rb),
            half(start.a_to_b, end.a_to_b),
            both(start.axes_a, end.axes_a),
            both(start.axes_b, end.axes_b),
            end.qa,
            end.qb};
}

void setHolds(const Joint& joint, const PosedJoint& p, bool planar, JointRows& rows)
{
    const Vec3 axis_b = p.axes_b.row0;
    rows.count = 0;
    rows.to_anchor_m = p.rb;
    if (joint.kind != JointKind::slider && joint.kind != JointKind::distance) holdAnchor(p, planar, rows);
    switch (joint.kind) {
        case JointKind::ball:
            break;
        case JointKind::hinge:
            if (planar) break;
            holdAcross(p.axes_a.row1, axis_b, rows);
            holdAcross(p.axes_a.row2, axis_b, rows);
            break;
        case JointKind::universal:
            holdAcross(p.axes_a.row0, p.axes_b.row1, rows);
            break;
        case JointKind::slider:
            for (const Vec3 n : {p.axes_a.row1, p.axes_a.row2})
                if (!planar || std::abs(n.z) < 0.5) add(along(p, n), dot(n, apart(p)), rows);
            holdRotation(p, planar, rows);
            break;
        case JointKind::fixed:
            holdRotation(p, planar, rows);
            break;
        case JointKind::distance: {
            const Vec3 d = apart(p);
            add(between(p, d / joint.length_m), 0.5 * (dot(d, d) / joint.length_m - joint.length_m), rows);
            break;
        }
    }
}

void setCoordinates(const Joint& joint, const PosedJoint& p, JointRows& rows)
{
    const Vec3 axis = p.axes_a.row0, axis_b = p.axes_b.row0;
    rows.axis.exists = rows.twist.exists = false;
    const auto set = [](const ConstraintRow& row, JointRows::Coordinate& c) {
        c.row = row;
        c.exists = true;
    };
    if (joint.kind == JointKind::hinge) set(about(normalized(axis)), rows.axis);
    if (joint.kind == JointKind::slider) set(along(p, axis), rows.axis);
    if (joint.kind != JointKind::ball) return;
    if (joint.swing_limit_rad < 1e300) {
        const Vec3 n = cross(axis, axis_b);
        if (const double s = length(n); s > 1e-9) set(about(n / s), rows.axis);
    }
    if (joint.lowest_twist_rad > -1e300 || joint.highest_twist_rad < 1e300)
        if (const Vec3 both = axis + axis_b; length(both) > 1e-9) set(about(normalized(both)), rows.twist);
}

void setValues(const Joint& joint, const JointState& state, const PosedJoint& p, JointRows& rows)
{
    const Vec3 axis = p.axes_a.row0, axis_b = p.axes_b.row0;
    if (joint.kind == JointKind::ball) {
        if (rows.axis.exists) rows.axis.value = std::atan2(length(cross(axis, axis_b)), dot(axis, axis_b));
        if (rows.twist.exists) rows.twist.value = twistOf(p, 0);
    }
    if (joint.kind == JointKind::hinge) rows.axis.value = twistOf(p, state.coordinate);
    if (joint.kind == JointKind::slider) rows.axis.value = dot(axis, apart(p));
}

Vec3 rotationOf(const PosedJoint& p) { return rotationVector(p.qb * conjugate(p.qa)); }

JointRows rowsOf(const Joint& joint, const JointState& state, const PosedJoint& p, bool planar)
{
    JointRows rows;
    setHolds(joint, p, planar, rows);
    setCoordinates(joint, p, rows);
    setValues(joint, state, p, rows);
    rows.rotation_rad = rotationOf(p);
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
