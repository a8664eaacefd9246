// Iterations of the pressure with many light bodies: docs/methods/coupling.md, section 2, "Preconditioner".
#include <gtest/gtest.h>

#include "core/parallel.h"
#include "tests/physics/scenes.h"
#include "validation/contact_of_bodies.h"

namespace flotsam {
namespace {

constexpr double h_m = 0.01;

// 36 submerged balls of 6 cells diameter.
Scene ballsOf(double density_ratio, double spacing_cells)
{
    Scene scene = coupledTank({48, 40, 48}, 48 * h_m, CouplingMethod::monolithic);
    scene.liquid.regions = {pool(32 * h_m)};
    for (int n = 0; n < 36; ++n) {
        const double x = 24 + spacing_cells * (n % 4 - 1.5), y = 7 + spacing_cells * (n / 16),
                     z = 24 + spacing_cells * (n / 4 % 4 - 1.5);
        scene.bodies.push_back(bodyAt("ball" + std::to_string(n), BallShape{3 * h_m},
                                      density_ratio * scene.liquid.density_kg_m3, h_m * Vec3{x + 0.3, y + 0.2, z}));
    }
    return scene;
}

struct Count {
    double per_solve = 0, per_step = 0;
};
Count iterationsOf(const Scene& scene)
{
    Simulation run(scene);
    int solves = 0, iterations = 0;
    constexpr int steps = 3;
    for (int n = 0; n < steps; ++n) {
        const StepReport step = run.step(1.0 / 240);
        EXPECT_TRUE(step.pressure.converged);
        solves += step.pressure.solves;
        iterations += step.pressure.iterations;
    }
    return {double(iterations) / solves, double(iterations) / steps};
}

TEST(LightBodies, TakeAsManyIterationsAsImmovableOnes)
{
    const double immovable = iterationsOf(ballsOf(900, 9)).per_solve;
    for (const double ratio : {0.5, 0.1, 0.02, 0.001})
        EXPECT_LT(iterationsOf(ballsOf(ratio, 9)).per_solve, 1.3 * immovable) << ratio;
}

TEST(LightBodies, ThatTouchTakeNoMoreIterationsThanImmovableOnesApart)
{
    const double immovable = iterationsOf(ballsOf(900, 9)).per_solve;
    for (const double ratio : {0.1, 0.02, 0.001})
        EXPECT_LT(iterationsOf(ballsOf(ratio, 6)).per_solve, 1.3 * immovable) << ratio;
}

// A repeated solve starts from the result of the one before it.
TEST(LightBodies, ChangesOfContactsTakeFewIterations)
{
    const Count once = iterationsOf(ballsOf(900, 9)), repeated = iterationsOf(ballsOf(900, 6));
    EXPECT_LT(repeated.per_step, 2 * once.per_step);
}

TEST(LightBodies, GiveTheSameResultForAnyNumberOfThreads)
{
    const auto run = [](int threads) {
        backend::setThreads(threads);
        Simulation sim(ballsOf(0.02, 6));
        for (int n = 0; n < 3; ++n) sim.step(1.0 / 240);
        backend::setThreads(0);
        return sim.body(17);
    };
    const BodyState one = run(1), five = run(5);
    for (int a = 0; a < 3; ++a) {
        EXPECT_EQ(one.x_m[a], five.x_m[a]);
        EXPECT_EQ(one.v_m_s[a], five.v_m_s[a]);
        EXPECT_EQ(one.w_rad_s[a], five.w_rad_s[a]);
    }
}

}  // namespace
}  // namespace flotsam
