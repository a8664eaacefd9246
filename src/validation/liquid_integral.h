// Integrals over the liquid outside bodies and solids, to second order within cells: the energies of a nearly calm tank
// differ by less than a millionth, which the sums of the ledger, taken at cell centres, do not resolve.
#pragma once

#include <functional>

#include "validation/coupled_cases.h"

namespace flotsam {

// The integral of weight(x) over the liquid [m3 times the unit of the weight]. Each cell is cut into sub-columns along
// y, in which the larger of phi and minus the distance to the bodies is linear between nodes.
double integrateLiquid(const Coupled& run, const std::function<double(Vec3)>& weight);

// Kinetic and potential energy of liquid and bodies [J], the potential energy relative to level_m: an error of volume
// at that level does not change it.
double totalEnergy(const Coupled& run, double liquid_kinetic_J, double level_m);

}  // namespace flotsam
