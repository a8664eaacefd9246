// Bodies thinner or smaller than a cell, alone, in contact, and under dry bodies: scenes in which nothing may move.
#include <gtest/gtest.h>

#include "validation/contact_of_bodies.h"

using namespace flotsam;

namespace {

constexpr Int3 cells{64, 64, 1};
constexpr double cell_m = 1.0 / 64, level_m = 0.5;

Scene pool()
{
    Scene scene;
    scene.domain.cells = cells;
    scene.domain.width_m = 1;
    scene.liquid.viscosity_m2_s = 0;
    scene.liquid.regions = {{PoolShape{level_m}, {}}};
    return scene;
}

void addBox(Vec3 size_cells, Vec3 position_m, double density_kg_m3, Scene& scene)
{
    BodySpec box;
    box.name = "box " + std::to_string(scene.bodies.size() + 1);
    box.shape = BlockShape{{size_cells.x * cell_m, size_cells.y * cell_m, 0.2}};
    box.density_kg_m3 = density_kg_m3;
    box.position_m = position_m;
    scene.bodies.push_back(box);
}

double fastest(const Scene& scene, double seconds) { return keepCalm(scene, level_m, seconds, 0, "").fastest_m_s; }

}  // namespace

// Where it contains a column of cell centres, the faces between two of these cells have to carry their liquid. Without
// that the plate rose with 1 g. Measured: at most 4e-8.
TEST(ThinBodies, ANeutralUprightPlateRests)
{
    for (const double thick : {0.4, 1.0, 1.5})
        for (const double offset : {0.1, 0.4, 0.5}) {
            Scene scene = pool();
            addBox({thick, 19.2, 0}, {0.5 + offset * cell_m, 0.25, 0.5 * cell_m}, 1000, scene);
            EXPECT_LT(fastest(scene, 0.2), 1e-6) << thick << " " << offset;
        }
}

// One of its faces contains cell centres at offsets of 0.3 and 0.7: rounding must not put some of them inside.
// Measured: at most 3e-9.
TEST(ThinBodies, ANeutralLyingPlateRests)
{
    for (const double offset : {0.1, 0.3, 0.5, 0.7}) {
        Scene scene = pool();
        addBox({19.2, 0.4, 0}, {0.5, 0.25 + offset * cell_m, 0.5 * cell_m}, 1000, scene);
        EXPECT_LT(fastest(scene, 0.2), 1e-6) << offset;
    }
}

// A cell that one of them closes has a pressure for both. Without it they moved at up to 2.4 m/s. Measured: 1e-7.
TEST(ThinBodies, NeutralPlatesThatTouchRest)
{
    for (const double thick : {0.384, 1.0, 2.56})
        for (const bool side_by_side : {false, true}) {
            Scene scene = pool();
            for (const double side : {-0.5, 0.5}) {
                const double aside_m = side * thick * cell_m;
                if (side_by_side)
                    addBox({thick, 19.2, 0}, {0.507 + aside_m, 0.25, 0.5 * cell_m}, 1000, scene);
                else
                    addBox({19.2, thick, 0}, {0.5, 0.294 + aside_m, 0.5 * cell_m}, 1000, scene);
            }
            EXPECT_LT(fastest(scene, 0.3), 1e-5) << thick << " " << side_by_side;
        }
}

// The liquid that it carries has longer levers than its own: it was spun up to 8e4 rad/s.
TEST(ThinBodies, ABoxSmallerThanACellIsNotSpunUp)
{
    Scene scene = pool();
    addBox({0.384, 0.384, 0}, {0.7, 0.6, 0.5 * cell_m}, 500, scene);
    Simulation run(scene);
    double fastest_rad_s = 0;
    while (run.t_s() < 1) {
        run.stepTowards(run.t_s() + 0.01);
        fastest_rad_s = std::max(fastest_rad_s, length(run.body().w_rad_s));
    }
    EXPECT_LT(fastest_rad_s, 1);
    EXPECT_NEAR(run.body().x_m.y, level_m, cell_m);  // it floats
}

// The first solve has to know that the floating box carries the other one, which no liquid touches. Otherwise both bob
// from 0.036 m/s on. Measured: 3e-8.
TEST(ThinBodies, AFloatingBoxCarriesADryOneFromTheStart)
{
    Scene scene = pool();
    for (const double y_m : {0.46247, 0.58757}) addBox({25.6, 8.0064, 0}, {0.5, y_m, 0.5 * cell_m}, 400, scene);
    EXPECT_LT(fastest(scene, 0.5), 1e-5);
}

// The upper one is dry: what lies between its closed cells and the water is the lower one. 6e-3 before, 0.2 where the
// closed cells of the upper one had the pressure of the water. Measured: 3e-8.
TEST(ThinBodies, AFloatingBoardCarriesAnother)
{
    for (const double offset : {0.0, 0.3, 0.9}) {
        Scene scene = pool();
        const double water_m = level_m + offset * cell_m, bottom_m = water_m - 0.8 * 1.2 * cell_m;
        scene.liquid.regions = {{PoolShape{water_m}, {}}};
        for (const double n : {0.5, 1.5})
            addBox({19.2, 1.2, 0}, {0.5, bottom_m + 1.2 * n * cell_m, 0.5 * cell_m}, 400, scene);
        EXPECT_LT(keepCalm(scene, water_m, 0.3, 0, "").fastest_m_s, 1e-5) << offset;
    }
}
