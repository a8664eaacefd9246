// Bodies that float, rest, hold water back or are smaller than a cell: small versions of the cases calm, rest, plug,
// tub, small, welded, heave and honey-ball of `flotsam validate`.
#include <gtest/gtest.h>

#include <cmath>

#include "validation/contact_of_bodies.h"
#include "validation/heave_cases.h"
#include "validation/liquid_integral.h"

using namespace flotsam;

namespace {

constexpr CouplingMethod method_under_test = CouplingMethod::monolithic;
constexpr Int3 flat{48, 32, 1};

CalmResult floatFor(double seconds, const FloatingSpec& what, int energy_every = 0)
{
    const FloatingScene f = floatingBody(method_under_test, flat, what);
    return keepCalm(f.scene, f.level_m, seconds, energy_every, what.name());
}

}  // namespace

// ---- What the measurements give where the answer is known

TEST(BodiesAtRest, TheIntegralOverStillWaterIsItsVolumeLessTheBody)
{
    for (const double turned_deg : {0.0, 3.0}) {
        const FloatingScene f = floatingBody({}, {96, 64, 1}, {false, 0.5, {0.31, 0.27, 0}, turned_deg});
        const Simulation run(f.scene);
        const double layer_m = f.scene.domain.h();
        const double volume_m3 = layer_m * (0.96 * f.level_m - 0.3 * 0.05);
        EXPECT_NEAR(integrateLiquid(run, [](Vec3) { return 1.0; }) / volume_m3, 1, 5e-5)
            << turned_deg;  // 3e-5 at 3 degrees
    }
}

// The board raised by d and pushed back: rho g d^2 / 2 times the waterline, enlarged by the finite width of the tank.
TEST(BodiesAtRest, TheEnergyOfARaisedBoardIsThatOfItsSpring)
{
    const Int3 cells{96, 64, 1};
    const FloatingSpec what{false, 0.5, {0.31, 0.27, 0}, 0, 0.3};
    const double d_m = 0.003, free_m = 0.96 - 0.3, h_m = 0.01;
    // The level rises by (0.3 / 0.96) d when the board sinks to its draft, and the board sinks by the rest of d.
    const double spring_J = 0.5 * 1000 * 9.81 * h_m * 0.3 * d_m * d_m * free_m / 0.96;
    EXPECT_NEAR(availableEnergy({}, cells, what) / spring_J, 1, 0.02);
}

TEST(BodiesAtRest, WaterWithoutABodyHasNoSpeedAndKeepsItsVolumeAndEnergy)
{
    FloatingScene f = floatingBody({}, flat, {false, 0.5, {0, 0.27, 0}});
    f.scene.bodies.clear();
    const CalmResult r = keepCalm(f.scene, f.level_m, 0.5, 1, "no body");
    EXPECT_LT(r.fastest_m_s, 1e-5);
    EXPECT_EQ(r.drift_cells, 0);
    EXPECT_LT(r.redistributed, 1e-6);
    EXPECT_LT(std::abs(r.volume_change), 1e-6);
    EXPECT_LT(r.largest_J, 1e-6);
}

// The same scenes with a fixed solid in place of the body: what passes, passes through or around the body.
TEST(BodiesAtRest, FixedSolidsInPlaceOfTheGateAndThePlugHoldTheWater)
{
    for (BarrierScene barrier : {gateBetweenStops({}, {48, 60, 1}, 3), plugOnHole({}, {24, 56, 1}, 4)}) {
        const BodySpec body = barrier.scene.bodies[0];
        const Vec3 half_m = 0.5 * std::get<BlockShape>(body.shape).size_m;
        SolidSpec solid;
        solid.name = body.name;
        solid.shape = BoxShape{body.position_m - half_m, body.position_m + half_m, {}};
        barrier.scene.solids.push_back(solid);
        // A body far above the water keeps the bodies and solids of the scene in the measurement.
        const Vec3 size_m = barrier.scene.domain.size_m();
        barrier.scene.bodies[0].shape = BallShape{0.01};
        barrier.scene.bodies[0].position_m = {size_m.x - 0.05, size_m.y - 0.05, 0.5 * size_m.z};
        barrier.scene.bodies[0].density_kg_m3 = 1;
        barrier.scene.bodies[0].restitution = 0;
        const BarrierResult r = holdBack(barrier, 0.5, body.name);
        EXPECT_LT(r.passed, 1e-4) << body.name;
        EXPECT_LT(r.redistributed, 1e-3) << body.name;
    }
}

// After one short step. The draft is that of Archimedes, so the mesh has the volume that it should have.
TEST(BodiesAtRest, TheTubStartsDryAtItsDraft)
{
    for (const double wall_cells : {3.0, 0.5}) {
        const TubResult r = floatTub({}, wall_cells, 1e-4, "tub");
        EXPECT_NEAR(r.draft_cells, r.theory_cells, 1e-3) << wall_cells;
        EXPECT_LT(r.inside, 1e-3) << wall_cells;
    }
}

// Infinitely wide and deep, the added mass of a half-immersed cylinder is its displaced mass: a = 2 g x / (pi R).
TEST(BodiesAtRest, TheTheoryOfAHeavingCylinderHasTheKnownAddedMass)
{
    HeaveSetup wide;
    wide.width_m = 4;
    wide.depth_m = 2;
    const HeaveResult r = heaveInTheory(wide);
    EXPECT_NEAR(r.acceleration_m_s2 / (-2 * 9.81 * wide.raised_m / (3.14159265 * wide.radius_m)), 1, 0.02);
    // -0.63; an oscillator with the added mass 0.6 and the damping near its frequency, 0.5, gives -0.57.
    EXPECT_NEAR(r.lowest, -0.6, 0.07);
}

// ---- Rest

TEST(BodiesAtRest, ABoardAtItsDraftLeavesTheWaterStill)
{
    for (const double s : {0.1, 0.5, 0.9}) {
        const CalmResult r = floatFor(1.5, {false, s, {0.31, 0.27, 0}});
        EXPECT_LT(r.speed_m_s, 1e-3) << s;
        EXPECT_LT(r.drift_cells, 0.01) << s;
        EXPECT_LT(r.redistributed, 1e-3) << s;
    }
}

// Rounding errors decide on which side of the surface these centres are.
TEST(BodiesAtRest, ABoardWithItsSidesAndTheLevelAtCellCentresLeavesTheWaterStill)
{
    for (const double s : {0.1, 0.9}) {
        const CalmResult r = floatFor(1.5, {false, s, {0, 0.5, 0}});
        EXPECT_LT(r.fastest_m_s, 1e-5) << s;  // 5e-7, 3e-7
        EXPECT_LT(r.drift_cells, 1e-3) << s;  // 1e-6
    }
    // The sides of the board at the centres of another grid, and a corner too.
    const FloatingScene f = floatingBody(method_under_test, {96, 64, 1}, {false, 0.1, {0.5, 0.5, 0}});
    const CalmResult r = keepCalm(f.scene, f.level_m, 1, 0, "corners at cell centres");
    EXPECT_LT(r.fastest_m_s, 1e-5);  // 3e-7
    EXPECT_LT(r.drift_cells, 1e-3);
}

TEST(BodiesAtRest, ALightBoardAtItsDraftLosesNoVolumeWithoutTheCorrection)
{
    EXPECT_LT(std::abs(floatFor(2, {false, 0.1, {}, 0, 0, false}).volume_change), 1e-3);
}

TEST(BodiesAtRest, ATiltedBoardGainsNoEnergy)
{
    const FloatingSpec what{false, 0.5, {0.31, 0.27, 0}, 3, 0.3};
    const CalmResult r = floatFor(2, what, 1);
    EXPECT_LT(r.largest_J, 0.02 * availableEnergy(method_under_test, flat, what));
    EXPECT_LT(r.last_J, r.first_J);
    EXPECT_LT(r.sideways_cells, 1);
}

// Its corners at the surface are in cells whose centres it covers, and in cells whose centres it does not: 0.2 cells of
// liquid between it and the next column. If that liquid moved with the body, the energy would be 1.065 after 0.8 s.
TEST(BodiesAtRest, ATiltedBoardInSpaceGainsNoEnergy)
{
    const Int3 cells{48, 32, 32};
    const FloatingSpec what{false, 0.5, {0.31, 0.27, 0.43}, 3, 0.3, false};
    const FloatingScene f = floatingBody(method_under_test, cells, what);
    const CalmResult r = keepCalm(f.scene, f.level_m, 0.8, 6, what.name());
    EXPECT_LT(r.largest_J / availableEnergy(method_under_test, cells, what), 0.01);
    EXPECT_LT(std::abs(r.volume_change), 1e-4);  // 6e-5, and 1.7e-4
}

TEST(BodiesAtRest, BlocksAndBallsOnTheFloorLeaveTheWaterStill)
{
    using enum RestingKind;
    for (const RestingKind kind : {block, ball}) {
        const FloatingScene f = restingBodies(method_under_test, {32, 28, 1}, kind);
        const CalmResult r = keepCalm(f.scene, f.level_m, 2, 0, resting_words[int(kind)]);
        EXPECT_LT(r.fastest_m_s, 1e-5) << resting_words[int(kind)];
        EXPECT_LT(r.drift_cells, 1e-3) << resting_words[int(kind)];
    }
}

TEST(BodiesAtRest, StacksOnTheFloorStay)
{
    using enum RestingKind;
    for (const RestingKind kind : {stack, ball_on_plank}) {
        const FloatingScene f = restingBodies(method_under_test, {32, 28, 1}, kind);
        const CalmResult r = keepCalm(f.scene, f.level_m, 2, 0, resting_words[int(kind)]);
        EXPECT_LT(r.fastest_m_s, 1e-5) << resting_words[int(kind)];    // 3e-7, 6e-8
        EXPECT_LT(r.redistributed, 1e-5) << resting_words[int(kind)];  // 2e-6, 3e-7
        EXPECT_LT(r.drift_cells, 1e-3) << resting_words[int(kind)];
    }
}

// ---- Watertight bodies

TEST(BodiesAtRest, AGateOfHalfACellHoldsWaterBack)
{
    for (const double thickness_cells : {1.0, 0.5}) {
        const BarrierResult r = holdBack(gateBetweenStops(method_under_test, {32, 40, 1}, thickness_cells), 1, "gate");
        EXPECT_LT(r.passed, 1e-3) << thickness_cells;
        EXPECT_LT(r.redistributed, 1e-5) << thickness_cells;  // 0
    }
}

TEST(BodiesAtRest, ALidOfOneCellClosesAHole)
{
    const BarrierResult r = holdBack(plugOnHole(method_under_test, {24, 56, 1}, 1), 1, "plug");
    EXPECT_LT(r.passed, 1e-3);
    EXPECT_LT(r.redistributed, 1e-5);  // 0
}

TEST(BodiesAtRest, AnOpenTubOfThinWallsFloatsDry)
{
    const TubResult r = floatTub(method_under_test, 1, 1, "tub");
    EXPECT_NEAR(r.draft_cells, r.theory_cells, 0.02);  // 0.003
    EXPECT_LT(r.inside, 1e-3);
    EXPECT_LT(r.redistributed, 1e-3);  // 1e-4
}

// ---- Moving bodies

TEST(BodiesAtRest, ABallOfLessThanACellRises)
{
    for (const double radius_cells : {0.3, 0.64}) {
        const SmallResult r = riseSmall(method_under_test, false, radius_cells, 2, 3);
        EXPECT_EQ(r.rising, r.places) << radius_cells;
        EXPECT_GT(r.least_g, 0) << radius_cells;
    }
}

// Wanted: 1e-9. The distances to the pieces have faces inside the box, which changes the extrapolation of phi and of
// the velocity there, and the pressure is solved to 1e-6.
TEST(BodiesAtRest, ABoxOfFourPiecesMovesAsOneBox)
{
    const WeldedResult floating = compareWelded(method_under_test, {48, 36, 1}, WeldedKind::floating, 0.3);
    EXPECT_LT(floating.position, 1e-3);      // 5.0e-4 of the length
    EXPECT_LT(floating.rotation_rad, 1e-3);  // 8.9e-5
    const WeldedResult thrown = compareWelded(method_under_test, {48, 36, 1}, WeldedKind::thrown, 0.3);
    EXPECT_LT(thrown.position, 0.01);      // 2.3e-3
    EXPECT_LT(thrown.rotation_rad, 0.01);  // 5.7e-3
}

// The move with joints rotates by (w dt)^3 / 12 per step less than free rotation: 3.5e-6 rad here.
TEST(BodiesAtRest, FourWeldedPiecesMoveAsOneBoxInAVacuum)
{
    const WeldedResult r = compareWelded({}, {48, 36, 1}, WeldedKind::dry, 0.3);
    EXPECT_LT(r.position, 1e-9);
    EXPECT_LT(r.rotation_rad, 5e-6);
}

TEST(BodiesAtRest, AHeavingCylinderReachesTheMinimumOfTheory)
{
    const HeaveSetup setup;
    const HeaveResult theory = heaveInTheory(setup), r = heave(method_under_test, setup, 120, 1.0 / 60);
    EXPECT_NEAR(r.lowest / theory.lowest, 1, 0.08);
    EXPECT_NEAR(r.acceleration_m_s2 / theory.acceleration_m_s2, 1, 0.1);
}

// No momentum is exchanged per step: -0.493 and -0.494. Tried: exchanged in each step, -0.479 and -0.398.
TEST(BodiesAtRest, AHeavingCylinderDoesNotDependOnTheNumberOfSteps)
{
    const HeaveSetup setup;
    const double few = heave(method_under_test, setup, 60, 1.0 / 60).lowest,
                 many = heave(method_under_test, setup, 60, 1.0 / 480).lowest;
    EXPECT_NEAR(many / few, 1, 0.02);
}

TEST(BodiesAtRest, ABodyReleasedInWaterStartsAtOnce)
{
    EXPECT_LT(std::abs(startLag(method_under_test, 1.0 / 60)),
              0.05);  // -0.007; half a step if the first solve is whole
}

// Measured: 1.018 and 1.012. With viscosity and pressure solved in turns it is 1.48 at 1/60 s (viscosity.md, section
// 9).
TEST(BodiesAtRest, ADiskSinksInHoneyAsFaxenSays)
{
    for (const double dt_s : {1.0 / 60, 1.0 / 240})
        EXPECT_NEAR(sinkInHoney(method_under_test, true, 12, dt_s), 1, 0.05) << dt_s;
}
