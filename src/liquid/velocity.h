// Stages that change the velocity, except for the pressure.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// u += dt g on the faces of the liquid.
void addGravity(const Grid& grid, Vec3 gravity_m_s2, double dt_s, const BrickSet& active, MacView u);

// Carries the liquid's velocity to the faces around it, in the air and in solids, outwards along the surface's normal
// (thesis eq. 92), by the plan; inside solids the normal part becomes the solid's. Faces out of reach become zero.
void extendVelocity(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// Makes the first layer of air cells free of divergence. Constant along its normal, the velocity of a surface that is
// stretched diverges there, and the part of those cells that is liquid swells: a spreading puddle four cells thick
// gained 0.26 of its volume per second, and gains 0.1. For what moves the surface.
void continueThroughSurface(const Grid& grid, const Solids& solids, LiquidState& s);

// The order and the weights of that for where the surface is now: once a step, for all of its extensions.
void planExtension(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// u <- u carried along itself for dt_s, on the faces of the liquid.
void advectVelocity(const Grid& grid, const Solids& solids, Advection scheme, double dt_s, LiquidState& s,
                    LiquidScratch& w);

}  // namespace flotsam
