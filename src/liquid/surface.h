// The level set: advected with the liquid, kept a signed distance within its band (thesis 6.2).
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// phi = distance to the union of the regions; u = the velocities of the regions. Builds the set of active bricks.
void fillRegions(const Grid& grid, const Solids& solids, const std::vector<RegionSpec>& regions, LiquidState& s,
                 LiquidScratch& w);

// phi = min(phi, distance to the shape), and the shape's velocity inside it.
void addShape(const Grid& grid, const Shape& shape, Vec3 velocity_m_s, LiquidState& s, LiquidScratch& w);

struct Source {
    SourceSpec spec;
    std::shared_ptr<const Shape> shape;
};

// Makes the contents of the nozzle of an open source at t_s liquid.
class Inflow;
void fillNozzle(const Grid& grid, const Inflow& inflow, double t_s, LiquidState& s, LiquidScratch& w);

// Seeds particles on both sides of the surface, if the parameters enable them.
void startParticles(const Grid& grid, const Solids& solids, const SurfaceParams& prm, LiquidState& s, LiquidScratch& w);

// The medium outside the liquid. `empty`: nothing, at zero pressure. Liquid fills the pockets it encloses, and escaped
// air particles are deleted. If such a particle were kept, it would open a cell of zero pressure into which liquid
// flows and vanishes: a dam break 48 cells across lost 30 % of its volume in 2 s. `moved`: a medium like the liquid; a
// prescribed velocity moves both.
enum class Air { empty, moved };

// Moves phi and the particles with u for dt_s, extrapolates phi into the solids and reinitialises it. The particles
// correct phi after the advection and after the reinitialisation.
void moveSurface(const Grid& grid, const Solids& solids, const SurfaceParams& prm, Air air, double gravity_m_s2,
                 double dt_s, LiquidState& s, LiquidScratch& w);

// Makes `list` the active bricks. Bricks that leave get phi = band and u = 0; new ones start with phi = band.
void replaceActive(const Grid& grid, const BrickList& list, LiquidState& s, LiquidScratch& w);

// Makes phi a signed distance within the band without moving its zero, and rebuilds the active set. seeds: bricks
// outside which phi has no zero and no liquid. Cells inside solids keep their phi. No distance passes through them or
// through solids too thin for the grid to resolve.
void redistance(const Grid& grid, const Solids& solids, const BrickSet& seeds, Reinitialisation how, LiquidState& s,
                LiquidScratch& w);
inline void redistance(const Grid& grid, const BrickSet& seeds, LiquidState& s, LiquidScratch& w,
                       Reinitialisation how = Reinitialisation::fast)
{
    redistance(grid, Solids(grid, std::vector<SolidSpec>{}), seeds, how, s, w);
}

}  // namespace flotsam
