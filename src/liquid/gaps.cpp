#include "liquid/gaps.h"

#include "liquid/first_air.h"

namespace flotsam {

namespace {

// How fast the liquid on either side of an air cell comes together [m/s]; 0 where it is not between liquid.
float closingSpeed(const Grid& grid, const Solids& solids, View3<const float> phi, const ConstMacView& u, Int3 c)
{
    float most = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (c[axis] == 0 || c[axis] == grid.cells[axis] - 1) continue;
        const Int3 e = unit(axis);
        if (phi(c - e) >= 0 || phi(c + e) >= 0 || solids.isBlocked(axis, c) || solids.isBlocked(axis, c + e)) continue;
        most = std::max(most, u.u[axis](c) - u.u[axis](c + e));
    }
    return most;
}

}  // namespace

void listGaps(const Grid& grid, const Solids& solids, double dt_s, LiquidState& s, std::vector<std::vector<GapCell>>& gaps)
{
    const View3<const float> phi = s.phi;
    const ConstMacView u = s.u;
    gaps.resize(s.active.strips.size());
    parallelTasks("surface.gaps", int(gaps.size()), [&](int n) {
        std::vector<GapCell>& list = gaps[size_t(n)];
        list.clear();
        forFirstAir(grid, s.active.strips[size_t(n)], phi, [&](Int3 c) {
            // The gap is 2 phi wide, and both of its sides move.
            const float speed = closingSpeed(grid, solids, phi, u, c);
            if (speed > 0) list.push_back({c, phi(c) - 0.5f * float(dt_s) * speed});
        });
    });
}

void closeGaps(const std::vector<std::vector<GapCell>>& gaps, View3<float> phi)
{
    parallelTasks("surface.gaps", int(gaps.size()), [&](int n) {
        for (const GapCell& gap : gaps[size_t(n)]) phi(gap.cell) = std::min(phi(gap.cell), gap.phi_m);
    });
}

}  // namespace flotsam
