// What a joint demands in a substep: its constraints, limits, springs and motor as rows with targets and bounds.
#pragma once

#include "rigid/joint_tree.h"

namespace flotsam {

enum class RowRole {
    hold,   // the constraints of the joint's kind
    limit,  // the end of the range of a coordinate: acts in one direction
    drive,  // a motor that prescribes a coordinate or a speed, within its largest torque
    soft,   // springs, dampers and servos: compliant
    push    // a given torque: not solved for
};

enum class RowCoordinate { none, axis, twist };

// rate + compliance impulse = target, with the impulse within its bounds.
struct SoftLaw {
    double target = 0;  // [m/s or rad/s]
    double compliance = 0;
};

struct JointDemand {
    ConstraintRow row;  // at the start of the substep
    RowRole role = RowRole::hold;
    SoftLaw at_end, at_mean;  // for the rate at the end of the substep, and for its mean over the substep
    double lowest = -std::numeric_limits<double>::infinity(), highest = std::numeric_limits<double>::infinity();
    RowCoordinate coordinate = RowCoordinate::none;
    double aim = 0;                       // of the coordinate at the end of the substep, where positions are closed
    double start_rate = 0, end_rate = 0;  // of the coordinate at the start and at the end of the substep
    bool closes = true;                   // its position is closed, not only its rate
    bool is_motor = false;                // whose work is counted
    bool active = true;                   // solved for; otherwise its impulse is `fixed`
    bool starts_active = true;            // at the start of the substep
    double fixed = 0;
    double impulse = 0;  // in this substep so far [N s or N m s]
};

struct JointDemands {
    int count = 0;
    JointDemand list[SolverRows::most];
};

// The rates of the coordinates at the start of the substep: for the explicit laws of a motor, and to guess which limits
// act. The constraints come first.
struct CoordinateRates {
    double axis = 0, twist = 0;
};
void setDemands(const Joint& joint, const JointRows& rows, const CoordinateRates& rates, double t_s, double dt_s,
                bool planar, JointDemands& demands);

// How far the coordinate of a demand, or its constraint number n, is from its aim.
inline double errorOf(const JointDemand& demand, const JointRows& rows, int n)
{
    switch (demand.coordinate) {
        case RowCoordinate::axis:
            return rows.axis.value - demand.aim;
        case RowCoordinate::twist:
            return rows.twist.value - demand.aim;
        case RowCoordinate::none:
            break;
    }
    return rows.error[n];
}

}  // namespace flotsam
