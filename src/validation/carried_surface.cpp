#include "validation/carried_surface.h"

#include "core/check.h"
#include "liquid/boundary.h"

namespace flotsam {

namespace {

DomainParams closedBox(Int3 cells, double width_m)
{
    DomainParams domain;
    domain.cells = cells;
    domain.width_m = width_m;
    domain.open[1][1] = false;
    return domain;
}

}  // namespace

CarriedSurface::CarriedSurface(Int3 cells, double width_m, const SurfaceParams& prm_, const Shape& shape,
                               PrescribedVelocity velocity)
    : grid(closedBox(cells, width_m), TimeParams{}, prm_),
      solids(grid, {}),
      state(grid),
      scratch(grid),
      prm(prm_),
      prescribed(std::move(velocity)),
      unit_strength(cells)
{
    for (int axis = 0; axis < 3; ++axis)
        parallelTasks("validate.velocity", cells.z + 1, [&, u = unit_strength.u[axis].view()](int k) {
            const double half = 0.5 * grid.h;
            forEachCell({{0, 0, k}, {cells.x + 1, cells.y + 1, k + 1}}, [&](int i, int j, int) {
                Vec3 p = grid.h * Vec3{double(i), double(j), double(k)} + Vec3{half, half, half};
                p[axis] -= half;
                u(i, j, k) = float(prescribed.velocity_m_s(p)[axis]);
            });
        });
    addShape(grid, shape, {}, state, scratch);
    startParticles(grid, solids, prm, state, scratch);
}

void CarriedSurface::setVelocity(double strength)
{
    const BrickSet around(grid.bricks, dilated(grid.bricks, state.active.list));
    for (int axis = 0; axis < 3; ++axis)
        parallelBoxes("validate.velocity", around, [&](IndexBox box) {
            box = grid.bricks.facesOf(box);
            forEachCell(box, [&, from = unit_strength.u[axis].view(), to = state.u.u[axis].view()](
                                 int i, int j, int k) { to(i, j, k) = float(strength) * from(i, j, k); });
        });
    fillGhostCells(grid, around, state.u.view());
}

void CarriedSurface::step(double dt_s)
{
    setVelocity(prescribed.strength(state.t_s + 0.5 * dt_s));
    moveSurface(grid, solids, prm, Air::moved, 0, dt_s, state, scratch);
    state.t_s += dt_s;
    ++state.step;
}

double CarriedSurface::volume_m3() { return liquidVolume(grid, solids, state); }

double CarriedSurface::misplacedFraction(const Shape& shape, double area_m2)
{
    FLOTSAM_CHECK(grid.cells.z, ==, 1);
    constexpr int samples = 5;
    const View3<const float> phi = state.phi;
    long long misplaced = 0;
    forEachCell({{0, 0, 0}, grid.cells}, [&](int i, int j, int k) {
        for (int n = 0; n < samples * samples; ++n) {
            const Float3 p{float(i) + (float(n % samples) + 0.5f) / samples,
                           float(j) + (float(n / samples) + 0.5f) / samples, float(k) + 0.5f};
            const bool inside = shape.signedDistance(grid.h * Vec3{p.x, p.y, p.z}) < 0;
            misplaced += inside != (trilinear(phi, centerIndex(p)) < 0);
        }
    });
    return double(misplaced) * grid.h * grid.h / (samples * samples) / area_m2;
}

}  // namespace flotsam
