// Integrals over the liquid outside bodies and solids, to second order within cells: the energies of a nearly calm tank
// differ by less than a millionth, which the sums of the ledger, taken at cell centres, do not resolve.
#pragma once

#include <functional>

#include "validation/coupled_cases.h"

namespace flotsam {

// The integral of weight(x) over the liquid [m3 times the unit of the weight]: tetrahedra of half cells (in 2-D
// quarters), in which phi is linear, cut by the planes of the bodies. The weight is taken at centroids.
double integrateLiquid(const Simulation& run, const std::function<double(Vec3)>& weight);

// Of liquid and bodies [J], relative to level_m: an error of volume at that level does not change it.
double potentialEnergy(const Simulation& run, double level_m);

}  // namespace flotsam
