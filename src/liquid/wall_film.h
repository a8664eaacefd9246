// Liquid on a wall of the domain that is thinner than half a cell.
//
// The surface is between the wall and the outermost cell centres, so the film has no liquid cell and phi alone carries
// it. The velocity normal to a wall is -y div u_t, y the distance from it and u_t the velocity along it. The surface,
// at y = d, must move with -d div u_t; a cell centre is farther away and would thin the film too fast: a stream of 8
// cells that spread from the middle of a tank was lost completely.
// Only on floors (Grid::isFloor) is the film part of the volume: boundary.h. On other walls it can thicken again.
#pragma once

#include "liquid/state.h"

namespace flotsam {

struct WallFilm {
    int axis = -1;   // across the wall; -1: there is no film
    Int3 inwards{};  // to the next cell away from the wall
    bool on_floor = false;

    explicit operator bool() const { return axis >= 0; }
};

// The film in a cell whose centre is in the air.
inline WallFilm filmAt(const Grid& grid, View3<const float> phi, Int3 c)
{
    for (int a = 0; a < 3; ++a) {
        if (grid.cells[a] == 1 || (c[a] != 0 && c[a] != grid.cells[a] - 1)) continue;
        const int side = c[a] != 0;
        if (grid.open[a][side]) continue;
        const Int3 inwards = side == 0 ? unit(a) : Int3{} - unit(a);
        // By linear extrapolation phi at the wall is phi(c) - (phi(c + inwards) - phi(c)) / 2.
        if (phi(c) >= 0 && phi(c + inwards) > 3 * phi(c)) return {a, inwards, grid.isFloor(a, side)};
    }
    return {};
}

// The speed [m/s] at which the surface of a film has to move away from the wall, in addition to its transport along the
// wall with the velocity at cell centres, for the volume of the film to change by what flows in and out.
float filmGrowth(const WallFilm& film, View3<const float> phi, const ConstMacView& u, Float4 center_velocity, Int3 c);

}  // namespace flotsam
