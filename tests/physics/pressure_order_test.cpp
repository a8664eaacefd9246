// The pressure between a tilted wall and a tilted surface against a manufactured solution.
#include <gtest/gtest.h>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

struct Plane {
    Vec3 normal, point;
    double distance(Vec3 p) const { return dot(normal, p - point); }
};

// The liquid lies above the plane of the wall and below that of the surface.
struct Problem {
    Plane wall, surface;

    // A pressure that vanishes on the surface ...
    double pressure(Vec3 p) const
    {
        return std::sin(2 * surface.distance(p)) * (1 + 0.4 * std::sin(3 * p.x + 1) * std::cos(2 * p.y - 2 * p.z));
    }
    // ... and a divergence-free flow through neither the tilted wall nor the tank walls: the curl of (0, 0, psi).
    double psi(Vec3 p) const
    {
        return 16 * std::pow(p.x * (1 - p.x), 2) * p.y * (1 + wall.distance(p)) * wall.distance(p);
    }

    Vec3 velocity(Vec3 p) const
    {
        constexpr double e = 1e-5;
        const auto slope = [&](auto f, int axis) {
            Vec3 a = p, b = p;
            a[axis] -= e, b[axis] += e;
            return (f(b) - f(a)) / (2 * e);
        };
        const auto P = [&](Vec3 q) { return pressure(q); };
        const auto S = [&](Vec3 q) { return psi(q); };
        return {slope(P, 0) + slope(S, 1), slope(P, 1) - slope(S, 0), slope(P, 2)};
    }
};

// A box whose upper face is the plane of the wall.
SolidSpec solidUnder(const Plane& wall, double tilt_x_deg, double tilt_z_deg)
{
    const Vec3 half{4, 1, 4}, center = wall.point - wall.normal;
    return solidOf(BoxShape{center - half, center + half, {tilt_x_deg, 0, tilt_z_deg}});
}

struct Errors {
    double largest = 0, rms = 0;
};

Errors errorsOf(const Problem& problem, const SolidSpec& solid, Int3 cells)
{
    Scene scene = closedTank(cells);
    scene.liquid.regions = {liquidEverywhere()};
    scene.solids = {solid};
    scene.pressure.tolerance_rel = 1e-7;
    Simulation sim(scene);
    const bool flat = scene.domain.twoDimensional();
    const auto in_plane = [&](Vec3 p) { return flat ? Vec3{p.x, p.y, 0} : p; };
    setPhi(sim, [&](Vec3 p) { return problem.surface.distance(in_plane(p)); });
    setVelocity(sim, [&](Vec3 p) { return problem.velocity(in_plane(p)); });
    PressureReport report;
    setUpPressure(sim.liquid.grid, sim.liquid.solids, sim.liquid.state, sim.liquid.scratch);
    project(sim.liquid.grid, scene.pressure, sim.liquid.solids, 0, sim.liquid.state, sim.liquid.scratch, report);
    EXPECT_TRUE(report.converged) << report.residual;
    Errors errors;
    long long count = 0;
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        const Vec3 p = in_plane(centerOfCell(sim.liquid.grid, i, j, k));
        if (problem.wall.distance(p) < 0 || problem.surface.distance(p) >= 0) return;
        const double error =
            std::abs(pressureAt(sim.liquid.grid, 1, 1, sim.liquid.scratch, i, j, k) - problem.pressure(p));
        errors.largest = std::max(errors.largest, error);
        errors.rms += error * error;
        ++count;
    });
    errors.rms = std::sqrt(errors.rms / double(count));
    return errors;
}

double orderBetween(double coarse, double fine, double refinement)
{
    return std::log(coarse / fine) / std::log(refinement);
}

Plane tilted(double tilt_x_deg, double tilt_z_deg, Vec3 point)
{
    return {rotationFromDegrees({tilt_x_deg, 0, tilt_z_deg}) * Vec3{0, 1, 0}, point};
}

void expectSecondOrder(const Errors& coarse, const Errors& fine, double refinement)
{
    const double largest = orderBetween(coarse.largest, fine.largest, refinement);
    const double rms = orderBetween(coarse.rms, fine.rms, refinement);
    EXPECT_GT(largest, 1.8) << coarse.largest << " -> " << fine.largest;
    EXPECT_GT(rms, 1.8) << coarse.rms << " -> " << fine.rms;
}

TEST(PressureOrder, IsTwoBetweenATiltedFloorAndATiltedSurfaceIn2D)
{
    const Problem problem{tilted(0, 14, {0.5, 0.27, 0}), tilted(0, -9, {0.5, 0.71, 0})};
    const SolidSpec floor = solidUnder(problem.wall, 0, 14);
    const Errors e32 = errorsOf(problem, floor, {32, 32, 1}), e64 = errorsOf(problem, floor, {64, 64, 1}),
                 e128 = errorsOf(problem, floor, {128, 128, 1});
    expectSecondOrder(e32, e64, 2);
    expectSecondOrder(e64, e128, 2);
    expectSecondOrder(e32, e128, 4);
}

TEST(PressureOrder, IsTwoWhereATiltedSurfaceMeetsASteepWallIn2D)
{
    const Problem problem{tilted(0, 63, {0.8, 0.5, 0}), tilted(0, -9, {0.5, 0.61, 0})};
    const SolidSpec wall = solidUnder(problem.wall, 0, 63);
    const Errors e32 = errorsOf(problem, wall, {32, 32, 1}), e64 = errorsOf(problem, wall, {64, 64, 1}),
                 e128 = errorsOf(problem, wall, {128, 128, 1});
    expectSecondOrder(e32, e64, 2);
    expectSecondOrder(e64, e128, 2);
    expectSecondOrder(e32, e128, 4);
}

TEST(PressureOrder, IsTwoBetweenATiltedFloorAndATiltedSurfaceIn3D)
{
    const Problem problem{tilted(8, 14, {0.5, 0.27, 0.5}), tilted(-6, -9, {0.5, 0.71, 0.5})};
    const SolidSpec floor = solidUnder(problem.wall, 8, 14);
    const Errors e16 = errorsOf(problem, floor, {16, 16, 16}), e32 = errorsOf(problem, floor, {32, 32, 32}),
                 e64 = errorsOf(problem, floor, {64, 64, 64});
    expectSecondOrder(e16, e32, 2);
    expectSecondOrder(e32, e64, 2);
    expectSecondOrder(e16, e64, 4);
}

}  // namespace
}  // namespace flotsam
