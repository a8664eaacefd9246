// Detects an invalid state after a step, which ends the run.
#pragma once

#include <string>

#include "coupling/simulation.h"
#include "rigid/world.h"

namespace flotsam {

struct Failure {
    std::string what;  // without quotes: written as a value of the ledger
    std::string remedy;

    explicit operator bool() const { return !what.empty(); }
};

// A NaN or infinite value, a runaway speed, or a body that has left through a closed boundary. Empty if the state is
// valid.
Failure failureOf(const Scene& scene, const StepReport& report, const RigidWorld& world);

}  // namespace flotsam
