// The mechanisms timed by `bench rigid`, here and in the programs of rivals.
#pragma once

#include "rigid/joint_measure.h"

namespace flotsam {

struct JoinedWorld {
    const char* name;
    RigidWorld (*make)();
    bool compared;  // with other engines: joints without limits and motors
};
extern const JoinedWorld joined_worlds[6];

inline constexpr double joined_dt_s = 1.0 / 120;
inline constexpr int joined_steps = 240;

}  // namespace flotsam
