// Enright's error correction at any point by particles on the wrong side of the surface (Enright et al. 2002, thesis
// 6.2.4), for the vertices that extraction adds between cell centres (thesis 6.4).
#pragma once

#include "liquid/state.h"

namespace flotsam {

class SurfaceCorrection {
public:
    // Nothing to correct.
    SurfaceCorrection() = default;
    SurfaceCorrection(const Grid& grid, const std::vector<Particle>& escaped);

    bool empty() const { return particles.empty(); }
    // phi [m] corrected at a point between nodes; at_cubes counts from the centre of the first cell. A particle
    // corrects the points of the closed cube that contains it, so the cubes that share a point get the same value.
    float corrected(Float3 at_cubes, Float3 at_cells, float phi) const;
    // Whether a particle lies in one of the bins of the closed neighbourhood of a cube, so that its points may be
    // corrected.
    bool mayCorrect(Int3 cube) const;
    // Bricks with a cube that may be corrected.
    const BrickList& bricks() const { return reached; }

private:
    struct Range {
        int begin = 0, end = 0;
    };
    Range particlesIn(Int3 cell) const;

    Bricks cells_in_bricks;
    float h = 0;
    std::vector<Particle> particles;  // by bin
    std::vector<int> block_of_brick;  // or -1: no particles in the brick
    std::vector<int> bin_start;       // blocks of one entry more than the cells of a brick
    BrickList reached;
};

}  // namespace flotsam
