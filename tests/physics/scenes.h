// Small scenes for tests, and simulations of them.
#pragma once

#include <cmath>

#include "core/time_loop.h"
#include "coupling/simulation.h"

namespace flotsam {

// A tank one metre wide without liquid. The top is open.
inline Scene tank(Int3 cells)
{
    Scene scene;
    scene.domain.cells = cells;
    return scene;
}

inline Scene closedTank(Int3 cells)
{
    Scene scene = tank(cells);
    scene.domain.open[1][1] = false;
    return scene;
}

inline RegionSpec liquidBox(Vec3 min_m, Vec3 max_m, Vec3 velocity_m_s = {})
{
    return {BoxShape{min_m, max_m, {}}, velocity_m_s};
}
inline RegionSpec liquidEverywhere() { return liquidBox({-9, -9, -9}, {9, 9, 9}); }
inline RegionSpec pool(double depth_m) { return {PoolShape{depth_m}, {}}; }
inline RegionSpec drop(Vec3 center_m, double radius_m, Vec3 velocity_m_s = {})
{
    return {SphereShape{center_m, radius_m}, velocity_m_s};
}

inline SolidSpec solidOf(const ShapeSpec& shape)
{
    SolidSpec solid;
    solid.name = "solid";
    solid.shape = shape;
    return solid;
}

inline Vec3 centerOfCell(const Grid& grid, int i, int j, int k) { return grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5}; }
inline Vec3 centerOfFace(const Grid& grid, int axis, Int3 c)
{
    return grid.h * (Vec3{c.x + 0.5, c.y + 0.5, c.z + 0.5} -
                     0.5 * Vec3{double(axis == 0), double(axis == 1), double(axis == 2)});
}

// Sets the velocity of every face, including those on the high boundaries.
template <class F>
void setVelocity(Simulation& sim, const F& velocity_m_s_at)
{
    for (int axis = 0; axis < 3; ++axis)
        forEachCell({{0, 0, 0}, sim.liquid.grid.cells + unit(axis)}, [&](int i, int j, int k) {
            sim.liquid.state.u.u[axis].view()(i, j, k) =
                float(velocity_m_s_at(centerOfFace(sim.liquid.grid, axis, {i, j, k}))[axis]);
        });
}

// Sets phi of every cell, clamped to the band. The simulation must have been filled with liquid everywhere, so that all
// bricks are active.
template <class F>
void setPhi(Simulation& sim, const F& phi_m_at)
{
    forEachCell({{0, 0, 0}, sim.liquid.grid.cells}, [&](int i, int j, int k) {
        const double phi = phi_m_at(centerOfCell(sim.liquid.grid, i, j, k));
        sim.liquid.state.phi.view()(i, j, k) = std::clamp(float(phi), -sim.liquid.grid.band, sim.liquid.grid.band);
    });
}

}  // namespace flotsam
