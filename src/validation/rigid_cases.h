// Rigid bodies with a known answer: what `validate` gates at full length and the tests at a shorter one.
#pragma once

#include "rigid/world.h"

namespace flotsam {

struct Slide {
    double acceleration_m_s2 = 0;  // along the slope, after the first tenth of a second
    double creep_1_s = 0;          // way in sides a second over the second half
};
// A cube on a slope.
Slide slideDown(double angle_deg, double friction, double seconds);

// The acceleration of a ball that rolls down a slope [m/s2].
double rollDown(double angle_deg, double seconds);

// The speed of a ball that was set on a floor with v0 and w0, when it rolls [m/s].
double slideToRoll(double v0_m_s, double radius_m, double w0_rad_s);

// A ball of 0.1 m after a second with friction of rolling and spinning: it starts rolling along x and spinning about
// the vertical, on a plane that falls towards +x.
BodyState rollOut(double v0_m_s, double spin_rad_s, double rolling_m, double spinning_m, double slope);

struct Bounces {
    std::vector<double> heights_m;   // of the tops after each bounce
    double energy_change = 0;        // relative to the start, at the end
    double largest_energy_gain = 0;  // of any step over the one before, relative
};
Bounces bounceBall(double restitution, double height_m, int bounces, double seconds);

struct Pile {
    double drift = 0;    // the farthest that a body moved sideways or down from its place, in sides
    double overlap = 0;  // the deepest at the end, in sides
    double speed_m_s = 0;
    int lost = 0;  // bodies outside of the room
};
Pile stackBoxes(int count, double seconds);
Pile stackPyramid(double seconds);  // of 9 + 7 + 5 + 3 + 1 boxes
// Boxes fall in layers, each turned a little, into a bin that is `across` of them wide.
Pile fillBin(int boxes, int across, double seconds);
RigidWorld binOfBoxes(int boxes, int across);

// LaneGroup gears, and toys below them, fall into a box of one metre.
RigidWorld heapOfGears(int teeth, int toys);

struct Racket {
    double period_s = 0;
    double momentum_error = 0, energy_error = 0;  // the largest, relative
};
// I = (1, 2, 3), w0 = (.01, 1, .01)
Racket spinRacket(double dt_s);

// A disk on the end of an arm that turns about a fixed point: its precession [rad/s].
double precessGyroscope(double spin_rad_s, double seconds);

// Two gears in each other; one is turned. The angle of the other over the angle of the first.
double turnMeshedGears(double seconds);

// A gear around an upright peg, pulled and shaken sideways: how far its middle got from the peg, in radii of the hole.
double shakeRingOnPeg(double seconds);

struct CaughtGear {
    bool left_the_ears = false;  // its hole is no longer around one of them
    double speed_m_s = 0;        // at the end
};
// A gear whose hole goes over an ear of a sitting toy falls onto it.
CaughtGear dropGearOnEars(double seconds);

struct Conservation {
    double momentum_change = 0, angular_change = 0, energy_change = 0;  // largest, relative
    int collisions = 0;
};
// Balls, boxes and gems in free space that fly into each other, e = 1, no friction.
Conservation collideElastically(double seconds);

}  // namespace flotsam
