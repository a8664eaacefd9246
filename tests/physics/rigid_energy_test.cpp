// No energy gain: kinetic and potential energy of the bodies, less the work of prescribed bodies.
#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/time_loop.h"
#include "geometry/gear.h"
#include "rigid/from_scene.h"
#include "validation/rigid_cases.h"

namespace flotsam {
namespace {

constexpr double round_off = 1e-12;  // relative to the initial energy; measured: at most 1.2e-15

// The largest gain of a step, relative to the initial energy of bodies and heights.
double largestGain(double seconds, RigidWorld& world)
{
    double most = -1e300, before_J = world.kineticEnergy() + world.potentialEnergy();
    const double start_J = std::abs(before_J);
    stepUntil(seconds, 1.0 / 120, world, [&](const RigidReport& step) {
        const double now_J = world.kineticEnergy() + world.potentialEnergy();
        most = std::max(most, (now_J - before_J - step.work_J) / start_J);
        before_J = now_J;
    });
    return most;
}

// Bodies of all shapes, of densities from 100 to 10000 kg/m3, any friction and restitution, thrown into a bin.
RigidWorld mixedHeap(uint64_t seed)
{
    Vec3 center;
    const Body gear = meshBody(gearMesh({0.1, 0.03, 0.04, 16}), 2000, center),
               gem = meshBody(gemMesh(0.15), 900, center);
    RigidWorld world;
    for (uint64_t i = 0; i < 24; ++i) {
        const auto r = [&](uint64_t key) { return randomUnit(seed, i, key); };
        const double density = 100 * std::pow(10., 2 * r(9));
        const int kind = int(6 * r(0));
        Body body = kind == 0   ? sphereBody(0.04 + 0.05 * r(1), density)
                    : kind == 1 ? boxBody({0.05 + 0.15 * r(1), 0.03 + 0.1 * r(2), 0.05 + 0.1 * r(3)}, density)
                    : kind == 2 ? cylinderBody(0.03 + 0.05 * r(1), 0.04 + 0.2 * r(2), density)
                    : kind == 3 ? ellipsoidBody({0.04 + 0.05 * r(1), 0.04 + 0.05 * r(2), 0.04 + 0.08 * r(3)}, density)
                    : kind == 4 ? gear
                                : gem;
        body.friction = r(10);
        body.restitution = 0.8 * r(11);
        const Vec3 place{0.2 + 0.3 * double(i % 3), 0.3 + 0.32 * double(i / 9), 0.2 + 0.3 * double(i / 3 % 3)};
        world.add(std::move(body), {place,
                                    quatOf(rotationFromDegrees({360 * r(4), 360 * r(5), 360 * r(6)})),
                                    {2 * r(7) - 1, -2 * r(8), 0},
                                    {10 * r(12), 0, 10 * r(13)}});
    }
    world.addWall({}, {0, 1, 0});
    world.addWall({}, {1, 0, 0});
    world.addWall({}, {0, 0, 1});
    world.addWall({1, 0, 0}, {-1, 0, 0});
    world.addWall({0, 0, 1}, {0, 0, -1});
    return world;
}

TEST(RigidEnergy, AFallingHeapNeverGainsAny)
{
    RigidWorld world = binOfBoxes(48, 4);
    const double start_J = world.kineticEnergy() + world.potentialEnergy();
    EXPECT_LT(largestGain(2, world), round_off);
    EXPECT_LT(world.kineticEnergy() + world.potentialEnergy(), 0.7 * start_J);
}

TEST(RigidEnergy, MixedHeapsOfLightAndHeavyBodiesSettleWithoutGainingAny)
{
    for (const uint64_t seed : {1, 2, 3, 4, 5, 6, 7, 8, 13, 15, 51}) {  // without keepEnergy 8e-6 to 4e-4
        RigidWorld world = mixedHeap(seed);
        EXPECT_LT(largestGain(3, world), round_off) << seed;
        EXPECT_LT(world.deepestOverlap(), 5e-3) << seed;
        for (int i = 0; i < world.moving(); ++i) {
            const Vec3 x = world.state.bodies[size_t(i)].x_m;
            EXPECT_TRUE(x.x > 0 && x.x < 1 && x.z > 0 && x.z < 1 && x.y > 0) << seed << " " << i;
        }
    }
}

// In free space, inelastic and with friction: removing energy from an island does not change its momentum.
TEST(RigidEnergy, BodiesThatMeetInFreeSpaceKeepTheirMomentum)
{
    RigidWorld world({{0, 0, 0}, 1.0 / 120, 10});
    for (uint64_t i = 0; i < 18; ++i) {
        const auto r = [&](uint64_t key) { return randomUnit(5, i, key) - 0.5; };
        Body body = i % 2 ? boxBody({0.1, 0.14, 0.2}, 300) : sphereBody(0.08, 2000);
        body.restitution = 0;
        body.friction = 0.5;
        const Vec3 place{0.3 * double(i % 3), 0.3 * double(i / 3 % 3), 0.3 * double(i / 9)};
        world.add(std::move(body), {place,
                                    quatOf(rotationFromDegrees({360 * r(0), 360 * r(1), 0})),
                                    -1 * (place - Vec3{0.3, 0.3, 0.15}) + Vec3{r(2), r(3), r(4)},
                                    {5 * r(5), 5 * r(6), 0}});
    }
    const Vec3 momentum = world.momentum(), angular = world.angularMomentum();
    const double start_J = world.kineticEnergy();
    EXPECT_LT(largestGain(2, world), round_off);
    EXPECT_LT(world.kineticEnergy(), 0.7 * start_J);
    EXPECT_LT(length(world.momentum() - momentum), 1e-12);
    EXPECT_LT(length(world.angularMomentum() - angular), 2e-3 * length(angular));  // position correction
}

// Boxes and balls on a slab that rises, moves sideways and rotates: they gain exactly its work.
TEST(RigidEnergy, WhatAMovingSlabCarriesGainsItsWorkAndNoMore)
{
    for (const Vec3 spin : {Vec3{}, Vec3{0, 1.5, 0}, Vec3{0.3, 0, 0.4}}) {
        RigidWorld world;
        for (int i = 0; i < 12; ++i) {
            Body body = i % 3 ? boxBody({0.1, 0.1, 0.1}, 300 + 900 * (i % 2)) : sphereBody(0.05, 700);
            body.restitution = 0.1 * (i % 5);
            body.friction = 0.5;
            world.add(std::move(body), {{0.2 * (i % 3) - 0.2, 0.2 + 0.12 * (i / 3), 0.03 * (i % 2)}, {}, {}, {}});
        }
        world.addPrescribed(boxBody({2, 0.2, 2}, 1), {{}, {}, {}, {0.2, 0.5, 0}, spin});
        world.addWall({0, -1, 0}, {0, 1, 0});
        EXPECT_LT(largestGain(3, world), round_off) << spin.x << " " << spin.y;
    }
}

TEST(RigidEnergy, ABoxOnASinkingSlabGoesDownWithIt)
{
    RigidWorld world;
    world.add(boxBody({0.1, 0.1, 0.1}, 700), {{0, 0.15, 0}, {}, {0, -0.5, 0}, {}});
    world.addPrescribed(boxBody({2, 0.2, 2}, 1), {{}, {}, {}, {0, -0.5, 0}, {}});
    stepUntil(1, 1.0 / 120, world, [&](const RigidReport&) {
        const BodyState& s = world.state.bodies[0];
        EXPECT_NEAR(s.v_m_s.y, -0.5, 1e-9);
        EXPECT_NEAR(s.x_m.y, 0.15 - 0.5 * world.state.t_s, 1e-5);
    });
}

TEST(RigidEnergy, NoSceneGainsAny)
{
    for (const std::string name : {"pyramid", "dominoes", "catapult", "gear_heap", "bouncing_balls"}) {
        RigidWorld world = makeWorld(loadScene(FLOTSAM_SOURCE_DIR "/scenes/" + name + ".toml"));
        EXPECT_LT(largestGain(5, world), round_off) << name;  // without keepEnergy up to 6e-5
        EXPECT_LT(world.deepestOverlap(), 1e-3) << name;      // 0.2 mm
    }
}

}  // namespace
}  // namespace flotsam
