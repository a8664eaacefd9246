// Sources: liquid that enters with a prescribed velocity U through an area A, anywhere in the domain
// (docs/methods/surface.md, section 6).
//
// A source is a nozzle: its shape, extended upstream where it is shorter than three cells. Its cells are not unknowns
// of the pressure. Their faces are closed, except that those at its downstream end let U through. Neither gravity nor
// the liquid outside changes the flow rate. While the source is open, liquid fills the nozzle from its upstream end at
// the speed |U|, so that the volume poured is A |U| t from the moment of opening. A source without velocity pours
// nothing and keeps the liquid inside it.
#pragma once

#include <memory>
#include <optional>

#include "liquid/solids.h"
#include "liquid/surface.h"

namespace flotsam {

class Inflow {
public:
    Inflow(const Grid& grid, const Source& source);

    // The cells of the nozzle and some around it, for Solids.
    static IndexBox cellsNear(const Grid& grid, const Source& source);

    // phi of the liquid in the nozzle at a time: the distance to the nozzle, cut off at the liquid front.
    float nozzlePhi(Int3 c, double t_s) const;
    // phi of the nozzle and of the stream that leaves it straight ahead, as the one from the sides of a ball does.
    // Only between the ends of the nozzle along U, at least one cell from either.
    std::optional<float> streamPhi(Int3 c, double t_s) const;
    // A box that contains all cells of the nozzle.
    IndexBox cells() const { return box; }
    // Face locks for the pressure. A nozzle in the air emits U on each of its downstream faces. Under water the sum
    // over these faces is scaled to A |U|, whatever fraction of them the rim of the nozzle cuts.
    void addLocks(const Solids& solids, View3<const float> phi, std::vector<FaceLock>& locks) const;
    // The flow rate, as far as the nozzle is under water; 0 in the air [m3/s].
    double rateIntoLiquid(const Solids& solids, View3<const float> phi) const;
    // The volume poured between two times while it is open [m3].
    double poured(const Solids& solids, View3<const float> phi, double from_s, double to_s) const;

    const SourceSpec& spec() const { return source.spec; }
    const Shape& shape() const { return *source.shape; }

private:
    struct NozzleFace {
        int axis;
        Int3 face, inside, outside;  // the two adjacent cells; inside: in the nozzle
        bool emits;
    };
    struct BesideCell {
        Int3 cell;
        float stream_m;
    };
    // Casts rays along U through the nozzle: its area, its ends and where each ray enters, along U [m].
    void measureRays();
    void fitArea();
    void listCells();
    void listFaces();
    void listBeside();
    double nozzleDistance(Vec3 p_m) const;
    // The least distance to the nozzle from a point and the points behind it along U, and how far back it is.
    struct StreamLevel {
        double level_m, back_m;
    };
    StreamLevel streamLevel(Vec3 p_m) const;
    // The distance to the nozzle and the region straight ahead of it.
    double streamDistance(Vec3 p_m) const;
    double partInStream(Int3 lowest) const;
    bool isBetweenEnds(Vec3 p_m) const
    {
        const double at_m = dot(direction, p_m);
        return at_m > upstream_m + grid.h && at_m < downstream_m - grid.h;
    }
    // The distance past the liquid front [m].
    float frontDistance(Int3 c, double t_s) const { return float(dot(direction, centerOf(c)) - upstream_m - front(t_s)); }
    Vec3 centerOf(Int3 c) const { return grid.h * Vec3{c.x + 0.5, c.y + 0.5, c.z + 0.5}; }
    size_t indexOf(Int3 c) const
    {
        const Int3 n = box.size(), o = c - box.lo;
        return size_t(o.x + n.x * (o.y + n.y * o.z));
    }
    bool isNozzle(Int3 c) const;
    double underWater(const Solids& solids, View3<const float> phi) const;
    double openShare(const Solids& solids) const;
    double front(double t_s) const { return speed_m_s * std::max(0.0, t_s - source.spec.from_s); }

    const Grid& grid;
    Source source;
    Vec3 direction;  // of U
    double speed_m_s;
    double longer_m = 0;  // extra length of the nozzle compared with the shape
    double area_m2 = 0, ray_area_m2 = 0;
    double upstream_m = 0, downstream_m = 0;  // its ends, along U
    std::vector<double> entries_m;            // of the rays, past the upstream end
    IndexBox box;
    std::vector<uint8_t> nozzle_cells;  // of the box
    std::vector<float> stream_m;        // streamDistance of the cells of the box, less the widening
    std::vector<NozzleFace> faces;
    std::vector<BesideCell> beside;  // around the faces that emit
    std::vector<Int3> ends;          // the nozzle cells at those faces and at boundaries that U points to
    double emitted_m3_s = 0, into_boundary_m3_s = 0;  // at U: through the emitting faces; into boundaries of the domain
    double wider_m = 0;       // widening of the nozzle that gives the surface between cell centres the right area
};

}  // namespace flotsam
