// Bodies connected by joints, for `validate`, the tests and the benchmarks.
#pragma once

#include "rigid/world.h"

namespace flotsam {

// A thin rod along y that touches nothing and divides no step.
Body thinRod(double length_m, double mass_kg, double width_m = 1e-3);

// Between bodies of a world in their poses; b may be world_body.
Joint jointAt(const RigidWorld& world, JointKind kind, int a, int b, Vec3 anchor_m, Vec3 axis = {0, 0, 1});

// The angle of a rod that hangs at 0 and swings in x and y.
double swingAngle(const RigidWorld& world, int body);

// A rod of 1 m and 1 kg on a hinge at its end.
RigidWorld rodPendulum(double angle_rad);
// Two rods of 1 m and 1 kg, or two points of 1 kg on arms of 1 m, horizontal at the start.
RigidWorld doubleRodPendulum();
RigidWorld doublePointPendulum();
// Three boxes on ball joints, horizontal, with a rotation about the vertical.
RigidWorld spatialPendulum();
// A parallelogram: two cranks and a coupler of 1 m and 1 kg on four hinges. Three of its rows are redundant.
RigidWorld fourBarLinkage(double angle_rad);

// Rigid links between two points at the same height, span_m apart, on ball joints.
struct HangingChain {
    RigidWorld world;
    double sag_m = 0;            // of the lowest joint in equilibrium
    double first_angle_deg = 0;  // of the first link
    double pull_of_weight = 0;   // horizontal force over the weight of the chain
};
// In equilibrium; or as two straight halves with damping.
HangingChain hangingChain(int links, double length_m, double span_m, bool in_equilibrium, double damping_N_m_s = 0);
double sagOf(const RigidWorld& chain);

// Links of 1 g and a ball of 10 kg at their end, horizontal.
RigidWorld heavyEndChain(int links);

// Links of 10 g on ball joints, horizontal, fixed at one end.
RigidWorld swingingChain(int links);

// A figure of 17 capsules and 16 joints with limits, whose feet are at `feet_m`. Adds bodies and joints.
void addFigure(Vec3 feet_m, RigidWorld& world, std::vector<Joint>& joints);
// The figure falls onto steps of 0.2 m.
RigidWorld figureOnSteps();
// The figure on hinges with motors, 6 rows each, without gravity.
RigidWorld drivenFigure();

// A bridge of planks on two rows of ball joints, with boxes on it.
RigidWorld plankBridge(int planks, int boxes);

}  // namespace flotsam
