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

// The order and the weights of that for where the surface is now: once a step, for all of its extensions.
void planExtension(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

struct FaceValue {
    int axis;
    Int3 face;
    float value;  // [m/s]
};
using FaceValues = std::vector<std::vector<FaceValue>>;  // by strip

// Makes the first layer of air cells free of divergence, for what moves the surface alone: constant along its normal,
// the velocity of a surface that is stretched diverges there, and the liquid fraction of those cells swells. Returns
// the values before. They must be restored once the surface has moved: a cell that became liquid would else start with
// the momentum of a faster liquid than there is, and a film half a cell thick, whose cells turn from air to liquid and
// back, ran away (scenes/pour.toml reached 590 m/s).
FaceValues continueThroughSurface(const Grid& grid, const Solids& solids, LiquidState& s);
void restoreVelocity(const Grid& grid, const FaceValues& before, LiquidState& s);

// u <- u carried along itself for dt_s, on the faces of the liquid.
void advectVelocity(const Grid& grid, const Solids& solids, Advection scheme, double dt_s, LiquidState& s,
                    LiquidScratch& w);

}  // namespace flotsam
