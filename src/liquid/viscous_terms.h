// The terms of the viscous energy on the grid (docs/methods/viscosity.md, eqs. 4-8): velocity differences between
// neighbouring faces, at cell centres and cell edges, and how walls, solids and air modify them.
#pragma once

#include "grid/fractions.h"
#include "liquid/cell_viscosity.h"
#include "liquid/solids.h"
#include "liquid/viscous_bodies.h"

namespace flotsam {

// high u_high - low u_low + known [m/s], plus the velocities of points of bodies; a coefficient is zero if the face is
// not an unknown.
struct Difference {
    bool valid = false;  // false: no stress here
    float high = 0, low = 0, known = 0;
    float open_fraction = 1;  // fraction of the control volume that is not behind a wall
    BodyPoint of_high = {}, of_low = {};

    bool coupled() const { return high > 0 && low > 0; }
    float any() const { return std::max(high, low); }
};

class ViscousTerms {
public:
    ViscousTerms(const Grid& grid, const Solids& solids, LiquidState& s, LiquidScratch& w, const CellViscosity& nu);

    enum class Face { air, unknown, wall, solid, inflow };
    Face kindOf(int axis, Int3 c) const;
    bool isUnknown(int axis, Int3 c) const { return kindOf(axis, c) == Face::unknown; }

    // The difference between the faces `high` and high - e_along of a component.
    Difference difference(int axis, int along, Int3 high) const;
    // The liquid fractions of control volumes: of a face, of a cell, of an edge along n. The stiffnesses are these
    // fractions times the viscosity.
    float massOf(int axis, Int3 c) const;
    float stiffnessOfCell(Int3 c) const { return nu.at(c) * liquidFraction(phi(c)); }
    float stiffnessOfEdge(int n, Int3 c) const;

    // Whether the faces and edges at the low corner of a cell lie in liquid alone, two cells from the air and away from
    // walls, solids and inflows (`near_fixed`: one of those is near), so that every weight is 1.
    bool isPlain(Int3 c, bool near_fixed) const { return !near_fixed && phi(c) <= -2 * h && inner.contains(c); }
    // Whether a solid or a source is near.
    bool touchesSolid(Int3 c) const { return solids.touches(min(max(c, {0, 0, 0}), grid.cells - Int3{1, 1, 1})); }
    // The velocity that a solid or an inflow prescribes on a face [m/s]; zero for other kinds.
    float prescribed(Face kind, int axis, Int3 c) const;
    // The body, among those whose velocity is unknown, that a point of a solid belongs to; -1: none.
    int bodyAt(Vec3 p_m) const { return unknown_bodies ? unknown_bodies->bodyOf(solids.nearestTo(p_m)) : -1; }

    const Grid& grid;
    const Solids& solids;
    const CellViscosity nu;

private:
    float liquidFraction(float phi_m) const { return belowSurface(phi_m, h); }
    bool slips(int side_axis) const { return !grid.no_slip || (side_axis == 2 && grid.cells.z == 1); }
    Difference differenceAtWall(Face wall, int axis, int along, Int3 free, Int3 fixed, bool free_is_high) const;

    View3<const float> phi;
    View3<const uint8_t> known[3];
    const ViscousBodies* unknown_bodies;
    IndexBox inner;
    float h;
};

}  // namespace flotsam
