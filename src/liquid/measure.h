// What a ledger says of the liquid.
#pragma once

#include <cmath>

#include "liquid/solids.h"
#include "liquid/state.h"
#include "scene/time_step.h"

namespace flotsam {

struct LiquidMeasures {
    double volume_m3 = 0;
    Vec3 momentum_kg_m_s;
    double kinetic_energy_J = 0;
    double potential_energy_J = 0;          // of the liquid in gravity; zero at the tank's lowest corner
    double max_speed_m_s = 0;               // the largest component of a face
    Vec3 max_speed_at_m = {NAN, NAN, NAN};  // that face; the first of several; none where nothing moves
    long long liquid_cells = 0;
};

// The volume where the level set, linear in the six tetrahedra of each cube of cell centres, is negative and no solid
// is: the very volume that the surface extracted with six encloses.
double liquidVolume(const Grid& grid, const Solids& solids, LiquidState& s);
// volume_m3: what liquidVolume() gave for the present surface.
LiquidMeasures measure(const Grid& grid, const Solids& solids, double density_kg_m3, Vec3 gravity_m_s2,
                       double volume_m3, LiquidState& s);
// What leaves through the open sides of the domain in dt_s with the present velocity [m3].
double outflowVolume(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s);
// The largest component of the velocity on the faces of the liquid and around it, or on those of a strip of it.
double maxSpeed(const Grid& grid, const LiquidState& s);
double maxSpeed(const Grid& grid, const LiquidState& s, IndexBox strip);
// Its face: the first with that speed, by axis and then by strip; where a velocity is not finite, the first such face.
struct FastestFace {
    double speed_m_s = 0;
    Vec3 at_m = {NAN, NAN, NAN};  // none where nothing moves
};
FastestFace fastestFace(const Grid& grid, const LiquidState& s);

}  // namespace flotsam
