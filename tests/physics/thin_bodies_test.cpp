// Bodies smaller than a cell, and dry bodies on floating ones.
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

double fastest(const Scene& scene, double seconds)
{
    return keepCalm(scene, level_m, seconds, 0, "").fastest_m_s;
}

}  // namespace

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
