#include <algorithm>

#include "core/lanes.h"
#include "liquid/boundary.h"
#include "liquid/bricks_where.h"
#include "liquid/reinitialise.h"
#include "liquid/surface.h"
#include "liquid/upwind.h"

namespace flotsam {

namespace {

// Whether the surface passes between a cell and one of its six neighbours.
inline bool crosses(View3<const float> phi, int i, int j, int k)
{
    const float *p = &phi(i, j, k), s = *p;
    const float least = std::min({p[-1], p[1], p[-phi.sy], p[phi.sy], p[-phi.sz], p[phi.sz]});
    const float most = std::max({p[-1], p[1], p[-phi.sy], p[phi.sy], p[-phi.sz], p[phi.sz]});
    return s < 0 ? most >= 0 : least < 0;
}

// The same next to a solid: cells deep inside it, or behind a thin solid, are ignored.
inline bool crossesNearSolid(const Solids& solids, View3<const float> phi, Int3 c)
{
    if (!crosses(phi, c.x, c.y, c.z) || solids.isInert(c)) return false;
    if (!solids.covers(c) && !solids.isNearThin(c)) return true;
    for (int n = 0; n < 6; ++n) {
        const Int3 q = n & 1 ? c + unit(n / 2) : c - unit(n / 2);
        const bool outside = q[n / 2] < 0 || q[n / 2] >= solids.cells()[n / 2];
        if ((phi(q) < 0) == (phi(c) < 0)) continue;
        if (outside || (!solids.isInert(q) && !solids.isBlocked(n / 2, n & 1 ? q : c))) return true;
    }
    return false;
}

// Distance of a cell next to the surface: phi over its slope, if the slope is off by more than a fifth. A slope near
// one is left alone: repeated division moves the zero (by 1 % of the volume of a sphere of 6 cells radius per step). In
// a thin sheet, where the central slope vanishes, the steepest one-sided slope is used (Russo & Smereka 2000).
float distanceNextToSurface(float s, const float (&below)[3], const float (&above)[3], float h)
{
    float central = 0, steepest = 0;
    for (int a = 0; a < 3; ++a) {
        const float mid = 0.5f * (above[a] - below[a]), side = std::max(std::abs(above[a] - s), std::abs(s - below[a]));
        central += mid * mid;
        steepest += side * side;
    }
    const float smooth = std::sqrt(central) / h,
                slope = smooth > 0.7f ? smooth : std::max(std::sqrt(steepest) / h, 0.1f);
    return std::min(std::abs(s) * std::clamp(slope, 0.8f, 1.2f) / slope, h);
}

float distanceNextToSurface(View3<const float> phi, float h, int i, int j, int k)
{
    return distanceNextToSurface(phi(i, j, k), {phi(i - 1, j, k), phi(i, j - 1, k), phi(i, j, k - 1)},
                                 {phi(i + 1, j, k), phi(i, j + 1, k), phi(i, j, k + 1)}, h);
}

// Godunov's solution of |grad d| = 1 from the nearest value along each axis, eight cells at once.
inline Float8 eikonal(const Float8& a, const Float8& b, const Float8& c, float h)
{
    const Float8 lo = least(a, b), hi = most(a, b);
    const Float8 first = least(lo, c), third = most(hi, c), second = most(lo, least(hi, c));
    const Float8 one = first + h, gap = second - first, none = {};
    const Float8 two = 0.5f * (first + second + squareRoot(most(none, 2 * h * h - gap * gap)));
    const Float8 sum = first + second + third, squares = first * first + second * second + third * third;
    const Float8 three = (sum + squareRoot(most(none, sum * sum - 3 * (squares - h * h)))) * (1.0f / 3);
    return one <= second ? one : two <= third ? two : three;
}

// One pass of distances into the band. A fixed cell (next to the surface, or inert) stores minus its distance: the sign
// marks it.
void spread(View3<const float> from, float h, IndexBox box, View3<float> to)
{
    const std::ptrdiff_t sy = from.sy, sz = from.sz;
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j)
            for (int i = box.lo.x; i < box.hi.x; i += 8) {
                const float* p = from.row(j, k) + i;
                const auto nearer = [p](std::ptrdiff_t step) {
                    return least(magnitude(load(p - step)), magnitude(load(p + step)));
                };
                const Float8 old = load(p), d = eikonal(nearer(1), nearer(sy), nearer(sz), h);
                const Int8 fixed = (old < 0.0f) | ~lanesBefore(box.hi.x, i);
                store(to.row(j, k) + i, fixed ? old : least(old, d));
            }
}

// Uses the nearest value along each axis that no thin solid hides.
float eikonalSeen(const Solids& solids, View3<const float> from, float h, float band, Int3 c)
{
    Float8 nearest[3];
    for (int a = 0; a < 3; ++a) {
        const bool last = c[a] + 1 == solids.cells()[a];
        const float below = solids.isBlocked(a, c) ? band : std::abs(from(c - unit(a)));
        const float above = !last && solids.isBlocked(a, c + unit(a)) ? band : std::abs(from(c + unit(a)));
        nearest[a] = Float8{} + std::min(below, above);
    }
    return eikonal(nearest[0], nearest[1], nearest[2], h)[0];
}

// Repeats a pass near thin solids, where distances must not propagate through blocked faces.
void spreadAroundThin(const Solids& solids, View3<const float> from, float h, float band, IndexBox strip,
                      View3<float> to)
{
    solids.forBricks(strip, [&](IndexBox box, bool near_solid) {
        if (!near_solid) return;
        forEachCell(box, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            if (from(c) >= 0 && solids.isNearThin(c)) to(c) = std::min(from(c), eikonalSeen(solids, from, h, band, c));
        });
    });
}

// For a distance that is nearly right already: half a cell of pseudo-time of thesis eq. 89, with ENO2 from the side of
// the surface. The first-order distance of the passes would bend phi one and two cells from the surface, and the cubic
// interpolation of the next advection turns that into a drift: Zalesak's disk lost 1.7 % of its area in one revolution,
// and 0.8 % with this.
float relaxed(View3<const float> phi, float h, Int3 c, Int3 cells)
{
    constexpr float dtau = 0.5f;
    const float sign = phi(c) < 0 ? -1.0f : 1.0f, d = std::abs(phi(c));
    float sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (cells[axis] == 1) continue;
        const AxisStencil stencil(phi, c, axis, cells[axis]);
        const float below = std::max(sign * Eno2{}(stencil.below()), 0.0f),
                    above = std::min(sign * Eno2{}(stencil.above()), 0.0f);
        sum += std::max(below * below, above * above);
    }
    const float slope = std::sqrt(sum) / h, s = d / std::sqrt(d * d + sum + 1e-12f * h * h);
    return std::max(d + dtau * h * s * (1 - slope), 1e-6f * h);
}

// Distances in `near` from the cells next to the surface outwards, in complete passes.
void spreadFromSurface(const Grid& grid, const Solids& solids, const BrickSet& near, const BrickSet& around,
                       LiquidState& s, LiquidScratch& w)
{
    const float h = float(grid.h), band = grid.band;
    const bool has_thin = solids.hasThin();
    const View3<float> phi = s.phi;
    View3<float> a = w.phi_new, b = w.distance;
    parallelBoxes("surface.next_to_surface", around, [&](IndexBox box) {
        // Ghost cells are at the maximum distance: they have no influence.
        for (int axis = 0; axis < 3; ++axis) {
            if (box.lo[axis] == 0) box.lo[axis] = -1;
            if (box.hi[axis] == grid.cells[axis]) ++box.hi[axis];
        }
        forEachCell(box, [=](int i, int j, int k) { a(i, j, k) = b(i, j, k) = band; });
    });
    parallelBoxes("surface.next_to_surface", near, [&](IndexBox strip) {
        solids.forBricks(strip, [=, &solids](IndexBox box, bool near_solid) {
            forEachCell(box, [=, &solids](int i, int j, int k) {
                // An inert cell is fixed at the maximum distance: nothing propagates from it.
                if (near_solid && solids.isInert({i, j, k})) a(i, j, k) = -band;
                if (!(near_solid ? crossesNearSolid(solids, phi, {i, j, k}) : crosses(phi, i, j, k))) return;
                // Next to a thin solid the values of the neighbours give no slope: phi is unchanged.
                const bool thin = near_solid && solids.isNearThin({i, j, k});
                const float d = thin ? std::min(std::abs(phi(i, j, k)), h) : distanceNextToSurface(phi, h, i, j, k);
                a(i, j, k) = -std::max(d, 1e-6f * h);
            });
        });
    });
    const int passes = int(std::ceil(band / h)) + 2;  // the last two for distances that arrive around a corner
    for (int pass = 0; pass < passes; ++pass) {
        parallelBoxes("surface.distance", near, [&](IndexBox box) {
            spread(a, h, box, b);
            if (has_thin) spreadAroundThin(solids, a, h, band, box, b);
        });
        std::swap(a, b);
    }
    const Int3 cells = grid.cells;
    parallelFor("surface.sign", near, [=, &solids](int i, int j, int k) {
        const float d = a(i, j, k), old = phi(i, j, k);
        // Inert; or inside a body, where the extrapolated phi is the better one: the cell may be outside in the next
        // step. A brick that the surface has just reached has none yet: with phi of air far away it would stay
        // inactive, and swallow the liquid that reaches a body whose side is at its edge.
        if (d == -band || (std::abs(old) < band && solids.keepsExtrapolated({i, j, k}))) {
            b(i, j, k) = old;
            return;
        }
        const bool fixed = d < 0;
        // A cell no longer near any surface disagrees: the remains of a drop that moved away are removed.
        const bool agrees = std::abs(d - std::abs(old)) < 0.3f * h, is_near = std::abs(old) < 2.5f * h;
        const bool thin = has_thin && solids.isNearThin({i, j, k});
        // Next to a body phi stays as it is: the surface is extrapolated into bodies, and its distances would come back
        // out of them.
        const bool keeps = agrees && std::abs(old) < band && solids.isNearBody({i, j, k});
        const float distance = fixed                        ? -d
                               : keeps                      ? std::abs(old)
                               : agrees && is_near && !thin ? relaxed(phi, h, {i, j, k}, cells)
                                                            : std::min(d, band);
        b(i, j, k) = old < 0 ? -distance : distance;
    });
    parallelFor("surface.sign", near, [=](int i, int j, int k) { phi(i, j, k) = b(i, j, k); });
}

}  // namespace

void replaceActive(const Grid& grid, const BrickList& list, LiquidState& s, LiquidScratch& w)
{
    const BrickSet fresh(grid.bricks, without(grid.bricks, dilated(grid.bricks, list), s.initialised));
    const BrickSet left(grid.bricks, without(grid.bricks, s.active.list, list));
    const View3<float> phi = s.phi;
    for (const BrickSet* set : {&fresh, &left}) {
        parallelFor("surface.activate", *set, [=, far = grid.band](int i, int j, int k) { phi(i, j, k) = far; });
        fillGhostCells(grid, *set, phi);
    }
    parallelBoxes("surface.activate", left, [&](IndexBox box) {
        box = grid.bricks.facesOf(box);
        for (int a = 0; a < 3; ++a)
            forEachCell(box, [u = s.u.u[a].view(), known = w.known[a].view()](int i, int j, int k) {
                u(i, j, k) = 0;
                known(i, j, k) = 0;
            });
    });
    if (!w.heat.filled.empty())  // heat is on
        parallelFor("surface.activate", left, [T = s.temperature.view()](int i, int j, int k) { T(i, j, k) = 0; });
    if (s.viscosity_varies)
        parallelFor("surface.activate", left, [nu = s.viscosity.view()](int i, int j, int k) { nu(i, j, k) = 0; });
    fillGhostCells(grid, left, s.u);
    s.initialised.insert(s.initialised.end(), fresh.list.begin(), fresh.list.end());
    std::sort(s.initialised.begin(), s.initialised.end());
    s.active = BrickSet(grid.bricks, list);
}

void redistance(const Grid& grid, const Solids& solids, const BrickSet& seeds, Reinitialisation how, LiquidState& s,
                LiquidScratch& w)
{
    const float band = grid.band;
    const View3<float> phi = s.phi;
    fillGhostCells(grid, seeds, phi);
    const BrickList surface =
        bricksWhere(grid, seeds, "surface.find", [=](int i, int j, int k) { return crosses(phi, i, j, k); });
    const BrickSet near(grid.bricks, dilated(grid.bricks, surface)),
        around(grid.bricks, dilated(grid.bricks, near.list));
    replaceActive(grid, joined(seeds.list, near.list), s, w);
    if (how == Reinitialisation::pde)
        reinitialiseByPde(grid, near, around, s, w);
    else
        spreadFromSurface(grid, solids, near, around, s, w);
    const BrickSet rest(grid.bricks, without(grid.bricks, s.active.list, near.list));
    parallelFor("surface.sign", rest, [=](int i, int j, int k) { phi(i, j, k) = phi(i, j, k) < 0 ? -band : band; });
    fillGhostCells(grid, s.active, phi);
    replaceActive(grid,
                  bricksWhere(grid, s.active, "surface.find", [=](int i, int j, int k) { return phi(i, j, k) < band; }),
                  s, w);
}

}  // namespace flotsam
