#include "liquid/reinitialise.h"

#include "liquid/boundary.h"
#include "liquid/upwind.h"

namespace flotsam {

namespace {

constexpr float dtau = 0.5f;                      // [cells]
constexpr double epsilon = 0.1;                   // of eq. 90
constexpr int most_steps = 40;                    // twice the width of the band; the thesis usually needs one step
constexpr float stages[] = {0, 0.75f, 1.0f / 3};  // TVD-RK3

inline float square(float x) { return x * x; }

// |grad phi| by Godunov's upwind selection, per cell.
float slopeFromSurface(View3<const float> phi, Int3 c, Int3 cells)
{
    const Weno5 derivative;
    const float sign = phi(c) < 0 ? -1.0f : 1.0f;
    float sum = 0;
    for (int axis = 0; axis < 3; ++axis) {
        if (cells[axis] == 1) continue;
        const AxisStencil stencil(phi, c, axis, cells[axis]);
        const float below = sign * derivative(stencil.below()), above = sign * derivative(stencil.above());
        sum += std::max(square(std::max(below, 0.0f)), square(std::min(above, 0.0f)));
    }
    return std::sqrt(sum);
}

// Whether the cell and its neighbours lie outside the band, so that there is nothing to do.
inline bool isFar(View3<const float> f, float band, int i, int j, int k)
{
    const float* p = &f(i, j, k);
    const float least = std::min({std::abs(p[0]), std::abs(p[-1]), std::abs(p[1]), std::abs(p[-f.sy]),
                                  std::abs(p[f.sy]), std::abs(p[-f.sz]), std::abs(p[f.sz])});
    return least >= band;
}

// With w = S grad phi / |grad phi|, eq. 89 is phi_tau = S (1 - |grad phi|), S = phi / sqrt(phi^2 + |grad phi|^2 h^2)
// (Peng et al. 1999). out = a phi + (1 - a) (from + dtau ...). The sign of a cell never changes.
void performStage(const Grid& grid, float a, const BrickSet& set, View3<const float> phi, View3<const float> from,
                  View3<float> out)
{
    const float h = float(grid.h), band = grid.band;
    const Int3 cells = grid.cells;
    parallelFor("surface.pde", set, [=](int i, int j, int k) {
        const float old = phi(i, j, k), now = from(i, j, k);
        out(i, j, k) = old;
        if (isFar(from, band, i, j, k)) return;
        const float slope = slopeFromSurface(from, {i, j, k}, cells) / h;
        const float sign = now / std::sqrt(now * now + square(slope * h) + 1e-12f * h * h);
        const float next = a * old + (1 - a) * (now + dtau * h * sign * (1 - slope));
        const float least = 1e-6f * h;
        out(i, j, k) = old < 0 ? std::clamp(next, -band, -least) : std::clamp(next, std::min(old, least), band);
    });
    fillGhostCells(grid, set, out);
}

struct Change {
    double sum = 0;  // of |change| [m] over the band
    long long cells = 0;
    Change& operator+=(const Change& o)
    {
        sum += o.sum, cells += o.cells;
        return *this;
    }
};

Change take(float band, const BrickSet& set, View3<const float> next, View3<float> phi)
{
    return parallelSum<Change>("surface.pde", set, [=](IndexBox box) {
        Change change;
        forEachCell(box, [&](int i, int j, int k) {
            if (std::abs(phi(i, j, k)) < band) {
                change.sum += double(std::abs(next(i, j, k) - phi(i, j, k)));
                ++change.cells;
            }
            phi(i, j, k) = next(i, j, k);
        });
        return change;
    });
}

}  // namespace

int reinitialiseByPde(const Grid& grid, const BrickSet& near, const BrickSet& around, LiquidState& s, LiquidScratch& w)
{
    for (int step = 1;; ++step) {
        View3<const float> from = s.phi.view();
        View3<float> to = w.phi_new, other = w.distance;
        for (float a : stages) {
            performStage(grid, a, around, s.phi.view(), from, to);
            from = to;
            std::swap(to, other);
        }
        const Change change = take(grid.band, near, from, s.phi);
        fillGhostCells(grid, near, s.phi.view());
        if (change.sum <= epsilon * dtau * grid.h * double(change.cells) || step == most_steps) return step;
    }
}

}  // namespace flotsam
