// Measurements on mechanisms: `validate` runs them at full length, the tests shorter.
#pragma once

#include <functional>

#include "rigid/joint_measure.h"
#include "validation/mechanisms.h"

namespace flotsam {

double energyOf(const RigidWorld& world);  // kinetic and potential [J]

// The period of the first body: twice the time between the first and the third passage through the vertical.
struct Oscillation {
    double period_s = 0, gap_m = 0;
};
Oscillation oscillate(RigidWorld world, double dt_s);

// The largest values over a run.
struct JointDrift {
    double energy_J = 0;  // change of energy, in either direction
    double gain_J = 0;    // gain of energy
    double vertical = 0;  // change of the angular momentum about the vertical axis through the origin [kg m2/s]
    double gap_m = 0, tilt_rad = 0;
    double out_of_plane_m = 0;  // |z| of a body
    double displacement_m = 0;  // of a body from its start
    bool finite = true, converged = true;
};
JointDrift watch(RigidWorld& world, double dt_s, int steps);

// The largest error of the two angles after 1 s.
double doublePendulumError(RigidWorld world, double first_rad, double second_rad, int steps);

// A motor drives the second of two rods from rest; changes of energy that its work does not explain.
struct MotorEnergy {
    double work_J = 0;         // the most that the motor has done
    double unexplained_J = 0;  // the largest
    double tracking_rad = 0;
};
MotorEnergy driveDoublePendulum(double dt_s, int steps);

// The angle at which a motor of half the torque that a horizontal rod needs comes to rest [deg].
double holdWithHalfTheTorque(double dt_s, int steps);

// Momentum of a free figure whose motors run, relative to the sum of the magnitudes over its bodies.
struct FigureMomentum {
    double linear = 0, angular = 0, center_m = 0;
};
FigureMomentum moveFreeFigure(double dt_s, int steps);

struct FallenFigure {
    double gap_m = 0;         // the largest of all steps
    double gain_of_fall = 0;  // largest gain of energy of a step, over that of the fall
    double speed_m_s = 0;     // at the end
    bool inside = true;       // above the floor
};
FallenFigure dropFigureOnSteps(double seconds);

}  // namespace flotsam
