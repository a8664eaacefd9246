// Rigid bodies with a known solution: `validate` runs them at full length, the tests shorter.
#pragma once

#include "rigid/world.h"

namespace flotsam {

struct Slide {
    double acceleration_m_s2 = 0;  // along the slope, after the first tenth of a second
    double creep_1_s = 0;          // displacement in sides per second over the second half
};
// A cube on a slope.
Slide slideDown(double angle_deg, double friction, double seconds);

// The acceleration of a ball that rolls down a slope [m/s2].
double rollDown(double angle_deg, double seconds);

// The speed of a ball set on a floor with v0 and w0, once it rolls without slipping [m/s].
double slideToRoll(double v0_m_s, double radius_m, double w0_rad_s);

// State after one second of a ball of 0.1 m with rolling and spinning friction: it starts rolling along x and spinning
// about the vertical, on a plane that slopes down towards +x.
BodyState rollOut(double v0_m_s, double spin_rad_s, double rolling_m, double spinning_m, double slope);

struct Bounces {
    std::vector<double> heights_m;   // of the apex after each bounce
    double energy_change = 0;        // relative to the initial value, at the end
    double largest_energy_gain = 0;  // largest relative gain of any step
};
Bounces bounceBall(double restitution, double height_m, int bounces, double seconds);

struct Pile {
    double drift = 0;    // largest displacement of a body sideways or down, in sides
    double overlap = 0;  // deepest at the end, in sides
    double speed_m_s = 0;
    int lost = 0;  // bodies outside the room
};
Pile stackBoxes(int count, double seconds);
Pile stackPyramid(double seconds);  // of 9 + 7 + 5 + 3 + 1 boxes
// Boxes fall in layers, each slightly rotated, into a bin that is `across` of them wide.
Pile fillBin(int boxes, int across, double seconds);
RigidWorld binOfBoxes(int boxes, int across);

// Eight gears, and toys below them, fall into a box of one metre.
RigidWorld heapOfGears(int teeth, int toys);

struct Racket {
    double period_s = 0;
    double momentum_error = 0, energy_error = 0;  // the largest, relative
};
// I = (1, 2, 3), w0 = (.01, 1, .01)
Racket spinRacket(double dt_s);

// A disk on the end of an arm that rotates about a fixed point: its precession [rad/s].
double precessGyroscope(double spin_rad_s, double seconds);

// Two meshed gears, one of them driven: the angle of the driven gear over that of the driver.
double turnMeshedGears(double seconds);

// A gear around an upright peg, pulled and shaken sideways: largest distance of its centre from the peg, in hole radii.
double shakeRingOnPeg(double seconds);

struct CaughtGear {
    bool left_the_ears = false;  // its hole no longer surrounds one of them
    double speed_m_s = 0;        // at the end
};
// A gear whose hole fits over an ear of a sitting toy falls onto it.
CaughtGear dropGearOnEars(double seconds);

struct Conservation {
    double momentum_change = 0, angular_change = 0, energy_change = 0;  // largest, relative
    int collisions = 0;
};
// Balls, boxes and gems in free space that collide, e = 1, no friction.
Conservation collideElastically(double seconds);

}  // namespace flotsam
