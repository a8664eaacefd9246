// Lasting contact with a known solution: bodies at rest on turntables, rolling and sliding in bowls. `validate` runs
// them at full length, the tests shorter.
#pragma once

#include "rigid/world.h"

namespace flotsam {

// A solid around a cavity of this radius, whose centre is the origin: an exact concave shape.
Body cavityBody(double radius_m);
// A bowl as a mesh: solid of revolution about y with a cavity around the origin, open at the top.
TriangleMesh bowlMesh(double radius_m);

struct Turntable {
    double drift_m = 0;    // largest displacement of the box relative to the table
    double overlap_m = 0;  // deepest at the end
};
// A box on a disk that spins about its axis: of_friction = (centripetal acceleration) / (friction g).
Turntable rideTurntable(double of_friction, double seconds, double dt_s);

struct BowlSwing {
    double left = 0;           // last amplitude over the first
    double period_s = 0;       // mean
    double last_rad = 0;       // angle at the end
    double energy_change = 0;  // over the initial energy, at the end
    double overlap_m = 0;      // deepest
};
struct BowlSetup {
    double radius_m = 0.5, ball_m = 0.05, start_rad = 0.4;
    double friction = 1;
    double turn_rad = 0;  // of the plane of the swing about the vertical
    bool mesh = false;
};
// A ball released at rest in a bowl.
BowlSwing swingInBowl(const BowlSetup& setup, double seconds, double dt_s);
// The same from theory: of a ball that rolls, or slides without friction.
double bowlPeriod(const BowlSetup& setup);
double bowlAngle(const BowlSetup& setup, double t_s);

}  // namespace flotsam
