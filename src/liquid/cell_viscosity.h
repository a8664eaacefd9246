// The viscosity of the liquid's cells. Whoever knows it better (a temperature) fills LiquidState::viscosity in the
// cells of the liquid in place of setViscosity() and moveViscosity(), and calls extendViscosity().
#pragma once

#include <span>

#include "liquid/state.h"

namespace flotsam {

// What the viscous solve asks. A zero in the field means: not known here.
struct CellViscosity {
    bool varies;
    float constant;  // [m2/s]
    ViscosityMean kind;
    View3<const float> field;

    float at(Int3 c) const
    {
        const float nu = varies ? field(c) : constant;
        return nu > 0 ? nu : constant;
    }
    // The mean of one to four cells (thesis eq. 58).
    float mean(const Int3* cells, int count) const;
    // Of the four cells around the edge along n at the low corner of a cell.
    float ofEdge(int n, Int3 c) const
    {
        if (!varies) return constant;
        const Int3 a = unit((n + 1) % 3), b = unit((n + 2) % 3), cells[4] = {c, c - a, c - b, c - a - b};
        return mean(cells, 4);
    }
};
CellViscosity cellViscosity(const LiquidParams& prm, LiquidState& s);
double largestViscosity(const CellViscosity& nu, LiquidState& s);

// Whether regions or sources of the scene have a viscosity of their own.
bool viscosityVaries(const LiquidParams& prm);

// nu in the cells whose centre is in the shape.
void setViscosity(const Grid& grid, const Shape& shape, double viscosity_m2_s, LiquidState& s);

// Carries the field with u for dt_s, before the surface moves with the same u. MacCormack's scheme on log nu, limited
// to the values around the foot of the path: a jump of 1 : 1000 stays within six cells, no new values arise, and a
// front moves by any part of a cell (nearest values would stand still below half a cell a step).
void moveViscosity(const Grid& grid, double dt_s, LiquidState& s, LiquidScratch& w);

// From the liquid's cells to those around it, as far as the velocity is extended: the mean of log nu of the neighbours
// that have a value. Liquid that has none (where a gap closed) gets it the same way.
void extendViscosity(const Grid& grid, const LiquidParams& prm, LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
