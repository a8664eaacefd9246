// The temperature around the liquid: extended outwards along the surface normal, layer by layer, like the velocity
// (thesis eq. 92). In the thesis, marker particles bring the temperature into cells that the liquid enters (4.2). Here
// the departure point of such a cell is in these layers or in the liquid behind them.
#include <algorithm>
#include <atomic>

#include "liquid/bricks_where.h"
#include "liquid/heat.h"

namespace flotsam {

namespace {

// A mark that another thread may be setting in the same pass: either value gives the same result.
uint8_t markAt(View3<uint8_t> known, Int3 c)
{
    return std::atomic_ref<uint8_t>(known(c)).load(std::memory_order_relaxed);
}

// The mean of the neighbours that earlier passes reached: those upwind along the surface normal, or all equally if none
// is upwind. 0: no neighbour is known.
float fromNeighbours(const Solids& barriers, View3<const float> phi, View3<const float> e, View3<uint8_t> known, Int3 c,
                     Int3 cells, int pass)
{
    float upwind = 0, upwind_sum = 0, all = 0, all_sum = 0;
    for (int a = 0; a < 3; ++a) {
        const Int3 d = unit(a);
        const float slope = phi(c + d) - phi(c - d);
        for (int side = 0; side < 2; ++side) {
            const Int3 q = side ? c + d : c - d;
            if (q[a] < 0 || q[a] >= cells[a] || barriers.isBlocked(a, side ? q : c)) continue;
            const uint8_t mark = markAt(known, q);
            if (mark == 0 || mark > pass) continue;
            const float weight = std::max(side ? -slope : slope, 0.0f);
            upwind += weight * e(q), upwind_sum += weight;
            all += e(q), all_sum += 1;
        }
    }
    return upwind_sum > 0 ? upwind / upwind_sum : all_sum > 0 ? all / all_sum : 0;
}

}  // namespace

void extendHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, LiquidState& s, LiquidScratch& w)
{
    const View3<float> e = w.heat.e;
    const View3<const float> fraction = w.heat.fraction, phi = s.phi;
    const View3<uint8_t> known = w.heat.known;
    const Int3 cells = grid.cells;
    const BrickSet around(grid.bricks, dilated(grid.bricks, s.active.list));
    parallelFor("heat.extend", around, [=](int i, int j, int k) { known(i, j, k) = fraction(i, j, k) > 0; });
    const BrickSet edge(grid.bricks, bricksWhere(grid, s.active, "heat.extend",
                                                 [=](int i, int j, int k) { return fraction(i, j, k) == 0; }));
    for (int pass = 1; pass <= grid.extension_layers; ++pass)
        parallelFor("heat.extend", edge, [=, &barriers](int i, int j, int k) {
            const Int3 c{i, j, k};
            if (known(c) != 0) return;
            const float v = fromNeighbours(barriers, phi, e, known, c, cells, pass);
            if (v == 0) return;
            e(c) = v;
            std::atomic_ref<uint8_t>(known(c)).store(uint8_t(pass + 1), std::memory_order_relaxed);
        });
    parallelFor("heat.extend", edge, [=](int i, int j, int k) {
        if (known(i, j, k) == 0) e(i, j, k) = 0;
    });
    storeEnthalpy(heat, s.active, e, s);
}

}  // namespace flotsam
