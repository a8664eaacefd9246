#include "liquid/surface.h"

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/center_velocity.h"
#include "liquid/gaps.h"
#include "liquid/particles.h"
#include "liquid/transport.h"

namespace flotsam {

namespace {

// Continues phi linearly from 1.5 cells outside a solid to the cells inside it (up to 3 deep; deeper ones are air), so
// that a flat surface stays flat up to a wall of any slope.
void extrapolateIntoSolids(const Grid& grid, const Solids& solids, const BrickSet& set, View3<const float> phi,
                           View3<float> out)
{
    const float h = float(grid.h), band = grid.band;
    const Int3 cells = grid.cells;
    parallelFor("surface.solids", set, [&, phi, out](int i, int j, int k) {
        out(i, j, k) = phi(i, j, k);
        const float sd = solids.distance(i, j, k);
        if (sd >= 0) return;
        const Float3 g = solids.gradient(i, j, k);
        const float norm = std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
        if (sd < -3 * h || norm == 0) {
            out(i, j, k) = band;
            return;
        }
        const float reach = 1.5f - sd / h;  // cells
        const Float3 x{float(i) + 0.5f, float(j) + 0.5f, float(k) + 0.5f};
        const Float3 q = clampTo(x + (reach / norm) * g, cells), c = centerIndex(q);
        const Float3 slope{
            0.5f * (trilinear(phi, c + Float3{1, 0, 0}) - trilinear(phi, c - Float3{1, 0, 0})),
            0.5f * (trilinear(phi, c + Float3{0, 1, 0}) - trilinear(phi, c - Float3{0, 1, 0})),
            cells.z == 1 ? 0.0f : 0.5f * (trilinear(phi, c + Float3{0, 0, 1}) - trilinear(phi, c - Float3{0, 0, 1}))};
        const float outwards =
            (slope.x * g.x + slope.y * g.y + slope.z * g.z) / norm;  // change of phi a cell away from the solid
        const float half_out = trilinear(phi, c) - outwards;         // half a cell out of the solid
        const float there = continuedPastWall(half_out, half_out + outwards, reach - 1, h);
        out(i, j, k) = std::clamp(there, -band, band);
    });
}

void copyPhi(const BrickSet& set, View3<const float> from, View3<float> to)
{
    parallelFor("surface.copy", set, [=](int i, int j, int k) { to(i, j, k) = from(i, j, k); });
}

void setVelocity(const Grid& grid, const Shape& shape, Vec3 velocity_m_s, IndexBox box, MacView u)
{
    for (int a = 0; a < 3; ++a)
        forEachCell(box, [&](int i, int j, int k) {
            if (shape.signedDistance(facePosition(grid.h, a, {i, j, k})) < grid.h)
                u.u[a](i, j, k) = float(velocity_m_s[a]);
        });
}

Vec3 centerOf(const Grid& grid, int i, int j, int k)
{
    return {grid.h * (i + 0.5), grid.h * (j + 0.5), grid.h * (k + 0.5)};
}

// The bricks that a shape's bounds, grown by the band, reach.
BrickSet bricksOf(const Grid& grid, const Shape& shape)
{
    const Bounds b = shape.bounds();
    Int3 lo, hi;
    for (int a = 0; a < 3; ++a) {
        const double last = grid.cells[a] - 1;
        lo[a] = int(std::clamp(std::floor((b.lo[a] - double(grid.band)) / grid.h), 0.0, last)) / Bricks::side[a];
        hi[a] = int(std::clamp(std::floor((b.hi[a] + double(grid.band)) / grid.h), 0.0, last)) / Bricks::side[a];
    }
    std::vector<uint8_t> marks(size_t(grid.bricks.total()), 0);
    forEachCell({lo, hi + Int3{1, 1, 1}}, [&](int i, int j, int k) {
        marks[size_t(grid.bricks.index({i, j, k}))] = 1;
    });
    return {grid.bricks, listOf(marks)};
}

bool hasParticles(const SurfaceParams& prm, const LiquidState& s)
{
    return prm.particles_per_cell > 0 && s.t_s < prm.particles_until_s;
}

// What the paths of the band's cells and of the particles can reach.
BrickList bricksNearSurface(const Grid& grid, LiquidState& s)
{
    const View3<const float> phi = s.phi;
    const BrickList band = bricksWhere(grid, s.active, "surface.find", [=, band = grid.band](int i, int j, int k) {
        return std::abs(phi(i, j, k)) < band;
    });
    return dilated(grid.bricks, joined(band, bricksOf(s.particles)));
}

}  // namespace

// The least of two distances is a distance again where it matters: outside and at the surface.
void addShape(const Grid& grid, const Shape& shape, Vec3 velocity_m_s, LiquidState& s, LiquidScratch& w)
{
    const BrickSet set = bricksOf(grid, shape);
    const View3<float> phi = s.phi;
    const float band = grid.band;
    replaceActive(grid, joined(s.active.list, set.list), s, w);
    parallelBoxes("surface.add", set, [&](IndexBox box) {
        setVelocity(grid, shape, velocity_m_s, box, s.u);
        forEachCell(box, [&](int i, int j, int k) {
            const float d = std::clamp(float(shape.signedDistance(centerOf(grid, i, j, k))), -band, band);
            phi(i, j, k) = std::min(phi(i, j, k), d);
        });
    });
    fillLayers(grid, set, phi);
    const BrickList wet =
        bricksWhere(grid, s.active, "surface.find", [=](int i, int j, int k) { return phi(i, j, k) < band; });
    replaceActive(grid, wet, s, w);
}

void fillRegions(const Grid& grid, const std::vector<RegionSpec>& regions, LiquidState& s, LiquidScratch& w)
{
    for (const RegionSpec& region : regions)
        addShape(grid, *makeShape(region.shape, 0.5 * grid.h), region.velocity_m_s, s, w);
    // A region's side on a wall, or inside another region, is no surface.
    redistance(grid, s.active, Reinitialisation::fast, s, w);
}

bool addSources(const Grid& grid, const std::vector<Source>& sources, LiquidState& s, LiquidScratch& w)
{
    bool any = false;
    for (const Source& source : sources)
        if (isOpen(source.spec, s.t_s)) {
            addShape(grid, *source.shape, source.spec.velocity_m_s, s, w);
            dropAirIn(grid, *source.shape, s);
            any = true;
        }
    return any;
}

void startParticles(const Grid& grid, const Solids& solids, const SurfaceParams& prm, LiquidState& s, LiquidScratch& w)
{
    if (hasParticles(prm, s)) reseedParticles(grid, solids, prm.particles_per_cell, prm.seed, s, w);
}

void moveSurface(const Grid& grid, const Solids& solids, const SurfaceParams& prm, Air air, double dt_s, LiquidState& s,
                 LiquidScratch& w)
{
    // After the distance is made anew, and before it is corrected, particles that the velocity does not reach are gone:
    // it is known for extension_layers around the liquid, and a cell's corner is almost one away.
    const bool empty = air == Air::empty;
    const CorrectionLimits anywhere{.drops_escaped_air = empty},
        near_surface{.far = float(grid.extension_layers) - 0.5f, .drops_escaped_air = empty};
    if (!hasParticles(prm, s)) s.particles = {};
    const BrickSet near(grid.bricks, bricksNearSurface(grid, s));
    fillCenterVelocity(grid, near, s.u, w.center_velocity);
    moveParticles(grid, solids, dt_s, s, w);
    w.gaps.clear();
    if (empty) listGaps(grid, dt_s, s, w.gaps);
    transportPhi(grid, prm.scheme, dt_s, s, w);
    closeGaps(w.gaps, s.phi);
    correctPhi(grid, anywhere, s, w);
    if (!solids.empty()) {
        const BrickSet near_solids(grid.bricks, common(s.active.list, solids.bricks().list));
        extrapolateIntoSolids(grid, solids, near_solids, s.phi, w.phi_new);
        copyPhi(near_solids, w.phi_new, s.phi);
    }
    redistance(grid, s.active, prm.reinitialisation, s, w);
    correctPhi(grid, near_surface, s, w);
    adjustRadii(grid, s);
    if (hasParticles(prm, s) && (s.step + 1) % prm.reseed_every_steps == 0)
        reseedParticles(grid, solids, prm.particles_per_cell, prm.seed, s, w);
}

}  // namespace flotsam
