#include "liquid/boundary.h"
#include "liquid/particles.h"
#include "liquid/sample.h"
#include "liquid/wall_film.h"

namespace flotsam {

namespace {

// phi at a particle times its sign [cells]: its distance from the surface on its own side. 0 for a deleted particle.
float distanceOf(const Particle& p, View3<const float> phi, float cells_per_m)
{
    return std::copysign(cells_per_m, p.radius) * sampleAt(phi, load4(&p.x));
}

// The lowest of the eight cells whose centres surround a position.
Int3 lowestAround(const Particle& p) { return {int(p.x + 0.5f) - 1, int(p.y + 0.5f) - 1, int(p.z + 0.5f) - 1}; }

// f(particle) for all particles, brick by brick.
template <class F>
void forParticles(const char* label, SurfaceParticles& particles, const F& f)
{
    const BrickList bricks = bricksOf(particles);
    parallelTasks(label, int(bricks.size()), [&](int n) {
        const size_t brick = size_t(bricks[size_t(n)]);
        for (uint32_t p = particles.start[brick]; p < particles.start[brick + 1]; ++p) f(particles.list[p]);
    });
}

// The maximum over the air spheres and the minimum over the liquid spheres at each cell of a brick.
struct Spheres {
    static constexpr int cells = Bricks::side.x * Bricks::side.y * Bricks::side.z;

    explicit Spheres(IndexBox box_, View3<const float> phi) : box(box_)
    {
        forEachCell(box, [&](int i, int j, int k) { air[at(i, j, k)] = liquid[at(i, j, k)] = phi(i, j, k); });
    }
    int at(int i, int j, int k) const
    {
        return (i - box.lo.x) + Bricks::side.x * ((j - box.lo.y) + Bricks::side.y * (k - box.lo.z));
    }
    // phi_p(x) = s (r - |x - x_p|)
    void add(const Particle& p, float h)
    {
        const Int3 low = lowestAround(p);
        const IndexBox cells_here = intersection({low, low + Int3{2, 2, 2}}, box);
        forEachCell(cells_here, [&](int i, int j, int k) {
            const float x = float(i) + 0.5f - p.x, y = float(j) + 0.5f - p.y, z = float(k) + 0.5f - p.z;
            const float away = std::sqrt(x * x + y * y + z * z), inside = h * (std::abs(p.radius) - away);
            if (p.isAir())
                air[at(i, j, k)] = std::max(air[at(i, j, k)], inside);
            else
                liquid[at(i, j, k)] = std::min(liquid[at(i, j, k)], -inside);
        });
    }
    // Keeps the value nearer to the surface.
    void correct(View3<float> phi) const
    {
        forEachCell(box, [&](int i, int j, int k) {
            const float a = air[at(i, j, k)], l = liquid[at(i, j, k)];
            phi(i, j, k) = std::abs(a) <= std::abs(l) ? a : l;
        });
    }

    IndexBox box;
    float air[cells], liquid[cells];
};

// Within one cell of a wall or a solid.
bool isNearWall(const Grid& grid, const CorrectionLimits& limits, const Particle& p)
{
    const Float3 x{p.x, p.y, p.z};
    for (int a = 0; a < 3; ++a) {
        if (grid.cells[a] == 1) continue;
        if (!grid.open[a][0] && x[a] < 1) return true;
        if (!grid.open[a][1] && x[a] > float(grid.cells[a] - 1)) return true;
    }
    const Int3 c{int(p.x), int(p.y), int(p.z)};
    return limits.solids && limits.solids->touches(c) && limits.solids->distance(c.x, c.y, c.z) < float(grid.h);
}

// Whether a brick has cells next to a wall or a solid.
bool mayTouchWall(const Grid& grid, const CorrectionLimits& limits, int brick)
{
    const IndexBox box = grid.bricks.box(brick);
    for (int a = 0; a < 3; ++a)
        if ((box.lo[a] == 0 && !grid.open[a][0]) || (box.hi[a] == grid.cells[a] && !grid.open[a][1])) return true;
    return limits.solids && limits.solids->touches(box.lo);
}

// In a film on a floor, in a simulation. On the way from a cell centre to the wall the velocity goes linearly to zero,
// so particles in a film lag behind its surface and thicken it: with them a ball of water of 5 cells radius that
// spread on a floor gained 31 % of its volume.
bool isInFilm(const Grid& grid, const CorrectionLimits& limits, View3<const float> phi, const Particle& p)
{
    return limits.air_is_empty && filmAt(grid, phi, {int(p.x), int(p.y), int(p.z)}).on_floor;
}

// Lists the escaped particles of each brick, those on the wrong side by more than their radius, in the scratch list at
// the range of the brick. Particles excluded by the limits are deleted first. Returns the bricks with escaped
// particles.
BrickList listEscaped(const Grid& grid, CorrectionLimits limits, LiquidState& s, ParticleScratch& w)
{
    const BrickList bricks = bricksOf(s.particles);
    const float cells_per_m = float(1 / grid.h);
    const View3<const float> phi = s.phi;
    w.list.resize(s.particles.list.size());
    w.escaped.assign(size_t(grid.bricks.total()), 0);
    parallelTasks("particles.escaped", int(bricks.size()), [&](int n) {
        const size_t brick = size_t(bricks[size_t(n)]);
        uint32_t end = s.particles.start[brick];
        const bool at_wall = mayTouchWall(grid, limits, bricks[size_t(n)]);
        const float dropped = at_wall ? 0 : -2 * least_radius;
        for (uint32_t m = s.particles.start[brick]; m < s.particles.start[brick + 1]; ++m) {
            Particle& p = s.particles.list[m];
            const float d = distanceOf(p, phi, cells_per_m);
            if (std::abs(d) > limits.far || (at_wall && isInFilm(grid, limits, phi, p))) p.radius = 0;
            // Avoids an unpredictable branch: always written, kept only if escaped. Few particles are that deep;
            // testing first for air, which half of them are, makes the loop take 1.3 times as long.
            w.list[end] = p;
            const bool escaped = (d < -std::abs(p.radius)) & p.isThere();
            if (d < dropped && limits.air_is_empty && p.isAir() &&
                (d < -2 * least_radius || isNearWall(grid, limits, p)))
                p.radius = 0;
            end += uint32_t(escaped & p.isThere());
        }
        w.escaped[brick] = end - s.particles.start[brick];
    });
    BrickList some;
    for (int brick : bricks)
        if (w.escaped[size_t(brick)]) some.push_back(brick);
    return some;
}

}  // namespace

void correctPhi(const Grid& grid, CorrectionLimits limits, LiquidState& s, LiquidScratch& w)
{
    if (s.particles.list.empty()) return;
    ParticleScratch& scratch = w.particles;
    const BrickList escaped = listEscaped(grid, limits, s, scratch);
    const BrickSet changed(grid.bricks, common(dilated(grid.bricks, escaped), s.active.list));
    const View3<float> phi = s.phi;
    parallelTasks("particles.correct", int(changed.list.size()), [&](int n) {
        const int brick = changed.list[size_t(n)];
        Spheres spheres(grid.bricks.box(brick), phi);
        forEachCell(grid.bricks.around(brick), [&](int i, int j, int k) {
            const size_t source = size_t(grid.bricks.index({i, j, k}));
            const Particle* first = scratch.list.data() + s.particles.start[source];
            for (const Particle* p = first; p < first + scratch.escaped[source]; ++p) spheres.add(*p, float(grid.h));
        });
        spheres.correct(phi);
    });
    fillGhostCells(grid, changed, phi);
}

void adjustRadii(const Grid& grid, LiquidState& s)
{
    const float cells_per_m = float(1 / grid.h);
    const View3<const float> phi = s.phi;
    forParticles("particles.radius", s.particles, [&](Particle& p) {
        const float r = std::clamp(distanceOf(p, phi, cells_per_m), least_radius, largest_radius);
        p.radius = std::copysign(p.isThere() ? r : 0.0f, p.radius);
    });
}

void dropAirIn(const Grid& grid, const Shape& shape, LiquidState& s)
{
    forParticles("particles.source", s.particles, [&](Particle& p) {
        if (p.isAir() && shape.signedDistance(grid.h * Vec3{p.x, p.y, p.z}) < 0) p.radius = 0;
    });
}

std::vector<Particle> escapedParticles(const Grid& grid, LiquidState& s)
{
    std::vector<Particle> escaped;
    const View3<const float> phi = s.phi;
    for (const Particle& p : s.particles.list)
        if (p.isThere() && distanceOf(p, phi, float(1 / grid.h)) < -std::abs(p.radius)) escaped.push_back(p);
    return escaped;
}

long long countParticles(const SurfaceParticles& particles)
{
    return std::count_if(particles.list.begin(), particles.list.end(), [](const Particle& p) { return p.isThere(); });
}

}  // namespace flotsam
