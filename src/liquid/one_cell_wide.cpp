#include "liquid/one_cell_wide.h"

#include <limits>

#include "liquid/boundary.h"
#include "liquid/first_air.h"
#include "liquid/thin_surface.h"

namespace flotsam {

namespace {

// The speed at which the faces of a cell to neighbours of the other phase separate, the minimum over the axes [m/s];
// infinite if no axis has two such neighbours.
float wideningSpeed(const Grid& grid, const Solids& solids, View3<const float> phi, const ConstMacView& u, Int3 c)
{
    const bool is_liquid = phi(c) < 0;
    float least = std::numeric_limits<float>::infinity();
    for (int axis = 0; axis < 3; ++axis) {
        if (c[axis] == 0 || c[axis] == grid.cells[axis] - 1) continue;
        const Int3 e = unit(axis);
        if ((phi(c - e) < 0) == is_liquid || (phi(c + e) < 0) == is_liquid) continue;
        if (solids.isBlocked(axis, c) || solids.isBlocked(axis, c + e)) continue;
        least = std::min(least, u.u[axis](c + e) - u.u[axis](c));
    }
    return least;
}

}  // namespace

void moveOneCellWide(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s)
{
    const View3<float> phi = s.phi;
    const ConstMacView u = s.u;
    const float h = float(grid.h), dt = float(dt_s);
    std::vector<std::vector<GapCell>> moved(s.active.strips.size());
    parallelTasks("surface.thin", int(moved.size()), [&](int n) {
        const auto isNear = [h](float phi_m) { return std::abs(phi_m) < h; };
        forCellsWith(isNear, s.active.strips[size_t(n)], phi, [&](Int3 c) {
            const float here = phi(c), speed = wideningSpeed(grid, solids, phi, u, c);
            if (speed == std::numeric_limits<float>::infinity()) return;
            // The velocity is linear across a thread; the liquid on each side of a gap has its own.
            moved[size_t(n)].push_back(
                {c, here < 0 ? here * std::max(1 + speed * dt / h, 0.0f) : here + 0.5f * speed * dt});
        });
    });
    setPhi(moved, phi);
    fillGhostCells(grid, s.active, phi);
}

}  // namespace flotsam
