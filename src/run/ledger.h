// The ledger's line of a step, as INTERFACE names its keys.
#pragma once

#include <string>

#include "core/profile.h"
#include "liquid/step.h"
#include "rigid/world.h"
#include "run/energy_bound.h"

namespace flotsam {

std::string ledgerLine(const StepReport& report, const LiquidState& state, const EnergyBound& energy,
                       const RigidReport& contacts, const RigidWorld& world, bool heat_on, int frame,
                       const Profile& profile, double wall_s);

}  // namespace flotsam
