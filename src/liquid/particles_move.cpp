#include <cstring>

#include "liquid/center_velocity.h"
#include "liquid/particles.h"

namespace flotsam {

namespace {

using Leaving = ParticleScratch::Leaving;
constexpr int ways = ParticleScratch::ways, gone = ParticleScratch::gone;

Float4 lanesOf(const Particle& p) { return load4(&p.x); }

// Fourth order in time; the fourth lane, the radius, rides along since the velocity's is zero.
struct Paths {
    View3<const Float4> velocity;
    float dt;  // [cells per m/s]
    DomainClamp inside;

    Float4 endOf(Float4 p) const
    {
        const Float4 k1 = sampleAt(velocity, p), k2 = sampleAt(velocity, inside(p + (0.5f * dt) * k1)),
                     k3 = sampleAt(velocity, inside(p + (0.5f * dt) * k2)),
                     k4 = sampleAt(velocity, inside(p + dt * k3));
        return p + (dt / 6) * ((k1 + k4) + 2.0f * (k2 + k3));
    }
};

// Which of the 27 bricks around `brick` a position is in; a path that left them all is gone.
struct WayOut {
    Int3 brick, cells;
    bool open[3][2];

    bool leftDomain(Float4 p) const
    {
        for (int a = 0; a < 3; ++a)
            if ((open[a][0] && p[a] < 0) || (open[a][1] && p[a] > float(cells[a]))) return true;
        return false;
    }
    int of(Float4 p) const
    {
        const Int4 c = __builtin_convertvector(p, Int4);
        const int x = c[0] / Bricks::side.x - brick.x + 1, y = c[1] / Bricks::side.y - brick.y + 1,
                  z = c[2] / Bricks::side.z - brick.z + 1;
        const bool near = unsigned(x) < 3 && unsigned(y) < 3 && unsigned(z) < 3;
        return near ? x + 3 * (y + 3 * z) : gone;
    }
};

// A brick's particles move, and are put in the order of where they go. Reads and writes the brick's part of `list`
// alone.
void moveBrick(const Paths& paths, const WayOut& way_out, const DomainClamp& walls, const Solids* solids,
               uint32_t first, uint32_t end, Particle* list, Particle* moved, uint8_t* way, Leaving& leaving)
{
    leaving = {};
    for (uint32_t n = first; n < end; ++n) {
        const Float4 from = lanesOf(list[n]), to = paths.endOf(from), kept = walls(to);
        std::memcpy(&moved[n], &kept, sizeof kept);
        int w = from[3] == 0 || way_out.leftDomain(to) ? gone : way_out.of(kept);
        // Half-way as well: a step may be longer than a solid is thick.
        if (solids && w != gone)
            for (const Float4 at : {0.5f * (from + kept), kept})
                if (solids->isInside({at[0], at[1], at[2]})) w = gone;
        way[n] = uint8_t(w);
        ++leaving[size_t(w)];
    }
    uint32_t next[ways + 1];
    next[0] = first;
    for (int w = 0; w < ways; ++w) next[w + 1] = next[w] + leaving[size_t(w)];
    for (uint32_t n = first; n < end; ++n) list[next[way[n]]++] = moved[n];
}

// f(n, way): the brick n beside `brick` from which `way` leads into it, in a fixed order.
template <class F>
void forSources(const Bricks& bricks, int brick, const F& f)
{
    const Int3 b = bricks.at(brick);
    for (int way = 0; way < ways; ++way) {
        const Int3 from = b - Int3{way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1};
        if (bricks.contains(from)) f(bricks.index(from), way);
    }
}

// Brings what the bricks around each brick send it together: a brick after the other, each from its 27 sources in
// order.
void gather(const Grid& grid, const BrickList& sources, SurfaceParticles& particles, ParticleScratch& w)
{
    const BrickList targets = dilated(grid.bricks, sources);
    w.start.assign(size_t(grid.bricks.total()) + 1, 0);
    for (int brick : targets) {
        uint32_t count = 0;
        forSources(grid.bricks, brick, [&](int from, int way) {
            if (w.place[size_t(from)] >= 0) count += w.leaving[size_t(w.place[size_t(from)])][size_t(way)];
        });
        w.start[size_t(brick) + 1] = count;
    }
    for (size_t b = 1; b < w.start.size(); ++b) w.start[b] += w.start[b - 1];
    parallelTasks("particles.sort", int(targets.size()), [&](int t) {
        const int brick = targets[size_t(t)];
        Particle* to = w.list.data() + w.start[size_t(brick)];
        forSources(grid.bricks, brick, [&](int from, int way) {
            if (w.place[size_t(from)] < 0) return;
            const Leaving& leaving = w.leaving[size_t(w.place[size_t(from)])];
            uint32_t first = particles.start[size_t(from)];
            for (int earlier = 0; earlier < way; ++earlier) first += leaving[size_t(earlier)];
            to = std::copy_n(particles.list.data() + first, leaving[size_t(way)], to);
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
    scratch.way.resize(particles.list.size());
    // A wall's own cell is the last that holds a particle: the position n would be a brick further.
    constexpr float from_walls = 1e-3f;
    const Paths paths{w.center_velocity.view(), float(dt_s / grid.h), DomainClamp(grid.cells)};
    const DomainClamp walls(grid.cells, from_walls);
    const BrickList near_solids = dilated(grid.bricks, solids.bricks().list);
    parallelTasks("particles.move", int(sources.size()), [&](int n) {
        const int brick = sources[size_t(n)];
        WayOut way_out{grid.bricks.at(brick), grid.cells, {}};
        std::memcpy(way_out.open, grid.open, sizeof grid.open);
        const bool near_solid = std::binary_search(near_solids.begin(), near_solids.end(), brick);
        moveBrick(paths, way_out, walls, near_solid ? &solids : nullptr, particles.start[size_t(brick)],
                  particles.start[size_t(brick) + 1], particles.list.data(), scratch.list.data(), scratch.way.data(),
                  scratch.leaving[size_t(n)]);
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
