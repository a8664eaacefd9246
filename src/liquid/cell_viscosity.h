// The viscosity of liquid cells. A module with its own model of viscosity (one that depends on temperature) fills
// LiquidState::viscosity in the liquid cells instead of calling setViscosity() and moveViscosity(), then calls
// extendViscosity().
#pragma once

#include <span>

#include "liquid/state.h"

namespace flotsam {

// Input of the viscous solve. A zero in the field means that the viscosity is not known there.
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
    // The mean of the four cells around the edge along n at the low corner of a cell.
    float ofEdge(int n, Int3 c) const
    {
        if (!varies) return constant;
        const Int3 a = unit((n + 1) % 3), b = unit((n + 2) % 3), cells[4] = {c, c - a, c - b, c - a - b};
        return mean(cells, 4);
    }
};
CellViscosity cellViscosity(const LiquidParams& prm, LiquidState& s);
double largestViscosity(const CellViscosity& nu, LiquidState& s);

// Whether regions or sources of the scene set their own viscosity.
bool viscosityVaries(const LiquidParams& prm);

// Sets nu in the cells whose centre is in the shape.
void setViscosity(const Grid& grid, const Shape& shape, double viscosity_m2_s, LiquidState& s);

// Advects the field with u for dt_s; call it before the surface moves with the same u. MacCormack's scheme on log nu,
// limited to the values around the departure point: a jump of 1 : 1000 stays within six cells, no new extrema arise,
// and a front moves by any fraction of a cell (nearest values would not move below half a cell per step).
void moveViscosity(const Grid& grid, double dt_s, LiquidState& s, LiquidScratch& w);

// Extends nu from the liquid to the cells around it, as far as the velocity is extended: the mean of log nu of the
// neighbours that have a value. Liquid cells without a value (where a gap closed) get theirs in the same pass.
void extendViscosity(const Grid& grid, const LiquidParams& prm, LiquidState& s, LiquidScratch& w);

}  // namespace flotsam
