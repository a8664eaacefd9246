// The ledger line of a step, with the keys of docs/methods/output.md.
#pragma once

#include <string>

#include "core/profile.h"
#include "coupling/simulation.h"
#include "run/energy_bound.h"

namespace flotsam {

// failure: why the step ends the run; empty if it does not.
std::string ledgerLine(const StepReport& report, const Simulation& sim, const EnergyBound& energy, int frame,
                       const std::string& failure, const Profile& profile, double wall_s);

}  // namespace flotsam
