// Particles that ride on either side of the surface: those of the liquid are negative, those of the air positive.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

namespace flotsam {

// 16 bytes: four of them are a cache line, and one is a vector register.
struct alignas(16) Particle {
    float x, y, z;  // [cells]
    float radius;   // [cells]; its sign is the particle's. 0: it is gone, and the next move drops it

    bool isThere() const { return radius != 0; }
    bool isAir() const { return radius > 0; }
};

// Sorted by brick, so that a brick's particles read the same few lines of phi and of the velocity.
struct SurfaceParticles {
    std::vector<Particle> list;
    std::vector<uint32_t> start;  // of each brick's particles, and the end; empty: there are none

    uint32_t countIn(int brick) const { return start[size_t(brick) + 1] - start[size_t(brick)]; }
};

struct ParticleScratch {
    // How many of a brick's particles go to each of the 27 bricks around and in it, and how many are gone.
    static constexpr int neighbours = 27, stays = 13, gone = 27;
    using Leaving = std::array<uint32_t, neighbours + 1>;

    std::vector<Particle> list;      // the other side of the sort; a brick's escaped particles during correction
    std::vector<uint32_t> start;     // of the new order
    std::vector<uint8_t> neighbour;  // of each particle that leaves its brick: 0..26 or gone
    std::vector<Leaving> leaving;    // by place in the list of bricks with particles
    std::vector<int> place;          // of a brick in that list, or -1
    std::vector<uint32_t> escaped;   // by brick: how many of `list` from the brick's start on
};

}  // namespace flotsam
