// The geometry of a source: its shape as a nozzle, and the stream that leaves it straight ahead
// (docs/methods/surface.md, section 6).
#pragma once

#include <memory>

#include "liquid/state.h"
#include "liquid/surface.h"

namespace flotsam {

class Nozzle {
public:
    Nozzle(const Grid& grid, const Source& source);

    // The distance to the nozzle, and to the nozzle and the region straight ahead of it [m].
    double distance(Vec3 p_m) const { return shapeDistance(p_m) - wider_m; }
    double streamDistance(Vec3 p_m) const { return streamShapeDistance(p_m) - wider_m; }
    // Whether a point lies between the ends along U, at least one cell from either.
    bool isBetweenEnds(Vec3 p_m) const
    {
        const double at_m = dot(direction, p_m);
        return at_m > upstream_m + grid.h && at_m < downstream_m - grid.h;
    }

    const IndexBox cells;  // around it
    const Vec3 direction;  // of U
    const double speed_m_s;
    double area_m2 = 0;                       // of its projection along U, within the domain
    double upstream_m = 0, downstream_m = 0;  // its ends, along U
    double ray_area_m2 = 0;
    std::vector<double> entries_m;  // where rays along U enter it, past the upstream end

private:
    // The least distance from a point and the points behind it along U, and how far back it is.
    struct StreamLevel {
        double level_m, back_m;
    };
    StreamLevel streamLevel(Vec3 p_m) const;
    double shapeDistance(Vec3 p_m) const;
    double streamShapeDistance(Vec3 p_m) const;
    double partInStream(Int3 lowest) const;
    void measureRays(const Bounds& bounds);
    void fitArea();

    const Grid& grid;
    std::shared_ptr<const Shape> shape;
    double longer_m = 0;  // its extra length compared with the shape
    double wider_m = 0;   // the widening that gives the surface between cell centres the right area
};

}  // namespace flotsam
