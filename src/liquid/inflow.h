// Sources: liquid that enters with a prescribed velocity U through an area A, wherever the source is
// (docs/methods/surface.md, section 6).
//
// A source is a nozzle: its shape, and upstream of that as much as three cells need. Its cells are no unknowns of the
// pressure; their faces are closed, and those at its downstream end let U through. Neither gravity nor the liquid
// outside changes what passes. While it is open, liquid fills the nozzle from its upstream end at the speed |U|, so
// that the volume poured is A |U| t from the moment of opening. A source without velocity pours nothing and holds the
// liquid that is in it.
#pragma once

#include <memory>

#include "liquid/solids.h"
#include "liquid/surface.h"

namespace flotsam {

class Inflow {
public:
    Inflow(const Grid& grid, const Source& source);

    // Cells that hold the nozzle, with some around it: for Solids.
    static IndexBox cellsNear(const Grid& grid, const Source& source);

    // Where liquid is in the nozzle at a time: its own distance, cut off at the front [m].
    double signedDistance(Vec3 p_m, double t_s) const;
    // Whether a point lies between the ends of the nozzle along U, at least a cell from either.
    bool isBetweenEnds(Vec3 p_m) const
    {
        const double at_m = dot(direction, p_m);
        return at_m > upstream_m + grid.h && at_m < downstream_m - grid.h;
    }
    // Whether the nozzle is wider upstream of a point, as the front half of a ball is: liquid that has left it passes
    // there.
    bool isNarrowing(Vec3 p_m) const
    {
        return nozzleDistance(p_m) - nozzleDistance(p_m - grid.h * direction) > 0.05 * grid.h;
    }
    // The cells that it may be in.
    IndexBox cells() const { return box; }
    // Locks for the pressure. What passes through a nozzle in the open is U on each of its downstream faces; under
    // water their sum is made A |U|, whatever part of its faces the nozzle's rim cuts.
    void addLocks(const Solids& solids, View3<const float> phi, std::vector<FaceLock>& locks) const;
    // What it pours between two times while it is open [m3].
    double poured(View3<const float> phi, double from_s, double to_s) const;

    const SourceSpec& spec() const { return source.spec; }
    const Shape& shape() const { return *source.shape; }

private:
    struct NozzleFace {
        int axis;
        Int3 face, inside, outside;  // the cells on either side; inside: of the nozzle
        bool emits;
    };
    // A ray along U through the nozzle: where it enters it, along U [m].
    void measureRays();
    void listFaces();
    void fitArea();
    double measuredVolume(double wider) const;
    double nozzleDistance(Vec3 p_m) const;
    Vec3 centerOf(Int3 c) const { return grid.h * Vec3{c.x + 0.5, c.y + 0.5, c.z + 0.5}; }
    bool isNozzle(Int3 c) const;
    double underWater(const Solids& solids, View3<const float> phi) const;
    double front(double t_s) const { return speed_m_s * std::max(0.0, t_s - source.spec.from_s); }

    const Grid& grid;
    Source source;
    Vec3 direction;  // of U
    double speed_m_s;
    double longer_m = 0;  // by how much the nozzle is longer than the shape
    double area_m2 = 0, ray_area_m2 = 0;
    double upstream_m = 0, downstream_m = 0;  // along U: its ends
    std::vector<double> entries_m, exits_m;   // of the rays, past the upstream end
    IndexBox box;
    std::vector<uint8_t> nozzle_cells;  // of the box
    std::vector<NozzleFace> faces;
    double emitted_m3_s = 0;  // of all faces that emit, at U
    double wider_m = 0;       // what the nozzle's sides need so that the surface between cell centres has its area
};

}  // namespace flotsam
