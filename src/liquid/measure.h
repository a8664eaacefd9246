// Measurements of the liquid for the ledger.
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
    double potential_energy_J = 0;          // in gravity; zero at the lowest corner of the tank
    double max_speed_m_s = 0;               // the largest velocity component on any face
    Vec3 max_speed_at_m = {NAN, NAN, NAN};  // of that face, the first of several; NaN where nothing moves
    long long liquid_cells = 0;
};

// The volume where the level set, linear in the six tetrahedra of each cube of cell centres, is negative and outside
// solids: exactly the volume enclosed by the surface extracted with six tetrahedra, except at the contact line of
// bodies that are walls.
double liquidVolume(const Grid& grid, const Solids& solids, LiquidState& s);
// volume_m3: the result of liquidVolume() for the current surface.
LiquidMeasures measure(const Grid& grid, const Solids& solids, double density_kg_m3, Vec3 gravity_m_s2,
                       double volume_m3, LiquidState& s);
// The volume that leaves through the open boundaries of the domain in dt_s with the current velocity [m3].
double outflowVolume(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s);
// The largest velocity component on the faces in and around the liquid, or in one strip of it.
double maxSpeed(const Grid& grid, const LiquidState& s);
double maxSpeed(const Grid& grid, const LiquidState& s, IndexBox strip);
// The face with that speed: the first by axis and then by strip. If a velocity is not finite, the first such face.
struct FastestFace {
    double speed_m_s = 0;
    Vec3 at_m = {NAN, NAN, NAN};  // NaN where nothing moves
};
FastestFace fastestFace(const Grid& grid, const LiquidState& s);

}  // namespace flotsam
