#include "run/failure.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace flotsam {

namespace {

// Far above the speeds that the heights and prescribed speeds of the scene allow: the numerics have failed.
double runawaySpeed(const Scene& scene)
{
    const Vec3 size = scene.domain.size_m();
    double speed = std::sqrt(2 * length(scene.domain.gravity_m_s2) * length(size));
    for (const auto& region : scene.liquid.regions) speed = std::max(speed, length(region.velocity_m_s));
    for (const auto& source : scene.liquid.sources) speed = std::max(speed, length(source.velocity_m_s));
    for (const auto& solid : scene.solids)
        speed = std::max(speed, length(solid.velocity_m_s) + length(solid.spin_rad_s) * length(size));
    for (const auto& body : scene.bodies)
        speed = std::max(speed, length(body.velocity_m_s) + length(body.spin_rad_s) * length(size));
    return 100 * (speed + 0.1);
}

std::string placeOf(Vec3 p) { return fmt::format("({:.3g}, {:.3g}, {:.3g}) m", p.x, p.y, p.z); }

Failure failureOfLiquid(const Scene& scene, const StepReport& report)
{
    if (!std::isfinite(report.heat_J))
        return {fmt::format("the heat of the liquid became {} J", report.heat_J), "Check [heat] and its sources"};
    const double speed = report.liquid.max_speed_m_s;
    if (std::isfinite(speed) && speed < runawaySpeed(scene)) return {};
    return {fmt::format("the speed of the liquid became {} m/s at {}", speed, placeOf(report.liquid.max_speed_at_m)),
            "Try a smaller time.cfl or time.max_dt_s, or more cells around thin solids"};
}

// The closed boundary that a ball lies entirely beyond: "-x", ..., or empty.
std::string closedBoundaryPassed(const DomainParams& domain, Vec3 center_m, double radius_m)
{
    for (int axis = 0; axis < (domain.twoDimensional() ? 2 : 3); ++axis)
        for (int side = 0; side < 2; ++side) {
            const double beyond_m = side ? center_m[axis] - domain.size_m()[axis] : -center_m[axis];
            if (!domain.open[axis][side] && beyond_m > radius_m) return {"-+"[side], "xyz"[axis]};
        }
    return "";
}

Failure failureOfBodies(const Scene& scene, const RigidWorld& world)
{
    const std::string remedy = "Try a smaller rigid.max_dt_s";
    const double speed = world.fastestIn({{}, scene.domain.size_m()});
    if (!std::isfinite(speed) || speed >= runawaySpeed(scene))
        return {fmt::format("the speed of a body became {} m/s", speed), remedy};
    for (size_t i = 0; i < size_t(world.moving()); ++i) {
        const Vec3 at_m = world.state.bodies[i].x_m;
        const std::string passed = closedBoundaryPassed(scene.domain, at_m, world.bodies[i].collider->reach_m);
        if (!passed.empty())
            return {fmt::format("body {} has left the domain through its closed boundary {} and is at {}",
                                world.bodies[i].name, passed, placeOf(at_m)),
                    remedy + ", or check what pushes the body: a moving solid, an overlap at the start"};
    }
    return {};
}

}  // namespace

Failure failureOf(const Scene& scene, const StepReport& report, const RigidWorld& world)
{
    if (const Failure failure = failureOfLiquid(scene, report)) return failure;
    return failureOfBodies(scene, world);
}

}  // namespace flotsam
