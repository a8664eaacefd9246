#include "validation/impact_cases.h"

#include <cmath>

#include "core/time_loop.h"

namespace flotsam {

double ThreeBallsResult::asymmetry() const
{
    return std::max({std::abs(left_m_s.x - right_m_s.x), std::abs(left_m_s.y + right_m_s.y), std::abs(left_m_s.z),
                     std::abs(right_m_s.z), std::abs(cue_m_s.y), std::abs(cue_m_s.z)});
}

ThreeBallsResult strikeTwoBalls(const ThreeBalls& setup)
{
    constexpr double radius_m = 0.03;
    const double along_m = std::sqrt(3.0) * radius_m;
    const Vec3 places[3] = {{-setup.flight_m - along_m, 0, 0}, {0, radius_m, 0}, {0, -radius_m, 0}};
    RigidWorld world({{0, 0, 0}, setup.dt_s, 10});
    Body ball = sphereBody(radius_m, 1700);
    ball.friction = setup.friction;
    ball.restitution = 1;
    for (const int which : setup.order)
        world.add(ball, {setup.turn * places[which], {}, setup.turn * (which == 0 ? Vec3{1, 0, 0} : Vec3{}), {}});
    const Vec3 momentum = world.momentum();
    const double energy = world.kineticEnergy();
    stepUntil(setup.flight_m + 0.05, setup.dt_s, world);
    ThreeBallsResult result;
    Vec3* velocities[3] = {&result.cue_m_s, &result.left_m_s, &result.right_m_s};
    for (size_t i = 0; i < 3; ++i) *velocities[setup.order[i]] = transposed(setup.turn) * world.state.bodies[i].v_m_s;
    result.momentum_error = length(world.momentum() - momentum) / length(momentum);
    result.energy_error = std::abs(world.kineticEnergy() / energy - 1);
    return result;
}

}  // namespace flotsam
