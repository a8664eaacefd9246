#include "liquid/boundary.h"

namespace flotsam {

namespace {

// f(inside, outside) for the cells of a strip at a side of the domain and those past it, axis by axis, so that edges
// and corners are filled from layers already filled.
template <class F>
void forLayers(const Grid& grid, IndexBox strip, const F& f)
{
    constexpr int layers = Field3<float>::layers;
    for (int a = 0; a < 3; ++a) {
        for (int side = 0; side < 2; ++side) {
            const int n = grid.cells[a];
            if (side == 0 ? strip.lo[a] != 0 : strip.hi[a] != n) continue;
            IndexBox wall = strip;
            wall.lo[a] = side == 0 ? 0 : n - 1;
            wall.hi[a] = wall.lo[a] + 1;
            forEachCell(wall, [&](int i, int j, int k) { f(a, side, Int3{i, j, k}); });
        }
        // What follows along the next axis also covers what was just filled, and the high faces.
        if (strip.lo[a] == 0) strip.lo[a] = -layers;
        if (strip.hi[a] == grid.cells[a]) strip.hi[a] = grid.cells[a] + layers;
    }
}

}  // namespace

void fillLayers(const Grid& grid, const BrickSet& set, View3<float> phi)
{
    const float h = float(grid.h), band = grid.band;
    parallelBoxes("boundary.phi", set, [&](IndexBox strip) {
        forLayers(grid, strip, [&](int a, int side, Int3 c) {
            const float here = phi(c);
            const float before = grid.cells[a] == 1 ? here : phi(side == 0 ? c + unit(a) : c - unit(a));
            Int3 q = c;
            for (int l = 1; l <= Field3<float>::layers; ++l) {
                q[a] = side == 0 ? -l : grid.cells[a] - 1 + l;
                phi(q) = grid.open[a][side] ? std::max(here, h * (float(l) - 0.5f))
                                            : std::clamp(continuedPastWall(here, before, float(l), h), -band, band);
            }
        });
    });
}

void fillLayers(const Grid& grid, const BrickSet& set, MacView u)
{
    const float tangential = grid.no_slip ? -1.0f : 1.0f;
    parallelBoxes("boundary.velocity", set, [&](IndexBox strip) {
        forLayers(grid, strip, [&](int a, int side, Int3 c) {
            const bool open = grid.open[a][side];
            // A slab's own z sides are always free-slip.
            const float sign = open || (a == 2 && grid.cells.z == 1) ? 1.0f : tangential;
            for (int component = 0; component < 3; ++component) {
                const View3<float>& v = u.u[component];
                Int3 wall = c, q = c;
                if (component == a) {
                    wall[a] = side == 0 ? 0 : grid.cells[a];
                    const Int3 inner = min(max(wall, {0, 0, 0}), grid.cells - Int3{1, 1, 1} + unit(a));
                    v(wall) = open ? v(inner) : 0.0f;
                    for (int l = 1; l <= (side == 0 ? 2 : 1); ++l) {
                        q[a] = side == 0 ? -l : wall[a] + l;
                        v(q) = v(wall);
                    }
                } else {
                    for (int l = 1; l <= Field3<float>::layers; ++l) {
                        q[a] = side == 0 ? -l : grid.cells[a] - 1 + l;
                        v(q) = sign * v(wall);
                    }
                }
            }
        });
    });
}

void fillLayers(const Grid& grid, const BrickSet& set, View3<Float4> velocity)
{
    const float tangential = grid.no_slip ? -1.0f : 1.0f;
    parallelBoxes("boundary.velocity", set, [&](IndexBox strip) {
        forLayers(grid, strip, [&](int a, int side, Int3 c) {
            const bool open = grid.open[a][side];
            const float along = open || (a == 2 && grid.cells.z == 1) ? 1.0f : tangential;
            Float4 v = velocity(c);
            for (int component = 0; component < 3; ++component)
                v[component] *= component != a ? along : open ? 1.0f : -1.0f;
            Int3 q = c;
            for (int l = 1; l <= Field3<Float4>::layers; ++l) {
                q[a] = side == 0 ? -l : grid.cells[a] - 1 + l;
                velocity(q) = v;
            }
        });
    });
}

}  // namespace flotsam
