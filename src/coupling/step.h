// The order of the stages of a step: without bodies, and with each coupling method.
#pragma once

#include "coupling/monolithic.h"
#include "coupling/rigid_fluid.h"
#include "liquid/liquid.h"

namespace flotsam {

LiquidReport stepLiquid(double dt_s, Liquid& liquid);
LiquidReport stepMonolithic(double dt_s, Liquid& liquid, Monolithic& bodies);
LiquidReport stepRigidFluid(double dt_s, Liquid& liquid, RigidFluid& bodies);

}  // namespace flotsam
