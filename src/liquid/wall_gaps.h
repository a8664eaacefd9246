// Air left between liquid and a wall or solid that the liquid is about to reach.
//
// A cell is liquid as soon as the surface has passed its centre, half a cell before the liquid reaches a wall. If the
// liquid stopped there, a landing drop would gain half a cell times its contact area. The velocity at the cell centre
// is the mean of the liquid's and the wall's, so the surface would lag behind the liquid, which would flow into air and
// be lost. A viscous drop of 5 cells radius lost 10 % and gained 20 %. So the surface moves with the liquid until it is
// at the wall.
// In the pressure solve the liquid surface is in the gap until the gap is filled within a step; then the inflow is
// limited to the volume of the gap. Without that limit, half of the displacement in one step times the contact area was
// lost (5 % of the same drop). A flow prescribed in every gap pulls the liquid, and sustains itself.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

class WallGaps {
public:
    WallGaps(const Grid& grid, const Solids& solids, double gravity_m_s2, LiquidState& s);

    // The air between a wall or solid and approaching liquid, in an adjacent cell. Liquid at rest has no gap: in the
    // wedge under a dipping plate the surface is level.
    struct Gap {
        float width_m = 0;  // 0: there is none
        float closing_m_s = 0;
        float theta = 0;  // [cells] from the cell's centre to the surface
        Float3 away{};    // unit vector away from the wall
    };
    Gap at(Int3 c) const
    {
        if (std::abs(phi(c)) >= float(grid.h)) return {};
        const Gap gap = atWall(c);
        return gap.width_m == 0 && solids.touches(c) ? atSolid(c) : gap;
    }

    // The inflow through the faces along the wall: liquid squeezed out from under a drop.
    float inflowAlong(int across, Int3 c) const;

private:
    // Through a face, over its whole area.
    float flow(int axis, Int3 face) const { return solids.uncoveredFraction(axis, face) * u.u[axis](face); }
    float fastestFace(Int3 c) const;
    Gap atWall(Int3 c) const;
    Gap atSolid(Int3 c) const;

    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    ConstMacView u;
    float least_speed_m_s;
};

// Sets the velocity at the centres of air cells and of cells with a gap, next to a wall or a solid, to the mean of
// their open faces alone. The surface of a film on a wall moves as in wall_film.h.
void freeFromWalls(const Grid& grid, const Solids& solids, const WallGaps& gaps, const BrickSet& set, LiquidState& s,
                   View3<Float4> velocity);

// Lists the gaps of liquid cells, and those of air cells that are filled within dt_s, in w.gap_flows. The latter become
// liquid; returns their previous phi.
std::vector<GapCell> openWallGaps(const Grid& grid, const Solids& solids, const WallGaps& gaps, double dt_s,
                                  LiquidState& s, LiquidScratch& w);
void restoreWallGaps(const Grid& grid, const std::vector<GapCell>& cells, LiquidState& s);

}  // namespace flotsam
