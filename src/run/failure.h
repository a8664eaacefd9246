// When the state after a step is no good, and the run ends.
#pragma once

#include <string>

#include "liquid/step.h"
#include "rigid/world.h"

namespace flotsam {

struct Failure {
    std::string what;  // without quotes: it is a value of the ledger
    std::string remedy;

    explicit operator bool() const { return !what.empty(); }
};

// A value that is not a number, a runaway speed, or a body that has left through a closed boundary. Nothing: the state
// is good.
Failure failureOf(const Scene& scene, const StepReport& report, const RigidWorld& world);

}  // namespace flotsam
