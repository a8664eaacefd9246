#include "liquid/surface.h"

#include "liquid/boundary.h"
#include "liquid/bricks_where.h"

namespace flotsam {

namespace {

struct CubicWeights {
    float w[4];
    // Catmull-Rom: third order, keeps corners of phi that a linear interpolation would round off.
    explicit CubicWeights(float t)
        : w{t * (-0.5f + t * (1 - 0.5f * t)), 1 + t * t * (-2.5f + 1.5f * t), t * (0.5f + t * (2 - 1.5f * t)),
            t * t * (-0.5f + 0.5f * t)}
    {
    }
};

float tricubic(View3<const float> f, Float3 index)
{
    const GridPoint g(index);
    const CubicWeights x(g.fx), y(g.fy), z(g.fz);
    float sum = 0;
    for (int c = 0; c < 4; ++c)
        for (int b = 0; b < 4; ++b) {
            const float* p = &f(g.i - 1, g.j - 1 + b, g.k - 1 + c);
            sum += y.w[b] * z.w[c] * ((x.w[0] * p[0] + x.w[1] * p[1]) + (x.w[2] * p[2] + x.w[3] * p[3]));
        }
    return sum;
}

// The velocity at a cell's centre: the mean of its faces (thesis eq. 6).
Float3 centerVelocity(const ConstMacView& u, int i, int j, int k)
{
    return {0.5f * (u.u[0](i, j, k) + u.u[0](i + 1, j, k)), 0.5f * (u.u[1](i, j, k) + u.u[1](i, j + 1, k)),
            0.5f * (u.u[2](i, j, k) + u.u[2](i, j, k + 1))};
}

// phi at the foot of the path that ends at a cell's centre; the path by the midpoint rule.
void advectPhi(const Grid& grid, double dt_s, const BrickSet& set, View3<const float> phi, const ConstMacView& u,
               View3<float> out)
{
    const float dt = float(dt_s / grid.h), band = grid.band, near = 2.5f * float(grid.h);
    const Int3 cells = grid.cells;
    parallelFor("surface.advect", set, [=](int i, int j, int k) {
        const float old = phi(i, j, k);
        if (std::abs(old) >= band) {
            out(i, j, k) = old;
            return;
        }
        const Float3 x{float(i) + 0.5f, float(j) + 0.5f, float(k) + 0.5f};
        const Float3 half = clampTo(x - 0.5f * dt * centerVelocity(u, i, j, k), cells);
        const Float3 foot = clampTo(x - dt * velocityAt(u, half), cells);
        out(i, j, k) = std::abs(old) < near ? tricubic(phi, centerIndex(foot)) : trilinear(phi, centerIndex(foot));
    });
}

// Continues phi linearly from 1.5 cells outside a solid to the cells inside it (up to 3 deep; deeper ones are air), so
// that a flat surface stays flat up to a wall of any slope.
void extrapolateIntoSolids(const Grid& grid, const Solids& solids, const BrickSet& set, View3<const float> phi,
                           View3<float> out)
{
    const float h = float(grid.h), band = grid.band;
    const Int3 cells = grid.cells;
    parallelFor("surface.solids", set, [&, phi, out](int i, int j, int k) {
        out(i, j, k) = phi(i, j, k);
        if (!solids.touches({i, j, k})) return;
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
            const Vec3 p{grid.h * (i + (a == 0 ? 0 : 0.5)), grid.h * (j + (a == 1 ? 0 : 0.5)),
                         grid.h * (k + (a == 2 ? 0 : 0.5))};
            if (shape.signedDistance(p) < grid.h) u.u[a](i, j, k) = float(velocity_m_s[a]);
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

// phi = min(phi, distance to the shape), and the shape's velocity inside it. The least of two distances is a distance
// again where it matters: outside and at the surface.
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

}  // namespace

void fillRegions(const Grid& grid, const std::vector<RegionSpec>& regions, LiquidState& s, LiquidScratch& w)
{
    for (const RegionSpec& region : regions)
        addShape(grid, *makeShape(region.shape, 0.5 * grid.h), region.velocity_m_s, s, w);
}

bool addSources(const Grid& grid, const std::vector<Source>& sources, LiquidState& s, LiquidScratch& w)
{
    bool any = false;
    for (const Source& source : sources)
        if (s.t_s >= source.spec.from_s && s.t_s < source.spec.to_s) {
            addShape(grid, *source.shape, source.spec.velocity_m_s, s, w);
            any = true;
        }
    return any;
}

void moveSurface(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s, LiquidScratch& w)
{
    advectPhi(grid, dt_s, s.active, s.phi, s.u, w.phi_new);
    copyPhi(s.active, w.phi_new, s.phi);
    fillLayers(grid, s.active, s.phi);
    if (!solids.empty()) {
        extrapolateIntoSolids(grid, solids, s.active, s.phi, w.phi_new);
        copyPhi(s.active, w.phi_new, s.phi);
    }
    redistance(grid, s.active, s, w);
}

}  // namespace flotsam
