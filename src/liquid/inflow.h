// Sources: liquid that enters with a prescribed velocity U through an area A, anywhere in the domain
// (docs/methods/surface.md, section 6).
//
// A source is a nozzle: its shape, extended upstream where it is shorter than three cells. Its cells are not unknowns
// of the pressure. Their faces are closed, except that those at its downstream end let U through. Neither gravity nor
// the liquid outside changes the flow rate. While the source is open, liquid fills the nozzle from its upstream end at
// the speed |U|, so that the volume poured is A |U| t from the moment of opening. A source without velocity pours
// nothing and keeps the liquid inside it.
#pragma once

#include <optional>

#include "liquid/nozzle.h"
#include "liquid/solids.h"
#include "liquid/surface.h"

namespace flotsam {

class Inflow {
public:
    Inflow(const Grid& grid, const Source& source);

    // phi of the liquid in the nozzle at a time: the distance to the nozzle, cut off at the liquid front.
    float nozzlePhi(Int3 c, double t_s) const;
    // phi of the nozzle and of the stream that leaves it straight ahead, as the one from the sides of a ball does.
    // Only between the ends of the nozzle along U, at least one cell from either.
    std::optional<float> streamPhi(Int3 c, double t_s) const;
    // A box that contains all cells of the nozzle.
    IndexBox cells() const { return nozzle.cells; }
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
    void listCells();
    void listFaces();
    void listBeside();
    // The distance past the liquid front [m].
    float frontDistance(Int3 c, double t_s) const
    {
        return float(dot(nozzle.direction, cellPosition(grid.h, c)) - nozzle.upstream_m - front(t_s));
    }
    size_t indexOf(Int3 c) const
    {
        const Int3 n = cells().size(), o = c - cells().lo;
        return size_t(o.x + n.x * (o.y + n.y * o.z));
    }
    bool isNozzle(Int3 c) const;
    double underWater(const Solids& solids, View3<const float> phi) const;
    double openShare(const Solids& solids) const;
    double front(double t_s) const { return nozzle.speed_m_s * std::max(0.0, t_s - source.spec.from_s); }

    const Grid& grid;
    Source source;
    Nozzle nozzle;
    std::vector<uint8_t> nozzle_cells;  // of the box
    std::vector<float> stream_m;        // the distance to the stream, of the cells of the box
    std::vector<NozzleFace> faces;
    std::vector<BesideCell> beside;  // around the faces that emit
    std::vector<Int3> ends;          // the nozzle cells at those faces and at boundaries that U points to
    double emitted_m3_s = 0, into_boundary_m3_s = 0;  // at U: through the emitting faces; into boundaries of the domain
};

}  // namespace flotsam
