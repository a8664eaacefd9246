#include "liquid/surface.h"

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/center_velocity.h"
#include "liquid/contact_line.h"
#include "liquid/inflow.h"
#include "liquid/one_cell_wide.h"
#include "liquid/particles.h"
#include "liquid/thin_surface.h"
#include "liquid/transport.h"
#include "liquid/wall_gaps.h"

namespace flotsam {

namespace {

void setVelocity(const Grid& grid, const Shape& shape, Vec3 velocity_m_s, IndexBox box, MacView u)
{
    for (int a = 0; a < 3; ++a)
        forEachCell(box, [&](int i, int j, int k) {
            if (shape.signedDistance(facePosition(grid.h, a, {i, j, k})) < grid.h)
                u.u[a](i, j, k) = float(velocity_m_s[a]);
        });
}

// The bricks that overlap the bounds of a shape, grown by the band.
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

// Bricks within reach of the trajectories of the band cells and the particles.
BrickList bricksNearSurface(const Grid& grid, LiquidState& s)
{
    const View3<const float> phi = s.phi;
    const BrickList band = bricksWhere(grid, s.active, "surface.find", [=, band = grid.band](int i, int j, int k) {
        return std::abs(phi(i, j, k)) < band;
    });
    return dilated(grid.bricks, joined(band, bricksOf(s.particles)));
}

}  // namespace

// The minimum of two distances is again a distance where it matters: outside and at the surface.
void addShape(const Grid& grid, const Shape& shape, Vec3 velocity_m_s, LiquidState& s, LiquidScratch& w)
{
    const BrickSet set = bricksOf(grid, shape);
    const View3<float> phi = s.phi;
    const float band = grid.band;
    replaceActive(grid, joined(s.active.list, set.list), s, w);
    parallelBoxes("surface.add", set, [&](IndexBox box) {
        setVelocity(grid, shape, velocity_m_s, box, s.u);
        forEachCell(box, [&](int i, int j, int k) {
            const float d = std::clamp(float(shape.signedDistance(cellPosition(grid.h, {i, j, k}))), -band, band);
            phi(i, j, k) = std::min(phi(i, j, k), d);
        });
    });
    fillGhostCells(grid, set, phi);
    const BrickList wet =
        bricksWhere(grid, s.active, "surface.find", [=](int i, int j, int k) { return phi(i, j, k) < band; });
    replaceActive(grid, wet, s, w);
}

void fillNozzle(const Grid& grid, const Inflow& inflow, double t_s, LiquidState& s, LiquidScratch& w)
{
    const BrickSet set = bricksOf(grid, inflow.shape());
    const View3<float> phi = s.phi;
    replaceActive(grid, joined(s.active.list, set.list), s, w);
    parallelBoxes("surface.add", set, [&](IndexBox strip) {
        forEachCell(intersection(strip, inflow.cells()), [&](int i, int j, int k) {
            float& here = phi(i, j, k);
            const float h = float(grid.h), nozzle = std::max(inflow.nozzlePhi({i, j, k}, t_s), -grid.band);
            here = std::min(here, nozzle);
            if (std::abs(here) > 1.3f * h) return;
            // Keeps the surface of its own stream in the air: the minimum would creep outwards at each step.
            const std::optional<float> stream = inflow.streamPhi({i, j, k}, t_s);
            if (stream && std::abs(*stream) < h && std::abs(here - *stream) < 0.3f * h) here = *stream;
        });
    });
    fillGhostCells(grid, set, phi);
    dropAirIn(grid, inflow.shape(), s);
}

void startParticles(const Grid& grid, const Solids& solids, const SurfaceParams& prm, LiquidState& s, LiquidScratch& w)
{
    if (hasParticles(prm, s)) reseedParticles(grid, solids, prm.particles_per_cell, prm.seed, s, w);
}

void moveSurface(const Grid& grid, const Solids& solids, const SurfaceParams& prm, Air air, double gravity_m_s2,
                 double dt_s, LiquidState& s, LiquidScratch& w)
{
    // After reinitialisation and before the correction, particles out of reach of the velocity extension are deleted:
    // it covers extension_layers around the liquid, and the corner of a cell is almost one layer away.
    const bool empty = air == Air::empty;
    const CorrectionLimits anywhere{.air_is_empty = empty, .solids = &solids},
        near_surface{.far = float(grid.extension_layers) - 0.5f, .air_is_empty = empty, .solids = &solids};
    if (!hasParticles(prm, s)) s.particles = {};
    const BrickSet near(grid.bricks, bricksNearSurface(grid, s));
    fillCenterVelocity(near, s.u, w.center_velocity);
    if (empty) freeFromWalls(grid, solids, WallGaps(grid, solids, gravity_m_s2, s), near, s, w.center_velocity);
    fillGhostCells(grid, near, w.center_velocity.view());
    moveParticles(grid, solids, dt_s, s, w);
    if (empty) moveOneCellWide(grid, solids, dt_s, s);
    std::vector<std::vector<GapCell>> near_thin;
    if (solids.hasThin()) near_thin = moveNearThin(grid, solids, dt_s, s, w);
    transportPhi(grid, prm.scheme, dt_s, s, w);
    setPhi(near_thin, s.phi);
    correctPhi(grid, anywhere, s, w);
    if (!solids.empty()) {
        fillCutOffAir(grid, solids, s);
        continueIntoSolids(grid, solids, s, w);
    }
    redistance(grid, solids, s.active, prm.reinitialisation, s, w);
    correctPhi(grid, near_surface, s, w);
    adjustRadii(grid, s);
    if (hasParticles(prm, s) && (s.step + 1) % prm.reseed_every_steps == 0)
        reseedParticles(grid, solids, prm.particles_per_cell, prm.seed, s, w);
}

}  // namespace flotsam
