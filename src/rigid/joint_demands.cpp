#include "rigid/joint_demands.h"

#include <algorithm>
#include <span>

namespace flotsam {

namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double at_limit = 1e-10;  // rounding of a coordinate at the end of its range [rad, m]

// The impulse dt (k (c_aim - c - share dt rate) + d (rate_aim - rate)) as a law for the rate; missing: c_aim - c.
SoftLaw softLaw(double stiffness, double damping, double missing, double rate_aim, double share, double dt_s)
{
    const double both = damping + share * dt_s * stiffness;
    return {(stiffness * missing + damping * rate_aim) / both, 1 / (dt_s * both)};
}

// Springs act with the mean coordinate of the substep, which conserves energy; servos with that at its end, which damps
// stiff ones. Rates at the end of a substep, with contacts, use the coordinate at the end for both.
JointDemand soft(const ConstraintRow& row, double stiffness, double damping, double missing, double rate_aim,
                 double share, double dt_s)
{
    JointDemand d;
    d.row = row;
    d.role = RowRole::soft;
    d.at_end = softLaw(stiffness, damping, missing, rate_aim, 1, dt_s);
    d.at_mean = softLaw(stiffness, damping, missing, rate_aim, share, dt_s);
    d.closes = false;
    return d;
}

class Demands {
public:
    explicit Demands(JointDemands& list) : all(list) { all.count = 0; }
    JointDemands& all;

    void add(const JointDemand& demand) { all.list[all.count++] = demand; }
    // The nearer end of a range. It is taken to act where the coordinate would pass it with its rate.
    void addLimit(const JointRows::Coordinate& c, RowCoordinate coordinate, double rate, double lowest, double highest,
                  double dt_s)
    {
        if (!c.exists || (lowest == -infinity && highest == infinity)) return;
        const bool low = c.value - lowest < highest - c.value;
        JointDemand d;
        d.row = c.row;
        d.role = RowRole::limit;
        d.coordinate = coordinate;
        d.aim = low ? lowest : highest;
        d.at_end.target = (d.aim - c.value) / dt_s;
        (low ? d.lowest : d.highest) = 0;
        const double end = c.value + dt_s * rate;
        d.active = low ? end < lowest + at_limit : end > highest - at_limit;
        add(d);
    }
};

JointDemand motorOf(const Joint& joint, const JointRows& rows, double axis_rate, double t_s, double dt_s)
{
    const Motor& motor = joint.motor;
    const double end_s = t_s + dt_s, c = rows.axis.value;
    JointDemand d;
    d.row = rows.axis.row;
    d.role = RowRole::drive;
    const auto push = [&](double torque) {
        d.role = RowRole::push;
        d.active = d.closes = false;
        d.fixed = dt_s * std::clamp(torque, -motor.limit, motor.limit);
    };
    switch (motor.drive) {
        case MotorDrive::none:
            break;
        case MotorDrive::torque:
            push(motor.valueAt(t_s + 0.5 * dt_s));
            break;
        case MotorDrive::speed:
            d.start_rate = motor.valueAt(t_s);
            d.end_rate = motor.valueAt(end_s);
            d.aim = std::clamp(c + dt_s * motor.valueAt(t_s + 0.5 * dt_s), joint.lowest, joint.highest);
            break;
        case MotorDrive::coordinate: {
            const double aim = std::clamp(motor.valueAt(end_s), joint.lowest, joint.highest);
            if (motor.tracking == MotorTracking::servo)
                d = soft(rows.axis.row, motor.stiffness, motor.damping, aim - c, motor.rateAt(end_s), 1, dt_s);
            else if (motor.tracking == MotorTracking::pd)
                push(motor.stiffness * (motor.valueAt(t_s) - c) + motor.damping * (motor.rateAt(t_s) - axis_rate));
            d.aim = aim;
            d.start_rate = motor.rateAt(t_s);
            d.end_rate = motor.rateAt(end_s);
            if (motor.tracking == MotorTracking::two_step) {
                // Forward Euler: the rate that takes the coordinate to its target two steps from now.
                d.aim = std::clamp(c + dt_s * axis_rate, joint.lowest, joint.highest);
                d.start_rate = infinity;  // it jumps: energies are not balanced (joint_ends.cpp)
                d.end_rate = (std::clamp(motor.valueAt(end_s + dt_s), joint.lowest, joint.highest) - d.aim) / dt_s;
            }
            break;
        }
    }
    if (d.role == RowRole::drive) d.at_end.target = (d.aim - c) / dt_s;
    d.coordinate = RowCoordinate::axis;
    d.lowest = -dt_s * motor.limit;
    d.highest = dt_s * motor.limit;
    d.is_motor = true;
    return d;
}

// The limits, the spring and the motor of a free axis.
void addAxis(const Joint& joint, const JointRows& rows, double axis_rate, double t_s, double dt_s, Demands& demands)
{
    demands.addLimit(rows.axis, RowCoordinate::axis, axis_rate, joint.lowest, joint.highest, dt_s);
    if (joint.damping > 0 || joint.stiffness > 0) {
        JointDemand d = soft(rows.axis.row, joint.stiffness, joint.damping, joint.rest - rows.axis.value, 0, 0.5, dt_s);
        d.coordinate = RowCoordinate::axis;
        demands.add(d);
    }
    if (joint.motor.drive == MotorDrive::none) return;
    demands.add(motorOf(joint, rows, axis_rate, t_s, dt_s));
    // A motor that prescribes the coordinate stays within the limits; both rows at once would be singular.
    if (demands.all.list[demands.all.count - 1].role == RowRole::drive)
        for (JointDemand& d : std::span(demands.all.list, size_t(demands.all.count)))
            if (d.role == RowRole::limit) d.active = false;
}

}  // namespace

void setDemands(const Joint& joint, const JointRows& rows, const CoordinateRates& rates, double t_s, double dt_s,
                bool planar, JointDemands& all)
{
    Demands demands(all);
    for (int n = 0; n < rows.count; ++n) {
        JointDemand d;
        d.row = rows.row[n];
        demands.add(d);
    }
    const bool is_soft = joint.damping > 0 || joint.stiffness > 0;
    if (joint.kind == JointKind::ball) {
        demands.addLimit(rows.axis, RowCoordinate::axis, rates.axis, -infinity, joint.swing_limit_rad, dt_s);
        demands.addLimit(rows.twist, RowCoordinate::twist, rates.twist, joint.lowest_twist_rad, joint.highest_twist_rad,
                         dt_s);
        for (int n = planar ? 2 : 0; n < 3 && is_soft; ++n) {
            const Vec3 e{n == 0 ? 1.0 : 0.0, n == 1 ? 1.0 : 0.0, n == 2 ? 1.0 : 0.0};
            demands.add(soft({{}, -e, e}, joint.stiffness, joint.damping, -rows.rotation_rad[n], 0, 0.5, dt_s));
        }
    }
    if (joint.hasAxis()) addAxis(joint, rows, rates.axis, t_s, dt_s, demands);
    for (int n = 0; n < all.count; ++n) all.list[n].starts_active = all.list[n].active;
}

}  // namespace flotsam
