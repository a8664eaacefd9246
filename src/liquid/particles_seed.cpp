#include "core/random.h"
#include "liquid/particles.h"

namespace flotsam {

namespace {

constexpr int brick_cells = Bricks::side.x * Bricks::side.y * Bricks::side.z;

struct Seeding {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    int per_cell;
    uint64_t seed, step;

    float distanceAt(const Particle& p) const  // [cells]
    {
        return trilinear(phi, centerIndex({p.x, p.y, p.z})) / float(grid.h);
    }
    bool holdsParticles(int i, int j, int k) const
    {
        return std::abs(phi(i, j, k)) < particle_band * float(grid.h) && !solids.isNearThin({i, j, k});
    }
    // Whether a particle is kept: near the surface, or escaped.
    bool isOfUse(const Particle& p) const
    {
        constexpr float kept = particle_band + 1;  // a particle at the far corner of a cell with particles
        if (!p.isThere()) return false;
        const float d = p.isAir() ? distanceAt(p) : -distanceAt(p);
        return d < kept;
    }
    bool hasEscaped(const Particle& p) const
    {
        return p.isAir() ? distanceAt(p) < -p.radius : distanceAt(p) > -p.radius;
    }
    // The n-th new particle of a cell: its sign follows from the side it is on.
    Particle place(Int3 c, int n) const
    {
        const uint64_t cell =
            uint64_t(c.x) + uint64_t(grid.cells.x) * (uint64_t(c.y) + uint64_t(grid.cells.y) * uint64_t(c.z));
        const uint64_t bits = randomBits(seed, step, cell * 1024 + uint64_t(n));
        const auto part = [&](int shift) { return float(bits >> shift & 0xfffff) * 0x1p-20f; };  // in [0, 1)
        // Within the cell even after rounding.
        const auto along = [](int lowest, float t) { return float(lowest) + 0.001f + 0.998f * t; };
        const bool flat = grid.cells.z == 1;  // particles of a slab lie in the plane of its cell centres
        Particle p{along(c.x, part(0)), along(c.y, part(20)), flat ? 0.5f : along(c.z, part(40)), 0};
        if (solids.isInside({p.x, p.y, p.z})) return p;
        const float d = distanceAt(p);
        p.radius = std::copysign(std::clamp(std::abs(d), least_radius, largest_radius), d);
        return p;
    }
};

// The particles of a brick after reseeding, passed one by one to take(particle).
template <class Take>
void forReseeded(const Seeding& seeding, int brick, const SurfaceParticles& old, const Take& take)
{
    const IndexBox box = seeding.grid.bricks.box(brick);
    const auto at = [&](int i, int j, int k) {
        return (i - box.lo.x) + Bricks::side.x * ((j - box.lo.y) + Bricks::side.y * (k - box.lo.z));
    };
    uint16_t count[brick_cells] = {};
    if (!old.start.empty())
        for (uint32_t n = old.start[size_t(brick)]; n < old.start[size_t(brick) + 1]; ++n) {
            const Particle& p = old.list[n];
            uint16_t& here = count[at(int(p.x), int(p.y), int(p.z))];
            // A cell with too many particles keeps the first ones: their order is random in space.
            if (!seeding.isOfUse(p) || (here >= seeding.per_cell && !seeding.hasEscaped(p))) continue;
            ++here;
            take(p);
        }
    forEachCell(box, [&](int i, int j, int k) {
        if (!seeding.holdsParticles(i, j, k)) return;
        for (int n = 0; n < seeding.per_cell - count[at(i, j, k)]; ++n) take(seeding.place({i, j, k}, n));
    });
}

}  // namespace

void reseedParticles(const Grid& grid, const Solids& solids, int per_cell, int seed, LiquidState& s, LiquidScratch& w)
{
    const Seeding seeding{grid, solids, s.phi.view(), per_cell, uint64_t(seed), uint64_t(s.step)};
    const BrickList& bricks = s.active.list;  // particles elsewhere are far from the surface
    std::vector<uint32_t>& start = w.particles.start;
    start.assign(size_t(grid.bricks.total()) + 1, 0);
    parallelTasks("particles.seed", int(bricks.size()), [&](int n) {
        uint32_t count = 0;
        forReseeded(seeding, bricks[size_t(n)], s.particles, [&](const Particle&) { ++count; });
        start[size_t(bricks[size_t(n)]) + 1] = count;
    });
    for (size_t b = 1; b < start.size(); ++b) start[b] += start[b - 1];
    w.particles.list.resize(start.back());
    parallelTasks("particles.seed", int(bricks.size()), [&](int n) {
        Particle* to = w.particles.list.data() + start[size_t(bricks[size_t(n)])];
        forReseeded(seeding, bricks[size_t(n)], s.particles, [&](const Particle& p) { *to++ = p; });
    });
    s.particles.list.swap(w.particles.list);
    s.particles.start.swap(start);
}

}  // namespace flotsam
