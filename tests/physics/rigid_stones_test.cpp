// Contacts of meshes with flat faces: crossed edges, falls, stacks and arches, like those of box shapes.
#include <gtest/gtest.h>

#include "core/time_loop.h"
#include "geometry/triangulate.h"
#include "validation/stone_cases.h"

namespace flotsam {
namespace {

double differenceOf(const VelocityChange& l, const VelocityChange& r)
{
    return std::max(length(l.v_m_s - r.v_m_s), length(l.w_rad_s - r.w_rad_s));
}

TEST(RigidStones, CrossedEdgesOfMeshesCollideLikeThoseOfBoxShapes)
{
    for (const BarShape shape : {BarShape::box, BarShape::mesh})
        for (const double angle_deg : {90.0, 50.0, -50.0})
            for (const double arm_m : {0.0, 0.12})
                for (const double gap_m : {0.03, 0.0317, 0.034, 0.0361})
                    for (const double step_s : {1.0 / 120, 1.0 / 1000}) {
                        const Mat3 turn = rotationFromDegrees({100 * arm_m, 20, angle_deg});
                        const CrossedBars bars{shape, shape, angle_deg, arm_m, -0.7 * arm_m, gap_m, step_s, turn};
                        const StruckBars found = strikeEdges(bars), expected = expectedStrike(bars);
                        EXPECT_LT(differenceOf(found.upper, expected.upper), 1e-9)  // 3e-14
                            << int(shape) << ' ' << angle_deg << ' ' << arm_m << ' ' << gap_m << ' ' << step_s;
                        EXPECT_LT(differenceOf(found.lower, expected.lower), 1e-9);
                    }
}

Body cubeBody(double side_m, bool as_mesh)
{
    Vec3 center;
    const double h = 0.5 * side_m;
    Body cube = as_mesh ? meshBody(boxMesh({h, h, h}), 700, center) : boxBody({side_m, side_m, side_m}, 700);
    cube.friction = 0.5;
    cube.restitution = 0.1;
    return cube;
}

struct Landed {
    BodyState state;
    double height_m = 0, speed_m_s = 0;
};
// A cube falls on a fixed cube that is larger.
Landed landOnCube(Vec3 turn_deg, bool meshes)
{
    RigidWorld world;
    world.add(cubeBody(0.1, meshes), {{0.02, 0.32, 0.01}, quatOf(rotationFromDegrees(turn_deg)), {}, {}});
    world.addPrescribed(cubeBody(0.4, meshes), {{}, {}, {}, {}, {}});
    takeSteps(360, 1.0 / 120, world);
    return {world.state.bodies[0], world.state.bodies[0].x_m.y, world.fastest()};
}

TEST(RigidStones, AMeshBoxLandsOnFaceEdgeOrCornerAndRestsLikeABoxShape)
{
    for (const Vec3 turn_deg : {Vec3{0, 20, 0}, Vec3{40, 0, 0}, Vec3{30, 0, 40}}) {
        const Landed mesh = landOnCube(turn_deg, true), box = landOnCube(turn_deg, false);
        EXPECT_NEAR(mesh.height_m, 0.25, 1e-4);  // 3e-6
        EXPECT_NEAR(box.height_m, 0.25, 1e-4);
        EXPECT_LT(mesh.speed_m_s, 1e-6);
    }
    // A fall on a face is the same motion.
    EXPECT_LT(length(landOnCube({0, 20, 0}, true).state.x_m - landOnCube({0, 20, 0}, false).state.x_m), 1e-6);  // 2e-8
}

struct Stood {
    double drift_m = 0, speed_m_s = 0;
};
Stood standStack(bool meshes)
{
    RigidWorld world;
    for (int i = 0; i < 10; ++i) world.add(cubeBody(0.1, meshes), {{0, 0.1 * i + 0.05, 0}, {}, {}, {}});
    world.addWall({}, {0, 1, 0});
    const std::vector<BodyState> start = world.state.bodies;
    takeSteps(360, 1.0 / 120, world);
    Stood stood;
    for (size_t i = 0; i < 10; ++i)
        stood.drift_m = std::max(stood.drift_m, length(world.state.bodies[i].x_m - start[i].x_m));
    stood.speed_m_s = world.fastest();
    return stood;
}

TEST(RigidStones, AStackOfTenMeshBoxesStandsAsThatOfBoxShapesDoes)
{
    const Stood meshes = standStack(true), boxes = standStack(false);
    EXPECT_LT(meshes.drift_m, 1e-4);  // 6e-5
    EXPECT_LT(boxes.drift_m, 1e-4);   // 5e-5
    EXPECT_LT(meshes.speed_m_s, 2e-5);
}

// By limit analysis eleven stones stand from a thickness of 0.1094 mean radii.
TEST(RigidStones, AnArchStandsIfItIsThickEnough)
{
    const StandingArch arch = standArch({}, 2);
    EXPECT_LT(arch.keystone_sinks_m, 1e-4);  // 3e-5
    EXPECT_LT(arch.drift_m, 2e-4);           // 8e-5
    EXPECT_LT(arch.speed_m_s, 1e-3);
    ArchShape thin;
    thin.thickness_m = 0.1;
    EXPECT_GT(standArch(thin, 2).keystone_sinks_m, 0.1);
}

}  // namespace
}  // namespace flotsam
