// Connected components of the unknowns without a known value. The pressure there is determined only up to a constant.
#pragma once

#include "grid/poisson.h"

namespace flotsam {

std::vector<SealedPocket> findSealedPockets(const PoissonLevel& level);

}  // namespace flotsam
