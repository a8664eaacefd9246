// Immobile and prescribed-motion solids on the grid: distances at the corners of cells, and the open fraction of every
// face.
#pragma once

#include <memory>
#include <vector>

#include "liquid/state.h"

namespace flotsam {

// Something in the way of the liquid, wherever it is at the moment.
class Obstacle {
public:
    virtual ~Obstacle() = default;
    virtual bool moves() const = 0;
    virtual void moveTo(double t_s) = 0;
    virtual Bounds bounds() const = 0;
    virtual double signedDistance(Vec3 p_m) const = 0;
    // Of `count` points, step_m apart along x from p_m on: those that may be within reach_m of it or inside.
    struct Span {
        int first = 0, end = 0;
    };
    virtual Span spanNear(Vec3 /*p_m*/, double /*step_m*/, int count, double /*reach_m*/) const { return {0, count}; }
    virtual Vec3 velocityAt(Vec3 p_m) const = 0;
    virtual double fastest() const = 0;  // [m/s] of any of its points
};

class Solids {
public:
    Solids(const Grid& grid, const std::vector<SolidSpec>& specs);
    // Some solids and others besides: barriers of the surface. Distances are taken over from those, which stay and move
    // first; open fractions are known at open sides of the domain alone, the only ones that a barrier is asked for.
    Solids(const Grid& grid, const Solids& base, std::vector<std::unique_ptr<Obstacle>> others);

    // Moves the solids to time t_s and recomputes what that changes.
    void moveTo(double t_s);

    // How much of a face is open to the liquid, 0..1. Closed sides of the domain are 0; open ones are 1
    // where no solid covers them.
    float openFraction(int axis, int i, int j, int k) const
    {
        const int n = grid.cells[axis], c = axis == 0 ? i : axis == 1 ? j : k;
        Int3 cell{i, j, k};
        if (c <= 0 && !grid.open[axis][0]) return 0.0f;
        if (c >= n) {
            if (!grid.open[axis][1]) return 0.0f;
            cell[axis] = n - 1;
        }
        return touches(cell) ? fraction[axis](i, j, k) : 1.0f;
    }
    // The same at a face that is not on a side of the domain, and whose cell's brick is near a solid.
    float innerOpenFraction(int axis, Int3 face) const { return fraction[axis](face); }
    // Whether a solid is near the brick of a cell; elsewhere all inner faces are open.
    bool touches(Int3 c) const { return near[size_t(grid.bricks.index(grid.bricks.ofCell(c)))] != 0; }
    // f(box, near) for each brick of a strip; near: whether a solid is.
    template <class F>
    void forBricks(IndexBox strip, const F& f) const
    {
        for (int i = strip.lo.x; i < strip.hi.x; i += Bricks::side.x) {
            const int end = std::min(i - i % Bricks::side.x + Bricks::side.x, strip.hi.x);
            f(IndexBox{{i, strip.lo.y, strip.lo.z}, {end, strip.hi.y, strip.hi.z}},
              touches({i, strip.lo.y, strip.lo.z}));
        }
    }
    // Signed distance at a cell's centre [m], negative inside a solid; only where touches().
    float distance(int i, int j, int k) const
    {
        const View3<const float> d = corner_distance;
        return 0.125f * (((d(i, j, k) + d(i + 1, j, k)) + (d(i, j + 1, k) + d(i + 1, j + 1, k))) +
                         ((d(i, j, k + 1) + d(i + 1, j, k + 1)) + (d(i, j + 1, k + 1) + d(i + 1, j + 1, k + 1))));
    }
    // The same at the middle of a low face.
    float faceDistance(int axis, int i, int j, int k) const
    {
        const View3<const float> d = corner_distance;
        const Int3 c{i, j, k}, s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
        return 0.25f * ((d(c) + d(c + s)) + (d(c + t) + d(c + s + t)));
    }
    // Whether a position [cells] of the domain is inside a solid. A distance changes no faster than the way: where a
    // corner of the cell is 2.5 cells away, a diagonal and what the distances from a grid lack, the cell is outside.
    bool isInside(Float3 p) const
    {
        const Int3 c{int(p.x), int(p.y), int(p.z)};
        return corner_distance.view()(c) < 2.5f * float(grid.h) && touches(c) && trilinear(corner_distance, p) < 0;
    }
    // Out of the solid, not normalised.
    Float3 gradient(int i, int j, int k) const;
    // Of the nearest solid's material at a point [m].
    Vec3 velocityAt(Vec3 p_m) const;
    double fastest() const;  // [m/s] of any point of any solid
    bool empty() const { return obstacles.empty() && (!base || base->empty()); }
    const BrickSet& bricks() const { return near_set; }

private:
    Vec3 cornerPosition(int i, int j, int k) const;
    // Corners whose distance to it may matter; empty where it is far from the domain.
    IndexBox cornersAround(const Obstacle& obstacle) const;
    // Bricks with cells at those, or up to so many cells from them.
    IndexBox bricksAround(const Obstacle& obstacle, int more_cells) const;
    void markBricks(const Obstacle& obstacle, std::vector<uint8_t>& marks) const;
    void start();
    void listObstacles();
    void addDistance(const Obstacle& o, IndexBox corners);
    void startDistance(int brick, IndexBox corners);
    void recompute(const BrickList& list);
    void recomputeFractions(const BrickSet& set);
    BrickList atOpenSides(const BrickList& list) const;
    struct Nearest {
        const Obstacle* obstacle = nullptr;
        double distance_m = 1e30;
    };
    Nearest nearestTo(Vec3 p_m, int brick) const;

    const Grid& grid;
    const Solids* base = nullptr;  // whose distances these begin with, or none
    std::vector<std::unique_ptr<Obstacle>> obstacles;
    std::vector<uint8_t> near;  // by brick
    BrickSet near_set;
    // By brick: all whose distance at its corners may matter.
    std::vector<std::vector<const Obstacle*>> within_reach;
    BrickList with_obstacles;       // bricks whose list is not empty
    BrickList moving_bricks;        // what the moving solids touched last time
    Field3<float> corner_distance;  // [m] at low corners of cells
    Field3<float> fraction_field[3];
    View3<const float> fraction[3];
    bool any_moving = false;
};

}  // namespace flotsam
