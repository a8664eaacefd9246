// The older treatment of the free surface in the thesis (6.3.1, "noisy"): liquid cells adjacent to air are left out of
// the pressure matrix, and continuity sets the velocity of their faces to the air.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// One bit for each face of a liquid cell (west, east, down, up, back, front) that has air on its other side.
inline unsigned surfaceFaces(const Grid& grid, const Solids& solids, View3<const float> phi, Int3 c)
{
    unsigned faces = 0;
    for (int n = 0; n < 6; ++n) {
        const Int3 e = unit(n / 2), q = n & 1 ? c + e : c - e, face = n & 1 ? c + e : c;
        const bool air = !IndexBox{{0, 0, 0}, grid.cells}.contains(q) || phi(q) >= 0;
        faces |= unsigned(air && solids.openFraction(n / 2, face.x, face.y, face.z) > 0) << n;
    }
    return faces;
}

// Makes each surface cell divergence-free by setting its faces to the air (thesis 3.2.3.4), however many it has.
void enforceContinuity(const Grid& grid, const Solids& solids, LiquidState& s);

// The same for one cell, given the velocities out of its six faces.
void makeContinuous(unsigned surface_faces, float (&velocity)[6]);

// Sets the faces in the air to the mean of velocities at cell centres that were extended from the liquid (thesis 6.3.1:
// interpolated from the level set's own extension).
void interpolateVelocityInAir(const Grid& grid, LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
