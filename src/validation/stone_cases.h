// Contacts of meshes with a known solution: crossed edges that collide, and arches of wedge-shaped stones. `validate`
// runs them at full length, the tests shorter.
#pragma once

#include <string>

#include "rigid/world.h"

namespace flotsam {

// A slab in the xy plane, of the cells that are '#': row by row from the lowest y, between the lines x_m and y_m.
struct CellSlab {
    std::vector<double> x_m, y_m;
    std::vector<std::string> rows;
    double depth_m = 0;  // along z, around 0
};
TriangleMesh meshOf(const CellSlab& slab);

enum class BarShape {
    box,
    mesh,   // the same box as a mesh: a convex polytope
    angle,  // an L: a leg at one end, away from the other bar; as the next one not convex
    frame   // a rectangle with a hole
};

// Two bars in free space, without friction, e = 1. The lower one is at rest with an edge uppermost, the upper one falls
// with 1 m/s with an edge lowest. The edges cross.
struct CrossedBars {
    BarShape upper = BarShape::mesh, lower = BarShape::mesh;
    double angle_deg = 90;   // between the edges
    double lower_arm_m = 0;  // from the centre of the lower bar to the crossing, along its edge
    double upper_arm_m = 0;  // the same for the upper bar
    double gap_m = 0.03;     // at the start
    double step_s = 1.0 / 120;
    Mat3 turn = {};         // of everything
    bool mirrored = false;  // in x; results are mirrored back
};
// The spin that a body had in the orientation q, if it has moved freely since.
Vec3 spinAt(const Body& body, Quat q, const BodyState& later);

struct StruckBars {
    VelocityChange upper, lower;
};
StruckBars strikeEdges(const CrossedBars& bars);  // as simulated, in the axes before the turn
StruckBars expectedStrike(CrossedBars bars);      // one impulse at the crossing of the edges

struct ArchShape {
    int stones = 11;
    double radius_m = 1;  // mean
    double thickness_m = 0.22;
    double depth_m = 0.3;
    double friction = 0.7;
};
RigidWorld archOfStones(
    const ArchShape& shape);  // a semicircle on the floor; bodies in order from one springing to the other

struct StandingArch {
    double keystone_sinks_m = 0;  // the keystone, at the end
    double drift_m = 0;           // largest displacement of a centre
    double speed_m_s = 0;         // of the fastest point at the end
};
StandingArch standArch(const ArchShape& shape, double seconds, int iterations = RigidParams{}.iterations);

}  // namespace flotsam
