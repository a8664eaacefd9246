// Speed bound from energy: a fall from the highest initial liquid or body, plus the prescribed motions. Pressure can
// exceed it for a small amount of liquid (a jet), at the expense of the rest.
#pragma once

#include <algorithm>
#include <cmath>

#include "rigid/world.h"
#include "scene/preflight.h"

namespace flotsam {

struct EnergyBound {
    Vec3 gravity_m_s2;
    double top_m2_s2 = 0;       // the largest -g . x of liquid, sources and bodies at the start
    double cell_m2_s2 = 0;      // g h: positions are accurate to one cell
    double prescribed_m_s = 0;  // the fastest region, source, solid or body of the scene

    // sqrt(v0^2 + 2 g (top - y + h)): Bernoulli's bound. Above the top, the fall height is one cell.
    double speedAt(Vec3 at_m) const
    {
        const double fall_m2_s2 = std::max(top_m2_s2 + dot(gravity_m_s2, at_m), 0.0) + cell_m2_s2;
        return std::sqrt(prescribed_m_s * prescribed_m_s + 2 * fall_m2_s2);
    }
};

// world: in its initial state.
inline EnergyBound energyBound(const Scene& scene, const Preflight& preflight, const RigidWorld& world)
{
    const Vec3 gravity_m_s2 = scene.domain.gravity_m_s2, size_m = scene.domain.size_m();
    const double g = length(gravity_m_s2);
    double lowest_m2_s2 = 0;
    for (int a = 0; a < 3; ++a) lowest_m2_s2 += std::min(-gravity_m_s2[a] * size_m[a], 0.0);
    EnergyBound bound{gravity_m_s2, lowest_m2_s2 + g * preflight.fall_m, g * scene.domain.h(),
                      preflight.prescribed_m_s};
    for (size_t i = 0; i < size_t(world.moving()); ++i)
        bound.top_m2_s2 = std::max(
            bound.top_m2_s2, g * world.bodies[i].collider->reach_m - dot(gravity_m_s2, world.state.bodies[i].x_m));
    bound.prescribed_m_s = std::max(bound.prescribed_m_s, world.fastest());
    return bound;
}

}  // namespace flotsam
