// Fixed solids and solids with prescribed motion on the grid: signed distances at cell corners, and the open fraction
// of every face.
#pragma once

#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "geometry/clip.h"
#include "liquid/state.h"

namespace flotsam {

// An obstacle for the liquid, at its current position.
class Obstacle {
public:
    virtual ~Obstacle() = default;
    virtual bool moves() const = 0;
    virtual void moveTo(double t_s) = 0;
    virtual Bounds bounds() const = 0;
    virtual double signedDistance(Vec3 p_m) const = 0;
    // The planes of its faces if it is a convex polytope with few faces; else none.
    virtual std::span<const OutwardPlane> planes() const { return {}; }
    // Whether it is convex, with blunt edges, and nowhere thinner than this. False if that is not known.
    virtual bool isThick(double /*thickness_m*/) const { return false; }
    // Of `count` points, step_m apart along x starting at p_m: those that may be within reach_m of it or inside.
    struct Span {
        int first = 0, end = 0;
    };
    virtual Span spanNear(Vec3 /*p_m*/, double /*step_m*/, int count, double /*reach_m*/) const { return {0, count}; }
    // Whether it lies between two points outside it, however thin it is there. The default uses signed distances, which
    // must not exceed the true ones.
    virtual bool separates(Vec3 p_m, Vec3 q_m) const;
    // The same, but false if one of the points is inside, where signed distances have its sign wrong.
    virtual bool passesBetween(Vec3 p_m, Vec3 q_m) const { return separates(p_m, q_m); }
    virtual Vec3 velocityAt(Vec3 p_m) const = 0;
    virtual double fastest() const = 0;  // [m/s] upper bound on the speed of any of its points
};

// A face that is closed in this step for a reason other than being covered by a solid: the contact line, or a source.
struct FaceLock {
    struct Inflow {
        float through_m_s;   // normal velocity prescribed for the cells outside the source
        float velocity_m_s;  // of the liquid in the source
    };
    int axis;
    Int3 face;
    std::optional<Inflow> inflow;  // none: the face moves with the nearest solid
};

class Solids {
public:
    // kept_near: cells whose bricks are treated as near a solid although there is none; face locks may lie in them.
    Solids(const Grid& grid, const std::vector<SolidSpec>& specs, const std::vector<IndexBox>& kept_near = {});
    // The solids of `base` plus others. Distances are copied from `base`, which must outlive this object and be moved
    // first. Barriers: obstacles for the surface alone; open fractions are valid only at open boundaries of the domain,
    // the only ones that are queried for it. Walls: obstacles for the flow as well; the open fractions inside the
    // domain are those of `base` until cover() sets the faces of the others.
    enum class Others { barriers, walls };
    Solids(const Grid& grid, const Solids& base, std::vector<std::unique_ptr<Obstacle>> others, Others others_are);
    Solids(const Solids&) = delete;  // obstacles are referred to by address, and the grid is not owned
    Solids& operator=(const Solids&) = delete;

    // Moves the solids to time t_s and updates everything that depends on it.
    void moveTo(double t_s);

    // Sets the parts of a face that are open, and covered by bodies whose velocity is not known yet; only for walls,
    // until the next moveTo().
    void cover(int axis, Int3 face, float open, float by_bodies)
    {
        fraction_field[axis].view()(face) = open;
        body_part[axis].view()(face) = by_bodies;
    }
    // Increases the open part of a face, beyond 1: the liquid at a closed face next to it moves with that at this one.
    void widen(int axis, Int3 face, float by)
    {
        fraction_field[axis].view()(face) += by;
        body_part[axis].view()(face) -= by;
    }
    // Closes these faces, and unlocks those of the previous call.
    void lock(const std::vector<FaceLock>& faces);

    // The fraction of a face that is open to the liquid, 0..1: 0 on closed boundaries of the domain, 1 on open ones
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
    // The same for a face that is not on a domain boundary and whose cell is in a brick near a solid.
    float innerOpenFraction(int axis, Int3 face) const { return fraction[axis](face); }
    // The same without the others that are walls.
    float baseOpenFraction(int axis, Int3 face) const
    {
        return base->touches(face) ? base->innerOpenFraction(axis, face) : 1.0f;
    }
    // The same with the others, by the distances at its corners: the area that is open to the conduction of heat. It
    // depends neither on cover() nor on locks.
    float uncoveredFraction(int axis, Int3 face) const;
    // The solids without the others.
    const Solids& fixedSolids() const { return base ? *base : *this; }
    // Whether a solid is near the brick of a cell; elsewhere all inner faces are open.
    bool touches(Int3 c) const { return near[size_t(grid.bricks.index(grid.bricks.ofCell(c)))] != 0; }
    // f(box, near) for each brick of a strip; near: whether a solid is near it.
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
    // The same at a point of a cell.
    double distanceAt(Vec3 p_m, Int3 c) const
    {
        return nearestTo(p_m, grid.bricks.index(grid.bricks.ofCell(c))).distance_m;
    }
    // The same at the centre of a low face.
    float faceDistance(int axis, int i, int j, int k) const
    {
        const View3<const float> d = corner_distance;
        const Int3 c{i, j, k}, s = unit((axis + 1) % 3), t = unit((axis + 2) % 3);
        return 0.25f * ((d(c) + d(c + s)) + (d(c + t) + d(c + s + t)));
    }
    // Whether a cell's centre is inside a solid.
    bool covers(Int3 c) const { return (marks.view()(c) & Mark::inside) != 0; }
    // Whether no face of the cell is open: its centre is inside a solid that is too thin for the grid to resolve.
    bool isClosed(Int3 c) const { return (marks.view()(c) & Mark::closed) != 0; }
    // Depth of its centre inside the solid [m]: phi of such a cell, which is never liquid.
    float depthOfClosed(Int3 c) const;
    // Whether phi of a cell has no meaning: it is closed, or so deep inside a solid that it is never read.
    bool isInert(Int3 c) const { return (marks.view()(c) & (Mark::closed | Mark::deep)) != 0; }
    // Whether reinitialisation leaves the extrapolated phi of a cell as it is: inside bodies that are walls.
    bool keepsExtrapolated(Int3 c) const { return areBodiesWalls() && covers(c); }
    // Whether a solid or a body is within 2.5 cells of its centre, where bodies are walls.
    bool isNearBody(Int3 c) const
    {
        return areBodiesWalls() && touches(c) && distance(c.x, c.y, c.z) < 2.5f * float(grid.h);
    }
    // Whether it is inert because no cell outside is near, although it is not deep inside any one solid or body: where
    // several touch, or one touches the floor.
    bool isEnclosed(Int3 c) const
    {
        return isInert(c) && !isClosed(c) && distance(c.x, c.y, c.z) >= -Mark::deep_cells * float(grid.h);
    }
    // Whether a face that is not on a domain boundary is at least partly open.
    bool letsThrough(int axis, Int3 face) const { return !isNear(face) || isOpenNear(axis, face); }
    // Whether a solid too thin for the grid to resolve lies between a cell and its lower neighbour along an axis: no
    // interpolation may use values across that face.
    bool isBlocked(int axis, Int3 face) const { return (marks.view()(face) & 1 << axis) != 0; }
    // Whether a face within two cells is blocked.
    bool isNearThin(Int3 c) const { return (marks.view()(c) & Mark::near_thin) != 0; }
    bool hasThin() const { return !thin_bricks.empty() || (base && base->hasThin()); }
    // Whether an axis-aligned path without a blocked face connects two cells that are at most a few cells apart.
    bool sees(Int3 from, Int3 to) const;
    // Whether a solid lies between two points [cells] of the domain; valid only near blocked faces.
    bool separates(Float3 p, Float3 q) const;
    // Whether a solid may reach into a cell or lie between it and a neighbour. A signed distance has Lipschitz constant
    // 1, so none does if a corner of the cell is 2.5 cells away. That covers a diagonal and the error of gridded
    // distances.
    bool isNear(Int3 c) const { return (marks.view()(c) & Mark::near) != 0; }
    // Whether a position [cells] of the domain is inside a solid.
    bool isInside(Float3 p) const
    {
        return isNear({int(p.x), int(p.y), int(p.z)}) && trilinear(corner_distance, p) < 0;
    }
    // The planes of the obstacle that crosses a box of a brick, if it is the only one and a convex polytope; else none.
    std::span<const OutwardPlane> planesAcross(const Bounds& box, int brick) const;
    // Points out of the solid; not normalised.
    Float3 gradient(int i, int j, int k) const;
    // The solid nearest to a point of the domain [m], or none.
    const Obstacle* nearestTo(Vec3 p_m) const { return nearestTo(p_m, brickOf(p_m)).obstacle; }
    // The material velocity of the nearest solid at a point [m].
    Vec3 velocityAt(Vec3 p_m) const;
    // The flow through the closed part of a face with the given open fraction, per area of the face [m/s]: of the
    // solid, or of a source; without that of bodies whose velocity is not known yet.
    double closedFlow(int axis, Int3 face, double open) const;
    // The inflow at a face of an open source; null elsewhere.
    const FaceLock::Inflow* inflowAt(int axis, Int3 face) const;
    // Sets the faces of open sources to their velocity.
    void imposeInflows(MacView u) const;
    double fastest() const;  // [m/s] upper bound on the speed of any point of any solid
    // Whether it contains bodies that are walls.
    bool areBodiesWalls() const { return others_are == Others::walls; }
    bool empty() const { return obstacles.empty() && (!base || base->empty()); }
    const BrickSet& bricks() const { return near_set; }
    Int3 cells() const { return grid.cells; }

private:
    Vec3 cornerPosition(int i, int j, int k) const;
    // Corners whose distance to it may be needed; empty if it is far from the domain.
    IndexBox cornersAround(const Obstacle& obstacle) const;
    // Bricks with cells at those corners, or up to more_cells from them.
    IndexBox bricksAround(const Obstacle& obstacle, int more_cells) const;
    void markBricks(const Obstacle& obstacle, std::vector<uint8_t>& touched) const;
    void start();
    void listObstacles();
    void addDistance(const Obstacle& o, IndexBox corners);
    void startDistance(int brick, IndexBox corners);
    void recompute(const BrickList& list);
    void recomputeFractions(const BrickSet& set);
    void copyFractions(const BrickSet& set);
    bool ownsThin() const { return !base || others_are == Others::walls; }
    bool isOpenNear(int axis, Int3 face) const;
    // Marks of thin solids, which the open fraction of a face cannot represent: thin_solids.cpp.
    void markCells(const BrickList& list);
    void markCellsOf(int brick);
    void findThinBetween(int brick, std::vector<uint8_t>& faces) const;
    std::vector<uint8_t> blockThinFaces(int brick);
    void markNearThin(int brick);
    bool isEnclosedWithin(int radius, Int3 c) const;
    std::vector<Int3> enclosedCells(int brick) const;
    size_t faceKey(int axis, Int3 face) const
    {
        const Int3 n = grid.cells + Int3{1, 1, 1};
        return 3 * (size_t(face.x) + size_t(n.x) * (size_t(face.y) + size_t(n.y) * size_t(face.z))) + size_t(axis);
    }
    BrickList atOpenSides(const BrickList& list) const;
    struct Nearest {
        const Obstacle* obstacle = nullptr;
        double distance_m = 1e30;
    };
    Nearest nearestTo(Vec3 p_m, int brick) const;
    int brickOf(Vec3 p_m) const;

    // Bits per cell, 0 where no solid is near; the first three are its blocked low faces.
    struct Mark {
        static constexpr uint8_t blocked = 7, inside = 8, closed = 16, near_thin = 32, deep = 64, near = 128;
        static constexpr float near_cells = 2.5f;
        static constexpr float deep_cells = 2.5f;  // interpolation from outside reaches two cells into a solid
        static constexpr int enclosed_cells = 4;   // the widest window of the extrapolation of phi into solids
    };
    struct LockedFace {
        int axis;
        Int3 face;
        float open;  // without the lock
    };
    struct InflowFace {
        size_t key;
        int axis;
        Int3 face;
        FaceLock::Inflow inflow;
    };

    const Grid& grid;
    const Solids* base = nullptr;  // solids whose distances are the starting values, or none
    Others others_are = Others::barriers;
    std::vector<std::unique_ptr<Obstacle>> obstacles;
    std::vector<uint8_t> near;  // by brick
    std::vector<uint8_t> kept;  // by brick: near at all times
    BrickSet near_set;
    // By brick: all obstacles whose distance at its corners may be needed.
    std::vector<std::vector<const Obstacle*>> within_reach;
    BrickList with_obstacles;       // bricks whose list is not empty
    BrickList moving_bricks;        // the bricks that moving solids touched at the last update
    Field3<float> corner_distance;  // [m] at low corners of cells
    Field3<float> fraction_field[3];
    View3<const float> fraction[3];
    Field3<float> body_part[3];                 // of faces near walls
    Field3<uint8_t> marks;                      // written only near solids
    std::vector<std::vector<Int3>> thin_cells;  // by brick: cells whose low faces are blocked
    BrickList thin_bricks;                      // bricks that have some
    std::vector<LockedFace> locked;
    std::vector<InflowFace> inflow_faces;  // the locked faces with an inflow, by key
    bool any_moving = false;
};

}  // namespace flotsam
