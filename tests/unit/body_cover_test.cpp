// The parts of control volumes that a body covers: volume and first moment.
#include <gtest/gtest.h>

#include "coupling/body_cover.h"
#include "rigid/from_scene.h"

using namespace flotsam;

namespace {

struct Sums {
    double volume_m3 = 0;
    Vec3 center_m;  // of the covered region
};

struct CoveredBody {
    Scene scene;
    RigidWorld world;
    Grid grid;
    BodyCover cover;

    CoveredBody(const BodyShape& shape, Vec3 position_m, Vec3 rotation_deg)
        : scene(sceneWith(shape, position_m, rotation_deg)), world(makeWorld(scene)), grid(scene.domain, scene.time)
    {
        BodyObstacle body(world, 0);
        body.moveTo(0);
        coverFaces(grid, body, world.bodies[0].mass_kg / 1000, cover);
    }
    // Faces between two buried cells are full.
    Sums along(int axis) const
    {
        Sums sums;
        const double half_m3 = 0.5 * grid.h * grid.h * grid.h;
        const auto add = [&](double fraction, Vec3 at) {
            sums.volume_m3 += fraction * half_m3;
            sums.center_m += fraction * half_m3 * at;
        };
        for (const FaceCover& f : cover.faces) {
            if (f.axis != axis) continue;
            add(f.below.fraction, f.below.centroid_m);
            add(f.above.fraction, f.above.centroid_m);
        }
        for (const BodyCover::Buried& b : cover.buried)
            if (b.axis == axis) add(2, facePosition(grid.h, axis, b.at));
        sums.center_m = sums.center_m / sums.volume_m3;
        return sums;
    }

private:
    static Scene sceneWith(const BodyShape& shape, Vec3 position_m, Vec3 rotation_deg)
    {
        Scene scene;
        scene.domain.cells = {32, 24, 20};
        scene.domain.width_m = 0.32;
        BodySpec body;
        body.name = "body";
        body.shape = shape;
        body.density_kg_m3 = 1000;
        body.position_m = position_m;
        body.rotation_deg = rotation_deg;
        scene.bodies = {body};
        return scene;
    }
};

void expectVolumeAndCenter(const CoveredBody& body, Vec3 center_m, double volume_error, double center_error_cells)
{
    const double volume_m3 = body.world.bodies[0].mass_kg / 1000;
    for (int axis = 0; axis < 3; ++axis) {
        const Sums sums = body.along(axis);
        EXPECT_NEAR(sums.volume_m3 / volume_m3, 1, volume_error) << axis;
        EXPECT_LT(length(sums.center_m - center_m) / body.grid.h, center_error_cells) << axis;
    }
}

}  // namespace

TEST(BodyCover, ATurnedBoxHasItsVolumeAndItsCentre)
{
    const Vec3 center_m{0.1531, 0.1127, 0.0984};
    expectVolumeAndCenter({BlockShape{{0.1013, 0.0717, 0.0831}}, center_m, {31, 17, 53}}, center_m, 1e-6, 1e-6);
    expectVolumeAndCenter({BlockShape{{0.1013, 0.0717, 0.0831}}, center_m, {}}, center_m, 1e-6, 1e-5);
    expectVolumeAndCenter({BlockShape{{0.1, 0.08, 0.06}}, {0.16, 0.12, 0.1}, {}}, {0.16, 0.12, 0.1}, 1e-6, 1e-5);
    expectVolumeAndCenter({BlockShape{{0.1, 0.003, 0.06}}, center_m, {0, 40, 3}}, center_m, 1e-6, 1e-5);
}

TEST(BodyCover, ABallHasItsVolumeAndItsCentre)
{
    const Vec3 center_m{0.1531, 0.1127, 0.0984};
    for (const double radius_m : {0.002, 0.006, 0.011, 0.043})
        expectVolumeAndCenter({BallShape{radius_m}, center_m, {}}, center_m, 1e-6, 0.01);
}

TEST(BodyCover, AResolvedBodyHasBuriedCells)
{
    const CoveredBody box(BlockShape{{0.1, 0.08, 0.06}}, {0.16, 0.12, 0.1}, {});
    // 10 x 8 x 6 cells. The outermost layer counts as cut, since its centres are less than half a diagonal deep, and the
    // next one touches it. 6 x 4 x 2 are left, with 5 faces between 6 of them along x.
    EXPECT_EQ(box.cover.buried.size(), size_t(5 * 4 * 2 + 6 * 3 * 2 + 6 * 4 * 1));
}
