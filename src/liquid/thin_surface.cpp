#include "liquid/thin_surface.h"

namespace flotsam {

// Along a straight trajectory, with linear interpolation: a wider stencil would reach across the solid.
std::vector<std::vector<GapCell>> moveNearThin(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s,
                                               LiquidScratch& w)
{
    const BrickSet near(grid.bricks, common(s.active.list, solids.bricks().list));
    const View3<const float> phi = s.phi;
    const View3<const Float4> velocity = w.center_velocity.view();
    const float dt = float(dt_s / grid.h);
    const Int3 last = grid.cells - Int3{1, 1, 1};
    std::vector<std::vector<GapCell>> cells(near.strips.size());
    parallelTasks("surface.thin", int(cells.size()), [&](int n) {
        forEachCell(near.strips[size_t(n)], [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            if (!solids.isNearThin(c) || std::abs(phi(c)) >= grid.band) return;
            const Float4 u = velocity(c);
            const Float3 x{float(i) + 0.5f, float(j) + 0.5f, float(k) + 0.5f};
            const Float3 departure = clampTo(x - dt * Float3{u[0], u[1], u[2]}, grid.cells);
            const auto isSeen = [&](Int3 q) { return solids.sees(c, min(max(q, {0, 0, 0}), last)); };
            cells[size_t(n)].push_back({c, trilinearSeen(phi, centerIndex(departure), phi(c), isSeen)});
        });
    });
    return cells;
}

void setPhi(const std::vector<std::vector<GapCell>>& cells, View3<float> phi)
{
    for (const auto& list : cells)
        for (const GapCell& c : list) phi(c.cell) = c.phi_m;
}

}  // namespace flotsam
