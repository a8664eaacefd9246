// The initial liquid: phi from the distances to the shapes of the regions.
//
// A face of a region that lies on a wall of the domain or on a solid is not a free surface, but the distance to the
// shape is measured to it. Within half a cell of a wall it hides the distance to the real surface: for water 0.3 m deep
// in a box flush with the walls, phi of the outermost cells was wrong by up to a quarter of a cell, and the water moved
// at 0.02 m/s.
#include "liquid/contact_line.h"
#include "liquid/surface.h"

namespace flotsam {

namespace {

class Regions {
public:
    Regions(const Grid& grid_, const Solids& solids_, const std::vector<std::shared_ptr<const Shape>>& shapes_)
        : grid(grid_), solids(solids_), shapes(shapes_)
    {
    }
    // Distance to the union; exact outside and at the surface.
    double distance(Vec3 p_m) const
    {
        double d = 1e300;
        for (const auto& shape : shapes) d = std::min(d, shape->signedDistance(p_m));
        return d;
    }
    // Whether the face of a region at distance |d| lies on a closed wall, behind it, on a solid or within another
    // region. It is searched along the axes and along the gradient of the distance (which is meaningless where two
    // faces are equally near, as in the edges of the tank).
    bool measuresWall(Int3 c, double d) const
    {
        const Vec3 p = cellPosition(grid.h, c);
        const double beyond_m = std::abs(d) * (1 + 1e-6) + 1e-6 * grid.h;
        bool is_surface = false;  // whether the liquid ends there at all: two regions may share a face
        Vec3 slope;
        for (int a = 0; a < (grid.cells.z == 1 ? 2 : 3); ++a) {
            Vec3 step;
            step[a] = 1e-3 * grid.h;
            slope[a] = distance(p + step) - distance(p - step);
            for (int side = 0; side < 2; ++side) {
                Vec3 side_point = p;
                side_point[a] += (side ? 1 : -1) * beyond_m;
                if ((distance(side_point) < 0) == (d < 0)) continue;
                is_surface = true;
                if (isOnWall(c, p, side_point)) return true;
            }
        }
        const Vec3 out = (d < 0 ? 1.0 : -1.0) * normalized(slope);
        is_surface |= (distance(p + (beyond_m + 1e-3 * grid.h) * out) < 0) != (d < 0);
        return !is_surface || isOnWall(c, p, p + std::abs(d) * out);
    }
    // The distance from the points where the surface crosses the lines to the neighbours: exact for a plane whose
    // crossings are all within one cell, so for a horizontal one. 0: no crossings.
    double distanceByCrossings(View3<const float> phi, Int3 c) const
    {
        const bool liquid = phi(c) < 0;
        double sum = 0;
        for (int a = 0; a < 3; ++a) {
            double nearest = 2;
            forSeenAlong(c, a, [&](Int3 q) {
                if ((phi(q) < 0) == liquid) return;
                const double at = crossing(c, q);
                if (!solids.touches(c) ||
                    !isOnSolid(cellPosition(grid.h, c) + at * (cellPosition(grid.h, q) - cellPosition(grid.h, c))))
                    nearest = std::min(nearest, at);
            });
            if (nearest <= 1) sum += 1 / (nearest * nearest);
        }
        return sum > 0 ? grid.h / std::sqrt(sum) : 0;
    }
    // f(cell) for the neighbours in the domain that no thin solid hides.
    template <class F>
    void forSeen(Int3 c, const F& f) const
    {
        for (int a = 0; a < 3; ++a) forSeenAlong(c, a, f);
    }

private:
    template <class F>
    void forSeenAlong(Int3 c, int a, const F& f) const
    {
        for (int side = 0; side < 2; ++side) {
            const Int3 q = side ? c + unit(a) : c - unit(a);
            if (q[a] >= 0 && q[a] < grid.cells[a] && !solids.isBlocked(a, side ? q : c) && !solids.isInert(q)) f(q);
        }
    }
    bool isOnWall(Int3 c, Vec3 p, Vec3 side_point) const
    {
        const double touching_m = 1e-3 * grid.h;
        for (int a = 0; a < 3; ++a) {
            if (side_point[a] < touching_m && !grid.open[a][0]) return true;
            if (side_point[a] > grid.h * grid.cells[a] - touching_m && !grid.open[a][1]) return true;
        }
        if (solids.empty() || !solids.touches(c)) return false;
        return isOnSolid(side_point) || (solids.isNearThin(c) && solids.separates(inCells(p), inCells(side_point)));
    }
    // Whether the face of a region lies along the surface of a solid there: at a contact line it only crosses it.
    bool isOnSolid(Vec3 p) const
    {
        Int3 cell;
        for (int a = 0; a < 3; ++a) cell[a] = std::clamp(int(p[a] / grid.h), 0, grid.cells[a] - 1);
        if (std::abs(solids.distanceAt(p, cell)) > 1e-3 * grid.h) return false;
        const auto slopeOf = [&](const auto& f) {
            Vec3 slope;
            for (int a = 0; a < (grid.cells.z == 1 ? 2 : 3); ++a) {
                Vec3 step;
                step[a] = 0.05 * grid.h;
                slope[a] = f(p + step) - f(p - step);
            }
            return normalized(slope);
        };
        const Vec3 out_of_liquid = slopeOf([&](Vec3 q) { return distance(q); }),
                   out_of_solid = slopeOf([&](Vec3 q) { return solids.distanceAt(q, cell); });
        return dot(out_of_liquid, out_of_solid) < -0.999;
    }
    Float3 inCells(Vec3 p) const { return {float(p.x / grid.h), float(p.y / grid.h), float(p.z / grid.h)}; }
    // The distance from a cell centre to the sign change towards another centre, 0..1.
    double crossing(Int3 c, Int3 q) const
    {
        const Vec3 from = cellPosition(grid.h, c), to = cellPosition(grid.h, q);
        const bool liquid = distance(from) < 0;
        double lo = 1e-6, hi = 1;
        for (int n = 0; n < 40; ++n) {
            const double mid = 0.5 * (lo + hi);
            ((distance(from + mid * (to - from)) < 0) == liquid ? lo : hi) = mid;
        }
        return hi;
    }

    const Grid& grid;
    const Solids& solids;
    const std::vector<std::shared_ptr<const Shape>>& shapes;
};

// Cells next to the surface with the distance to a wall get the distance to the surface. Cells adjacent to those are
// one cell farther from it; redistancing corrects the rest.
void forgetWalls(const Grid& grid, const Solids& solids, const std::vector<std::shared_ptr<const Shape>>& shapes,
                 LiquidState& s, View3<float> out)
{
    const Regions regions(grid, solids, shapes);
    const View3<const float> phi = s.phi;
    parallelFor("surface.regions", s.active, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        out(c) = phi(c);
        if (solids.isClosed(c)) out(c) = solids.depthOfClosed(c);
        if (solids.covers(c)) return;
        const double d = regions.distance(grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5});
        if (std::abs(d) > 2 * grid.h || !regions.measuresWall(c, d)) return;
        double from_surface = regions.distanceByCrossings(phi, c);
        if (from_surface == 0) {
            double nearest = 1e30;
            regions.forSeen(c, [&](Int3 q) {
                const double there = regions.distanceByCrossings(phi, q);
                if (there > 0) nearest = std::min(nearest, there);
            });
            from_surface = std::min(nearest + grid.h, double(grid.band));
        }
        out(c) = phi(c) < 0 ? -float(from_surface) : float(from_surface);
    });
    parallelFor("surface.regions", s.active,
                [to = s.phi.view(), out](int i, int j, int k) { to(i, j, k) = out(i, j, k); });
}

}  // namespace

void fillRegions(const Grid& grid, const Solids& solids, const std::vector<RegionSpec>& regions, LiquidState& s,
                 LiquidScratch& w)
{
    std::vector<std::shared_ptr<const Shape>> shapes;
    for (const RegionSpec& region : regions) {
        shapes.push_back(makeShape(region.shape, 0.5 * grid.h));
        addShape(grid, *shapes.back(), region.velocity_m_s, s, w);
    }
    forgetWalls(grid, solids, shapes, s, w.phi_new);
    if (!solids.empty()) continueIntoSolids(grid, solids, s, w);
    redistance(grid, solids, s.active, Reinitialisation::fast, s, w);
}

}  // namespace flotsam
