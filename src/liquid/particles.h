// The particle level set (Enright, Fedkiw, Ferziger, Mitchell 2002; thesis 6.2.4): particles carry what the grid
// cannot hold, and give it back to phi where they find themselves on its wrong side.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Cells whose centre is nearer to the surface than this hold particles [cells].
inline constexpr float particle_band = 1.5f;
inline constexpr float least_radius = 0.1f, largest_radius = 0.5f;  // [cells]

// The bricks that hold particles.
BrickList bricksOf(const SurfaceParticles& particles);

// Along w.center_velocity for dt_s with the classical Runge-Kutta method, then into the order of bricks again. Those
// that end in a solid or leave through an open side are gone.
void moveParticles(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s, LiquidScratch& w);

// Which particles are gone rather than correct phi.
struct CorrectionLimits {
    float far = 1e30f;  // farther from the surface than this [cells]
    // Air in the liquid by more than twice the least radius: it marks nothing where the air has no pressure, and where
    // two fronts meet it is carried deep into what they become. Two drops of 6 to 12 cells that collide lost 8 to 22 %
    // while such air still corrected what the motion had made, and lose or gain at most 5 % without it.
    bool drops_escaped_air = false;
    // Next to a wall or one of these solids any: a gap that liquid closes is gone, but the air in it has no way out.
    const Solids* solids = nullptr;
};

// Error correction: phi at the cell centres around a particle on the wrong side becomes the distance to its sphere,
// where that is nearer to the surface.
void correctPhi(const Grid& grid, CorrectionLimits limits, LiquidState& s, LiquidScratch& w);

// Each radius becomes the particle's distance to the surface, within its limits.
void adjustRadii(const Grid& grid, LiquidState& s);

// Brings the cells beside the surface to `per_cell` particles each, and takes away what is neither beside it nor
// escaped. Random places are keyed by (seed, step, cell, particle).
void reseedParticles(const Grid& grid, const Solids& solids, int per_cell, int seed, LiquidState& s, LiquidScratch& w);

// Air inside of what a source fills is no longer there.
void dropAirIn(const Grid& grid, const Shape& shape, LiquidState& s);

// Particles on the wrong side by more than their radius: what the grid cannot hold. Those of the liquid are drops.
std::vector<Particle> escapedParticles(const Grid& grid, LiquidState& s);

long long countParticles(const SurfaceParticles& particles);

// The places of the bricks in a list that is sorted by brick; for a list read from a checkpoint.
void indexByBrick(const Grid& grid, SurfaceParticles& particles);

}  // namespace flotsam
