// The level set: moved with the liquid, kept a signed distance within its band (thesis 6.2).
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// phi = distance to the union of the regions; u = the regions' velocities. Chooses the active bricks.
void fillRegions(const Grid& grid, const Solids& solids, const std::vector<RegionSpec>& regions, LiquidState& s,
                 LiquidScratch& w);

// phi = min(phi, distance to the shape), and the shape's velocity inside it.
void addShape(const Grid& grid, const Shape& shape, Vec3 velocity_m_s, LiquidState& s, LiquidScratch& w);

struct Source {
    SourceSpec spec;
    std::shared_ptr<const Shape> shape;
};

// What the nozzle of an open source holds at t_s is liquid.
class Inflow;
void fillNozzle(const Grid& grid, const Inflow& inflow, double t_s, LiquidState& s, LiquidScratch& w);

// Particles start on both sides of the surface, where the parameters want them.
void startParticles(const Grid& grid, const Solids& solids, const SurfaceParams& prm, LiquidState& s, LiquidScratch& w);

// What is where the liquid is not. `empty`: nothing, at no pressure; liquid fills what it closes in on, and air that
// escaped into the liquid is gone. Kept, such a particle opens a cell of no pressure that liquid flows into and
// vanishes in: with neither, a dam break of 48 cells across lost 30 % of its volume in 2 s. `moved`: as much as the
// liquid is; a prescribed velocity moves both.
enum class Air { empty, moved };

// Moves phi and the particles with u for dt_s, continues phi into the solids and makes it a distance again; the
// particles correct it after either.
void moveSurface(const Grid& grid, const Solids& solids, const SurfaceParams& prm, Air air, double gravity_m_s2,
                 double dt_s, LiquidState& s, LiquidScratch& w);

// Makes `list` the active bricks. Those that leave get phi = band and u = 0; those that come near start with phi =
// band.
void replaceActive(const Grid& grid, const BrickList& list, LiquidState& s, LiquidScratch& w);

// Makes phi a signed distance within the band, leaving its zero where it is, and rebuilds the active set. seeds: bricks
// outside of which phi has no zero and no liquid. Cells inside solids keep their phi, and no distance passes through
// them or through what is thinner than the grid resolves.
void redistance(const Grid& grid, const Solids& solids, const BrickSet& seeds, Reinitialisation how, LiquidState& s,
                LiquidScratch& w);
inline void redistance(const Grid& grid, const BrickSet& seeds, LiquidState& s, LiquidScratch& w,
                       Reinitialisation how = Reinitialisation::fast)
{
    redistance(grid, Solids(grid, std::vector<SolidSpec>{}), seeds, how, s, w);
}

}  // namespace flotsam
