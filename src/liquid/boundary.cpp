#include "liquid/boundary.h"

namespace flotsam {

namespace {

// f(axis, side, wall) for the cells of a strip at the domain boundaries, axis by axis, so that edges and corners are
// filled from ghost cells that are already filled.
template <class F>
void forWalls(const Grid& grid, IndexBox strip, const F& f)
{
    constexpr int layers = Field3<float>::ghost_cells;
    for (int a = 0; a < 3; ++a) {
        for (int side = 0; side < 2; ++side) {
            const int n = grid.cells[a];
            if (side == 0 ? strip.lo[a] != 0 : strip.hi[a] != n) continue;
            IndexBox wall = strip;
            wall.lo[a] = side == 0 ? 0 : n - 1;
            wall.hi[a] = wall.lo[a] + 1;
            f(a, side, wall);
        }
        // The next axis also covers the ghost cells just filled, and the high faces.
        if (strip.lo[a] == 0) strip.lo[a] = -layers;
        if (strip.hi[a] == grid.cells[a]) strip.hi[a] = grid.cells[a] + layers;
    }
}

// The outward direction.
Int3 outwards(int a, int side) { return side == 0 ? Int3{} - unit(a) : unit(a); }

// Whether a boundary is free-slip or open; the z boundaries of a slab are always free-slip.
bool isSlippery(const Grid& grid, int a, int side)
{
    return !grid.no_slip || grid.open[a][side] || (a == 2 && grid.cells.z == 1);
}

// The normal component: zero on a closed wall, extrapolated past an open boundary.
void fillAcross(const Grid& grid, int a, int side, IndexBox wall, View3<float> v)
{
    const Int3 out = outwards(a, side), lo{}, hi = grid.cells - Int3{1, 1, 1} + unit(a);
    const int layers = side == 0 ? 2 : 1;
    if (side == 1) wall = {wall.lo + unit(a), wall.hi + unit(a)};
    forEachCell(wall, [=, open = grid.open[a][side]](int i, int j, int k) {
        Int3 q{i, j, k};
        const float value = open ? v(min(max(q, lo), hi)) : 0.0f;
        v(q) = value;
        for (int l = 1; l <= layers; ++l) v(q = q + out) = value;
    });
}

// A tangential component: extrapolated as a constant, or negated.
void fillAlong(int a, int side, IndexBox wall, float sign, View3<float> v)
{
    const Int3 out = outwards(a, side);
    forEachCell(wall, [=](int i, int j, int k) {
        Int3 q{i, j, k};
        const float value = sign * v(q);
        for (int l = 1; l <= Field3<float>::ghost_cells; ++l) v(q = q + out) = value;
    });
}

}  // namespace

void fillGhostCells(const Grid& grid, const BrickSet& set, View3<float> phi)
{
    const float h = float(grid.h), band = grid.band;
    const IndexBox cells{{0, 0, 0}, grid.cells};
    // One loop per axis: where the last brick is one cell thick, the cell before the wall belongs to another strip, and
    // beside an edge it is a ghost cell of an earlier axis, which that strip must have filled.
    for (int axis = 0; axis < 3; ++axis)
        parallelBoxes("boundary.phi", set, [&](IndexBox strip) {
            forWalls(grid, strip, [=, &grid](int a, int side, IndexBox wall) {
                if (a != axis) return;
                const Int3 out = outwards(a, side), in = grid.cells[a] == 1 ? Int3{} : Int3{} - out;
                const bool open = grid.open[a][side], is_floor = grid.isFloor(a, side);
                forEachCell(wall, [=, &grid](int i, int j, int k) {
                    const Int3 c{i, j, k};
                    const float here = phi(c), before = phi(c + in);
                    const bool stranded = cells.contains(c) && isStranded(grid, phi, c);
                    Int3 q = c;
                    for (int l = 1; l <= Field3<float>::ghost_cells; ++l)
                        phi(q = q + out) =
                            open ? std::max(here, h * (float(l) - 0.5f))
                                 : std::clamp(continuedPastWall(here, before, float(l), h, is_floor, stranded), -band,
                                              band);
                });
            });
        });
}

void fillGhostCells(const Grid& grid, const BrickSet& set, MacView u)
{
    parallelBoxes("boundary.velocity", set, [&](IndexBox strip) {
        forWalls(grid, strip, [&](int a, int side, IndexBox wall) {
            for (int component = 0; component < 3; ++component) {
                if (component == a)
                    fillAcross(grid, a, side, wall, u.u[a]);
                else
                    fillAlong(a, side, wall, isSlippery(grid, a, side) ? 1.0f : -1.0f, u.u[component]);
            }
        });
    });
}

void fillGhostCells(const Grid& grid, const BrickSet& set, View3<Float4> velocity)
{
    parallelBoxes("boundary.velocity", set, [&](IndexBox strip) {
        forWalls(grid, strip, [&](int a, int side, IndexBox wall) {
            const float along = isSlippery(grid, a, side) ? 1.0f : -1.0f;
            Float4 signs{along, along, along, 1};
            signs[a] = grid.open[a][side] ? 1.0f : -1.0f;
            const Int3 out = outwards(a, side);
            forEachCell(wall, [=](int i, int j, int k) {
                Int3 q{i, j, k};
                const Float4 v = signs * velocity(q);
                for (int l = 1; l <= Field3<Float4>::ghost_cells; ++l) velocity(q = q + out) = v;
            });
        });
    });
}

}  // namespace flotsam
