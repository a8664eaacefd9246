// Stages of the velocity update other than the pressure.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// u += dt g on the faces of the liquid.
void addGravity(const Grid& grid, Vec3 gravity_m_s2, double dt_s, const BrickSet& active, MacView u);

// Velocity extension from the liquid to the faces around it, in the air and in solids, along the surface normal (thesis
// eq. 92), following the plan. Inside solids the normal component becomes that of the solid. Faces out of reach become
// zero.
void extendVelocity(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

// Computes the order and the weights of the extension for the current surface: once per step, for all extensions.
void planExtension(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w);

struct FaceValue {
    int axis;
    Int3 face;
    float value;  // [m/s]
};
using FaceValues = std::vector<std::vector<FaceValue>>;  // by strip

// Makes the first layer of air cells divergence-free, only for moving the surface. The velocity of a stretched surface,
// extended as a constant along its normal, diverges there, and the liquid fraction of those cells grows. Returns the
// previous values. They must be restored once the surface has moved: otherwise a cell that became liquid would start
// with more momentum than the liquid has. A film half a cell thick, whose cells alternate between air and liquid, then
// accelerated without bound (scenes/pour.toml reached 590 m/s).
FaceValues continueThroughSurface(const Grid& grid, const Solids& solids, LiquidState& s);
void restoreVelocity(const Grid& grid, const FaceValues& before, LiquidState& s);

// Advects u with itself for dt_s, on the faces of the liquid.
void advectVelocity(const Grid& grid, const Solids& solids, Advection scheme, double dt_s, LiquidState& s,
                    LiquidScratch& w);

}  // namespace flotsam
