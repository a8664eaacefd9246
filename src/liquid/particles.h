// The particle level set (Enright, Fedkiw, Ferziger, Mitchell 2002; thesis 6.2.4): particles track features that the
// grid cannot resolve, and correct phi where they are on the wrong side of the surface.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Cells whose centre is nearer to the surface than this contain particles [cells].
inline constexpr float particle_band = 1.5f;
inline constexpr float least_radius = 0.1f, largest_radius = 0.5f;  // [cells]

// The bricks that contain particles.
BrickList bricksOf(const SurfaceParticles& particles);

// Moves the particles along w.center_velocity for dt_s with a third-order Runge-Kutta method and sorts them by brick
// again. Particles that end in a solid or leave through an open boundary are deleted.
void moveParticles(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s, LiquidScratch& w);

// Which particles are deleted instead of correcting phi.
struct CorrectionLimits {
    float far = 1e30f;  // farther from the surface than this [cells]
    // Air particles in the liquid by more than twice the least radius. They mark nothing where the air has no pressure,
    // and where two fronts meet they are moved deep into the merged liquid. If such particles corrected phi, two
    // colliding drops of 6 to 12 cells lost 8 to 22 % of their volume; without them the volume changes by at most 5 %.
    // Any particle in a film on a floor (wall_film.h).
    bool air_is_empty = false;
    // Next to a wall or one of these solids, any escaped air particle: a gap that liquid closes no longer exists, but
    // the air particles in it cannot leave.
    const Solids* solids = nullptr;
};

// Error correction: phi at the cell centres around a particle on the wrong side becomes the distance to its sphere,
// where that is nearer to the surface.
void correctPhi(const Grid& grid, CorrectionLimits limits, LiquidState& s, LiquidScratch& w);

// Each radius becomes the particle's distance to the surface, within its limits.
void adjustRadii(const Grid& grid, LiquidState& s);

// Fills the cells near the surface up to `per_cell` particles each, and deletes particles that are neither near it nor
// escaped. Random positions are keyed by (seed, step, cell, particle).
void reseedParticles(const Grid& grid, const Solids& solids, int per_cell, int seed, LiquidState& s, LiquidScratch& w);

// Deletes the air particles inside a shape that a source fills.
void dropAirIn(const Grid& grid, const Shape& shape, LiquidState& s);

// Particles on the wrong side by more than their radius: features below the grid resolution. Those of the liquid are
// drops.
std::vector<Particle> escapedParticles(const Grid& grid, LiquidState& s);

long long countParticles(const SurfaceParticles& particles);

// Finds the start of each brick in a list that is sorted by brick; for a list read from a checkpoint.
void indexByBrick(const Grid& grid, SurfaceParticles& particles);

}  // namespace flotsam
