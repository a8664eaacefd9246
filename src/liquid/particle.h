// Particles on either side of the surface: those in the liquid are negative, those in the air positive.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace flotsam {

// 16 bytes: four of them fill a cache line, and one fills a vector register.
struct alignas(16) Particle {
    float x, y, z;  // [cells]
    float radius;   // [cells]; signed like the particle. 0: deleted, and removed by the next move

    bool isThere() const { return radius != 0; }
    bool isAir() const { return radius > 0; }
};

// Sorted by brick, so that the particles of a brick read the same few cache lines of phi and of the velocity.
struct SurfaceParticles {
    std::vector<Particle> list;
    std::vector<uint32_t> start;  // of the particles of each brick, and the end; empty: there are none

    uint32_t countIn(int brick) const { return start[size_t(brick) + 1] - start[size_t(brick)]; }
};

struct ParticleScratch {
    // How many particles of a brick move to each of the 27 bricks around and including it, and how many are deleted.
    static constexpr int neighbours = 27, stays = 13, gone = 27;
    using Leaving = std::array<uint32_t, neighbours + 1>;

    std::vector<Particle> list;      // the target of the sort; during correction, the escaped particles of a brick
    std::vector<uint32_t> start;     // of the new order
    std::vector<uint8_t> neighbour;  // of each particle that leaves its brick: 0..26, or gone (deleted)
    std::vector<Leaving> leaving;    // by position in the list of bricks with particles
    std::vector<int> place;          // of a brick in that list, or -1
    std::vector<uint32_t> escaped;   // by brick: how many entries of `list` from the start of the brick
};

}  // namespace flotsam
