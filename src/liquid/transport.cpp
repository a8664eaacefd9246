#include "liquid/transport.h"

#include <span>

#include "liquid/boundary.h"
#include "liquid/sample.h"
#include "liquid/upwind.h"

namespace flotsam {

namespace {

struct CubicWeights {
    float w[4];
    // Catmull-Rom: third order; keeps corners of phi that linear interpolation would smooth.
    explicit CubicWeights(float t)
        : w{t * (-0.5f + t * (1 - 0.5f * t)), 1 + t * t * (-2.5f + 1.5f * t), t * (0.5f + t * (2 - 1.5f * t)),
            t * t * (-0.5f + 0.5f * t)}
    {
    }
};

float tricubic(View3<const float> f, Float3 index)
{
    const GridPoint g(index);
    const CubicWeights x(g.fx), y(g.fy), z(g.fz);
    const Float4 along_x = load4(x.w);
    Float4 sum = {};
    for (int c = 0; c < 4; ++c)
        for (int b = 0; b < 4; ++b) sum += (y.w[b] * z.w[c]) * load4(&f(g.i - 1, g.j - 1 + b, g.k - 1 + c));
    sum *= along_x;
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

// phi at the departure point of a cell's centre, by the midpoint rule.
void moveAlongPaths(const Grid& grid, double dt_s, const BrickSet& set, View3<const float> phi,
                    View3<const Float4> velocity, View3<float> out)
{
    const float dt = float(dt_s / grid.h), band = grid.band, near = 2.5f * float(grid.h);
    const DomainClamp clamp(grid.cells);
    parallelFor("surface.advect", set, [=](int i, int j, int k) {
        const float old = phi(i, j, k);
        if (std::abs(old) >= band) {
            out(i, j, k) = old;
            return;
        }
        const Float4 x{float(i) + 0.5f, float(j) + 0.5f, float(k) + 0.5f, 0};
        const Float4 half = clamp(x - (0.5f * dt) * velocity(i, j, k));
        const Float4 departure = clamp(x - dt * sampleAt(velocity, half));
        const Float3 index{departure[0] - 0.5f, departure[1] - 0.5f, departure[2] - 0.5f};
        out(i, j, k) = std::abs(old) < near ? tricubic(phi, index) : trilinear(phi, index);
    });
}

// A stage of a TVD Runge-Kutta method (Shu and Osher 1988): out = a phi + (1 - a) (from - dt u . grad from).
template <class Derivative>
void performStage(const Grid& grid, float dt, float a, const BrickSet& set, View3<const float> phi,
                  View3<const float> from, View3<const Float4> velocity, View3<float> out)
{
    const float band = grid.band;
    const Int3 cells = grid.cells;
    parallelFor("surface.advect", set, [=](int i, int j, int k) {
        const float old = phi(i, j, k);
        if (std::abs(old) >= band) {
            out(i, j, k) = old;
            return;
        }
        const Derivative derivative;
        const Float4 u = velocity(i, j, k);
        float change = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (u[axis] == 0 || cells[axis] == 1) continue;
            const AxisStencil stencil(from, {i, j, k}, axis, cells[axis]);
            change += u[axis] * derivative(u[axis] > 0 ? stencil.below() : stencil.above());
        }
        out(i, j, k) = a * old + (1 - a) * (from(i, j, k) - dt * change);
    });
    fillGhostCells(grid, set, out);
}

// The largest |u| + |v| + |w| within the band [m/s]: the limit for an upwind scheme that treats all axes at once.
double largestSum(const Grid& grid, const BrickSet& set, View3<const float> phi, View3<const Float4> velocity)
{
    return parallelMax("surface.advect", set, 0, [&](IndexBox box) {
        float most = 0;
        forEachCell(box, [&](int i, int j, int k) {
            const Float4 u = velocity(i, j, k);
            if (std::abs(phi(i, j, k)) < grid.band)
                most = std::max(most, std::abs(u[0]) + std::abs(u[1]) + std::abs(u[2]));
        });
        return double(most);
    });
}

constexpr float euler[] = {0}, tvd_rk2[] = {0, 0.5f}, tvd_rk3[] = {0, 0.75f, 1.0f / 3};

// Substeps of at most 0.9 cells: an upwind scheme uses only neighbouring cells.
template <class Derivative>
void moveUpwind(const Grid& grid, std::span<const float> stages, double dt_s, LiquidState& s, LiquidScratch& w)
{
    const View3<const Float4> velocity = w.center_velocity.view();
    const BrickSet around(grid.bricks, dilated(grid.bricks, s.active.list));  // read by the stencils of s.active
    const double cells_crossed = largestSum(grid, s.active, s.phi, velocity) * dt_s / grid.h;
    const int substeps = std::max(1, int(std::ceil(std::min(cells_crossed, 100.0) / 0.9)));
    const float dt = float(dt_s / substeps / grid.h);
    for (int n = 0; n < substeps; ++n) {
        View3<const float> from = s.phi.view();
        View3<float> to = w.phi_new, other = w.distance;
        for (float a : stages) {
            performStage<Derivative>(grid, dt, a, around, s.phi.view(), from, velocity, to);
            from = to;
            std::swap(to, other);
        }
        parallelFor("surface.copy", s.active,
                    [from, phi = s.phi.view()](int i, int j, int k) { phi(i, j, k) = from(i, j, k); });
        fillGhostCells(grid, s.active, s.phi.view());
    }
}

}  // namespace

void transportPhi(const Grid& grid, SurfaceScheme scheme, double dt_s, LiquidState& s, LiquidScratch& w)
{
    switch (scheme) {
        case SurfaceScheme::semi_lagrangian:
            moveAlongPaths(grid, dt_s, s.active, s.phi, w.center_velocity.view(), w.phi_new);
            parallelFor("surface.copy", s.active, [from = w.phi_new.view(), phi = s.phi.view()](int i, int j, int k) {
                phi(i, j, k) = from(i, j, k);
            });
            return fillGhostCells(grid, s.active, s.phi.view());
        case SurfaceScheme::upwind:
            return moveUpwind<FirstOrder>(grid, euler, dt_s, s, w);
        case SurfaceScheme::eno2_euler:
            return moveUpwind<Eno2>(grid, euler, dt_s, s, w);
        case SurfaceScheme::eno2:
            return moveUpwind<Eno2>(grid, tvd_rk2, dt_s, s, w);
        case SurfaceScheme::eno3:
            return moveUpwind<Eno3>(grid, tvd_rk2, dt_s, s, w);
        case SurfaceScheme::weno5:
            return moveUpwind<Weno5>(grid, tvd_rk3, dt_s, s, w);
    }
}

}  // namespace flotsam
