// Air that is left between liquid and a wall or a solid that it is about to meet.
//
// A cell is liquid as soon as the surface has passed its centre, half a cell before the liquid reaches a wall. Stopped
// there, a drop that lands gains half a cell times the area of its foot; and as the velocity at the centre is the mean
// of the liquid's and the wall's, its surface lags behind the liquid before, which then flows into air and is lost: a
// viscous drop of 5 cells radius lost 10 % and gained 20 %. So the surface moves with the liquid until it is at the
// wall. In the pressure the liquid has its surface in the gap until the gap is filled within a step, and then as much
// comes as fills it. Without that limit half of the way of a step times the area of the foot was lost (5 % of the same
// drop); a flow that is prescribed in every gap pulls the liquid, and keeps itself up.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

class WallGaps {
public:
    WallGaps(const Grid& grid, const Solids& solids, double gravity_m_s2, LiquidState& s);

    // Of a cell next to a wall or a solid: the air between that and liquid that comes nearer. Liquid at rest leaves
    // none: in the wedge under a plate that dips in, the surface is level.
    struct Gap {
        float width_m = 0;  // 0: there is none
        float closing_m_s = 0;
        float theta = 0;  // [cells] from the cell's centre to the surface
        Float3 away{};    // from the wall, of length 1
    };
    Gap at(Int3 c) const
    {
        if (std::abs(phi(c)) >= float(grid.h)) return {};
        const Gap gap = atWall(c);
        return gap.width_m == 0 && solids.touches(c) ? atSolid(c) : gap;
    }

    // What comes in through the faces along the wall: the liquid that is pressed out from under a drop.
    float inflowAlong(int across, Int3 c) const;

private:
    float fastestFace(Int3 c) const;
    Gap atWall(Int3 c) const;
    Gap atSolid(Int3 c) const;

    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    ConstMacView u;
    float least_speed_m_s;
};

// The velocity at the centres of air cells, and of those with a gap, next to a wall or a solid: the mean of a cell's
// open faces alone.
void freeFromWalls(const Grid& grid, const Solids& solids, const WallGaps& gaps, const BrickSet& set, LiquidState& s,
                   View3<Float4> velocity);

// Lists the gaps of liquid cells in w.gap_flows, and those of air cells that are filled within dt_s. The latter become
// liquid; returns the phi that was there.
std::vector<GapCell> openWallGaps(const Grid& grid, const Solids& solids, const WallGaps& gaps, double dt_s,
                                  LiquidState& s, LiquidScratch& w);
void restoreWallGaps(const Grid& grid, const std::vector<GapCell>& cells, LiquidState& s);

}  // namespace flotsam
