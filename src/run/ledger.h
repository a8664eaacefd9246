// The ledger line of a step, with the keys of docs/methods/output.md.
#pragma once

#include <string>

#include "core/profile.h"
#include "run/energy_bound.h"
#include "run/model.h"

namespace flotsam {

// failure: why the step ends the run; empty if it does not.
std::string ledgerLine(const ModelStep& step, const Model& model, const EnergyBound& energy, int frame,
                       const std::string& failure, const Profile& profile, double wall_s);

}  // namespace flotsam
