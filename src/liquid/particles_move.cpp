#include <cstring>

#include "liquid/particles.h"
#include "liquid/sample.h"

namespace flotsam {

namespace {

using Leaving = ParticleScratch::Leaving;
constexpr int neighbours = ParticleScratch::neighbours, stays = ParticleScratch::stays, gone = ParticleScratch::gone;

Float4 lanesOf(const Particle& p) { return load4(&p.x); }

// Trajectories of several particles at once: each is a chain of three dependent samples, and the processor can overlap
// independent chains.
struct Paths {
    static constexpr int together = 8;

    View3<const Float4> velocity;
    float dt;  // [cells per m/s]
    DomainClamp inside;

    // Third order in time (Ralston 1962). A fourth order gains nothing (docs/methods/surface.md, section 3). The
    // radius, the fourth lane, is unchanged since the fourth lane of the velocity is zero.
    void follow(const Particle* from, Float4* to) const
    {
        Float4 start[together], k[together], sum[together];
        for (int n = 0; n < together; ++n) sum[n] = 2.0f * (k[n] = sampleAt(velocity, start[n] = lanesOf(from[n])));
        for (int n = 0; n < together; ++n)
            sum[n] += 3.0f * (k[n] = sampleAt(velocity, inside(start[n] + (0.5f * dt) * k[n])));
        for (int n = 0; n < together; ++n) sum[n] += 4.0f * sampleAt(velocity, inside(start[n] + (0.75f * dt) * k[n]));
        for (int n = 0; n < together; ++n) to[n] = start[n] + (dt / 9) * sum[n];
    }
};

// Which of the 27 bricks around `brick` contains a position; particles that left all of them, or the domain, are
// deleted.
struct TargetBrick {
    Int3 brick;
    Float4 lo, hi;  // of positions neither past an open boundary nor outside the 27 bricks

    TargetBrick(const Grid& grid, int brick_) : brick(grid.bricks.at(brick_))
    {
        constexpr float never = 1e30f;
        for (int a = 0; a < 3; ++a) {
            lo[a] = grid.open[a][0] ? 0 : -never;
            hi[a] = grid.open[a][1] ? float(grid.cells[a]) : never;
        }
        lo[3] = -1;
        hi[3] = 1;
    }
    int of(Float4 free, Float4 kept) const
    {
        const Int4 out = (free < lo) | (free > hi), c = __builtin_convertvector(kept, Int4);
        const unsigned x = unsigned(c[0]) / Bricks::side.x - unsigned(brick.x) + 1,
                       y = unsigned(c[1]) / Bricks::side.y - unsigned(brick.y) + 1,
                       z = unsigned(c[2]) / Bricks::side.z - unsigned(brick.z) + 1;
        const bool near = (x < 3) & (y < 3) & (z < 3) & ((out[0] | out[1] | out[2]) == 0) & (kept[3] != 0);
        return near ? int(x + 3 * (y + 3 * z)) : gone;
    }
};

// Tests the end of a step and its midpoint: a step may be longer than a solid is thick.
bool entersSolid(const Solids& solids, const Particle& from, Float4 to)
{
    const Float4 half = 0.5f * (lanesOf(from) + to);
    return solids.isInside({half[0], half[1], half[2]}) || solids.isInside({to[0], to[1], to[2]});
}

// Near thin solids no particle is kept, since it may be on another side of the solid than the centre of its cell.
bool isNearThin(const Solids& solids, Float4 p)
{
    return solids.hasThin() && solids.isNearThin({int(p[0]), int(p[1]), int(p[2])});
}

// Moves the particles of a brick. Those that stay in it, nearly all, come first, then the others ordered by target
// brick. Reads and writes only the brick's own range of the lists.
void moveBrick(const Paths& paths, const TargetBrick& target_brick, const DomainClamp& walls, const Solids* solids,
               uint32_t first, uint32_t end, Particle* list, Particle* left, uint8_t* neighbour, Leaving& leaving)
{
    leaving = {};
    uint32_t staying = first, left_end = first;
    for (uint32_t n = first; n < end; n += Paths::together) {
        const uint32_t count = std::min(uint32_t(Paths::together), end - n);
        Particle from[Paths::together];
        for (uint32_t m = 0; m < Paths::together; ++m) from[m] = list[n + std::min(m, count - 1)];
        Float4 to[Paths::together];
        paths.follow(from, to);
        for (uint32_t m = 0; m < count; ++m) {
            const Float4 kept = walls(to[m]);
            int w = target_brick.of(to[m], kept);
            if (solids && w != gone && (entersSolid(*solids, from[m], kept) || isNearThin(*solids, kept))) w = gone;
            if (w == stays) {
                std::memcpy(&list[staying++], &kept, sizeof kept);
                continue;
            }
            std::memcpy(&left[left_end], &kept, sizeof kept);
            neighbour[left_end++] = uint8_t(w);
            ++leaving[size_t(w)];
        }
    }
    uint32_t next[neighbours + 1];
    next[0] = staying;
    for (int w = 0; w < neighbours; ++w) next[w + 1] = next[w] + leaving[size_t(w)];
    for (uint32_t n = first; n < left_end; ++n) list[next[neighbour[n]]++] = left[n];
    leaving[stays] = staying - first;
}

// How many particles of a brick precede, in its list, those that move to one neighbour.
uint32_t countBefore(const Leaving& leaving, int neighbour)
{
    if (neighbour == stays) return 0;
    uint32_t count = leaving[stays];
    for (int earlier = 0; earlier < neighbour; ++earlier) count += earlier == stays ? 0 : leaving[size_t(earlier)];
    return count;
}

// f(n, neighbour): the brick n next to `brick` whose particles enter it as `neighbour`, in a fixed order.
template <class F>
void forSources(const Bricks& bricks, int brick, const F& f)
{
    const Int3 b = bricks.at(brick);
    for (int neighbour = 0; neighbour < neighbours; ++neighbour) {
        const Int3 from = b - Int3{neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1};
        if (bricks.contains(from)) f(bricks.index(from), neighbour);
    }
}

// Gathers the particles that enter each brick: brick by brick, each from its 27 sources in order.
void gather(const Grid& grid, const BrickList& sources, SurfaceParticles& particles, ParticleScratch& w)
{
    const BrickList targets = dilated(grid.bricks, sources);
    w.start.assign(size_t(grid.bricks.total()) + 1, 0);
    for (int brick : targets) {
        uint32_t count = 0;
        forSources(grid.bricks, brick, [&](int from, int neighbour) {
            if (w.place[size_t(from)] >= 0) count += w.leaving[size_t(w.place[size_t(from)])][size_t(neighbour)];
        });
        w.start[size_t(brick) + 1] = count;
    }
    for (size_t b = 1; b < w.start.size(); ++b) w.start[b] += w.start[b - 1];
    parallelTasks("particles.sort", int(targets.size()), [&](int t) {
        const int brick = targets[size_t(t)];
        Particle* to = w.list.data() + w.start[size_t(brick)];
        forSources(grid.bricks, brick, [&](int from, int neighbour) {
            if (w.place[size_t(from)] < 0) return;
            const Leaving& leaving = w.leaving[size_t(w.place[size_t(from)])];
            const uint32_t first = particles.start[size_t(from)] + countBefore(leaving, neighbour);
            to = std::copy_n(particles.list.data() + first, leaving[size_t(neighbour)], to);
        });
    });
    w.list.resize(w.start.back());
    particles.list.swap(w.list);
    particles.start.swap(w.start);
}

}  // namespace

BrickList bricksOf(const SurfaceParticles& particles)
{
    BrickList list;
    for (size_t b = 0; b + 1 < particles.start.size(); ++b)
        if (particles.start[b] != particles.start[b + 1]) list.push_back(int(b));
    return list;
}

void moveParticles(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s, LiquidScratch& w)
{
    SurfaceParticles& particles = s.particles;
    if (particles.list.empty()) return;
    const BrickList sources = bricksOf(particles);
    ParticleScratch& scratch = w.particles;
    scratch.place.assign(size_t(grid.bricks.total()), -1);
    for (size_t n = 0; n < sources.size(); ++n) scratch.place[size_t(sources[n])] = int(n);
    scratch.leaving.resize(sources.size());
    scratch.list.resize(particles.list.size());
    scratch.neighbour.resize(particles.list.size());
    // Particles stay in the outermost cell at a wall: the position n would be in the next brick.
    constexpr float from_walls = 1e-3f;
    const Paths paths{w.center_velocity.view(), float(dt_s / grid.h), DomainClamp(grid.cells)};
    const DomainClamp walls(grid.cells, from_walls);
    const BrickList near_solids = dilated(grid.bricks, solids.bricks().list);
    parallelTasks("particles.move", int(sources.size()), [&](int n) {
        const int brick = sources[size_t(n)];
        const bool near_solid = std::binary_search(near_solids.begin(), near_solids.end(), brick);
        moveBrick(paths, TargetBrick(grid, brick), walls, near_solid ? &solids : nullptr,
                  particles.start[size_t(brick)], particles.start[size_t(brick) + 1], particles.list.data(),
                  scratch.list.data(), scratch.neighbour.data(), scratch.leaving[size_t(n)]);
    });
    gather(grid, sources, particles, scratch);
}

void indexByBrick(const Grid& grid, SurfaceParticles& particles)
{
    particles.start.assign(size_t(grid.bricks.total()) + 1, 0);
    for (const Particle& p : particles.list) {
        const Int3 cell{int(p.x), int(p.y), int(p.z)};
        ++particles.start[size_t(grid.bricks.index(grid.bricks.ofCell(cell))) + 1];
    }
    for (size_t b = 1; b < particles.start.size(); ++b) particles.start[b] += particles.start[b - 1];
}

}  // namespace flotsam
