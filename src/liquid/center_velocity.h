// The velocity that advects the surface and its particles: at cell centres, the mean of the cell's faces (thesis eq. 6
// and 6.3).
#pragma once

#include "liquid/state.h"

namespace flotsam {

// For the cells of `set`.
void fillCenterVelocity(const BrickSet& set, const ConstMacView& u, View3<Float4> out);

}  // namespace flotsam
