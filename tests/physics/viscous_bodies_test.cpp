// Bodies in the viscous system: docs/methods/viscosity.md, section 8. Their drag:
// BodiesAtRest.ADiskSinksInHoneyAsFaxenSays.
#include <gtest/gtest.h>

#include "coupling/monolithic.h"
#include "liquid/velocity.h"
#include "tests/physics/scenes.h"
#include "validation/coupled_cases.h"

namespace flotsam {
namespace {

constexpr CouplingMethod monolithic = CouplingMethod::monolithic;

// A drop of honey in free flight, with a ball of twice its density.
Scene dropWithBall(double viscosity_m2_s)
{
    Scene scene = tank({24, 24, 24});
    scene.domain.gravity_m_s2 = {};
    scene.surface.volume_correction = false;
    scene.coupling.method = monolithic;
    scene.liquid.viscosity_m2_s = viscosity_m2_s;
    scene.liquid.regions = {drop({0.47, 0.45, 0.5}, 0.35)};
    BodySpec ball;
    ball.name = "ball";
    ball.shape = BallShape{0.15};
    ball.density_kg_m3 = 2 * scene.liquid.density_kg_m3;
    ball.position_m = {0.5, 0.44, 0.47};
    scene.bodies = {ball};
    return scene;
}

// The largest difference between the velocity of the liquid, on open faces, and a given one.
double worstOf(const Simulation& run, const std::function<Vec3(Vec3)>& expected)
{
    const LiquidState& s = run.liquid.state;
    double worst = 0;
    for (int axis = 0; axis < 3; ++axis)
        forEachCell({{1, 1, 1}, run.liquid.grid.cells}, [&](int i, int j, int k) {
            const Int3 c{i, j, k};
            if (s.phi.view()(c) >= 0 || s.phi.view()(c - unit(axis)) >= 0) return;
            if (run.coupled()->solids_and_bodies.openFraction(axis, i, j, k) == 0) return;
            const Vec3 p_m = facePosition(run.liquid.grid.h, axis, c);
            worst = std::max(worst, std::abs(double(s.u.u[axis].view()(c)) - expected(p_m)[axis]));
        });
    return worst;
}

// Measured: 4e-7 for the liquid, 8e-8 for the ball.
TEST(ViscousBodies, ABallFliesOnWithItsDropOfHoney)
{
    for (const ViscousStress stress : {ViscousStress::full, ViscousStress::component}) {
        const Vec3 v_m_s{1, 0.5, 0.25};
        Scene scene = dropWithBall(1);
        scene.liquid.viscous_stress = stress;
        scene.liquid.regions[0].velocity_m_s = v_m_s;
        scene.bodies[0].velocity_m_s = v_m_s;
        Simulation run(scene);
        takeSteps(3, 0.01, run);
        EXPECT_LT(worstOf(run, [&](Vec3) { return v_m_s; }), 1e-5) << int(stress);
        EXPECT_LT(length(run.body().v_m_s - v_m_s), 1e-5) << int(stress);
    }
}

// One viscous step, without advection, which does not preserve a rotation. Differences that ended at the face centres
// in the ball and not at its surface would resist it. Measured: 2e-6, and 1e-6 rad/s.
TEST(ViscousBodies, ARigidRotationOfABallAndItsDropHasNoStress)
{
    Scene scene = dropWithBall(1);
    const Vec3 center = scene.bodies[0].position_m, spin{0.3, 1, -0.5};
    scene.bodies[0].spin_rad_s = spin;
    Simulation run(scene);
    const auto rotation = [&](Vec3 p) { return cross(spin, p - center); };
    setVelocity(run, rotation);
    LiquidState& s = run.liquid.state;
    auto& bodies = static_cast<Monolithic&>(*run.coupled());
    bodies.move(1e-9, true);
    bodies.enter(1e-9, s, run.liquid.scratch);
    planExtension(run.liquid.grid, run.liquid.walls(), s, run.liquid.scratch);
    ViscosityReport report;
    applyViscosity(run.liquid.grid, scene.liquid, run.liquid.walls(), 0.01, s, run.liquid.scratch, report);
    EXPECT_LT(length(run.body().w_rad_s - spin), 1e-5);
    EXPECT_LT(length(run.body().v_m_s), 1e-5);
    EXPECT_LT(worstOf(run, rotation), 1e-5);
}

}  // namespace
}  // namespace flotsam
