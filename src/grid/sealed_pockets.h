// Connected components of the unknowns that touch no known value. There the pressure is known only up to a constant.
#pragma once

#include "grid/poisson.h"

namespace flotsam {

std::vector<SealedPocket> findSealedPockets(const PoissonLevel& level);

}  // namespace flotsam
