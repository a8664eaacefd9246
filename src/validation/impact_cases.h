// Collisions of several bodies at the same time, with a known solution: `validate` and the tests run them.
#pragma once

#include <array>

#include "rigid/world.h"

namespace flotsam {

// A ball of speed 1 m/s strikes two touching balls at the same time, e = 1, no friction. All balls are equal.
struct ThreeBalls {
    std::array<int, 3> order{0, 1, 2};  // in which the cue ball (0) and the other two are added to the world
    Mat3 turn;                          // a rotation, or a rotation and a reflection
    double flight_m = 0;                // of the cue ball before it touches them
    double friction = 0, dt_s = 1.0 / 120;
};
struct ThreeBallsResult {
    Vec3 cue_m_s, left_m_s, right_m_s;  // with `turn` undone: the cue ball came along +x, the others lie at +y and -y
    double momentum_error = 0, energy_error = 0;  // relative
    // The largest difference between the motion and its mirror image [m/s].
    double asymmetry() const;
};
ThreeBallsResult strikeTwoBalls(const ThreeBalls& setup);

}  // namespace flotsam
