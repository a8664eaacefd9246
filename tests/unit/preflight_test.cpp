#include "scene/preflight.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "rigid/from_scene.h"
#include "scene/preflight_checks.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

SolidSpec solid(const ShapeSpec& shape)
{
    SolidSpec s;
    s.name = "thing";
    s.shape = shape;
    return s;
}

// One metre wide, 20 cells along each axis, half full.
Scene halfFullTank()
{
    Scene s;
    s.domain.cells = {20, 20, 20};
    s.liquid.regions.push_back({PoolShape{0.5, 0, 1, 1}, {}});
    return s;
}

bool warnsOf(const Scene& s, const std::string& part)
{
    for (const std::string& w : inspect(s).warnings)
        if (w.find(part) != w.npos) return true;
    return false;
}

std::string refusal(const Scene& s)
{
    try {
        inspect(s);
    } catch (const InputError& e) {
        return e.what();
    }
    return "none";
}

TEST(Preflight, AHalfFullTankHasHalfItsCellsLiquidAndNoWarning)
{
    const Preflight p = inspect(halfFullTank());
    EXPECT_EQ(p.cells, 8000);
    EXPECT_EQ(p.liquid_cells, 4000);
    EXPECT_EQ(p.surface_cells, 400);
    EXPECT_NEAR(p.liquid_volume_m3, 0.5, 1e-12);
    EXPECT_EQ(p.frames, 240);
    EXPECT_TRUE(p.warnings.empty()) << p.warnings.front();
}

TEST(Preflight, LiquidInsideSolidsDoesNotCount)
{
    Scene s = halfFullTank();
    s.solids.push_back(solid(BoxShape{{-1, -1, -1}, {0.5, 2, 2}, {}}));
    const Preflight p = inspect(s);
    EXPECT_EQ(p.liquid_cells, 2000);
    EXPECT_EQ(p.solid_cells, 4000);
}

TEST(Preflight, StepsFollowTheFallSpeedAndTheCfl)
{
    Scene s = halfFullTank();
    s.time.seconds = 1;
    const Preflight p = inspect(s);
    EXPECT_NEAR(p.speed_m_s, std::sqrt(2 * 9.81 * 0.475), 1e-9);  // from the centre of the highest cell
    EXPECT_EQ(p.steps, 60 * 2);                                   // 1/60 s x 3.05 m/s is 1.02 cells of 5 cm
    s.time.cfl = 0.5;
    EXPECT_EQ(inspect(s).steps, 60 * 3);
}

// A ball that falls from 2 m reaches 6.3 m/s, and a spinning box has fast corners: both shorten the steps.
TEST(Preflight, StepsFollowTheBodiesAsWell)
{
    Scene s = halfFullTank();
    s.time.seconds = 1;
    const long long without = inspect(s).steps;
    BodySpec box;
    box.name = "box";
    box.shape = BlockShape{{0.2, 0.2, 0.2}};
    box.density_kg_m3 = 500;
    box.position_m = {0.5, 2, 0.5};
    s.bodies = {box};
    const auto inspected = [](const Scene& scene) {
        return inspect(scene, ".", summaryOf(scene, makeWorld(scene)));
    };
    EXPECT_NEAR(inspected(s).speed_m_s, std::sqrt(2 * 9.81 * 2), 1e-6);
    EXPECT_GT(inspected(s).steps, without);
    s.bodies[0].spin_rad_s = {1e5, 1e5, 0};
    EXPECT_GT(inspected(s).speed_m_s, 1e4);
    EXPECT_GT(inspected(s).steps, 60 * 1000);
    s.liquid.regions.clear();  // without liquid, bodies use substeps
    EXPECT_EQ(inspected(s).steps, 60);
}

TEST(Preflight, TheDiskHoldsARowPerBodyAndStepAndTheParticlesOfCheckpoints)
{
    Scene s = halfFullTank();
    const Preflight bare = inspect(s);
    EXPECT_GT(bare.splash_disk_bytes, 2 * bare.disk_bytes);
    s.bodies.resize(100);
    EXPECT_GT(inspect(s).disk_bytes, bare.disk_bytes + 100. * double(bare.steps) * 500);
    s.bodies.clear();
    s.surface.particles_per_cell = 0;
    EXPECT_LT(inspect(s).disk_bytes, bare.disk_bytes - 2. * 400 * 32 * 12);
}

// Many thousands of regions, few of them near any cell.
TEST(Preflight, ThousandsOfRegionsAreCounted)
{
    Scene s = halfFullTank();
    s.liquid.regions.clear();
    for (int n = 0; n < 8000; ++n) {
        const Vec3 lo = 0.05 * Vec3{double(n % 20), double(n / 20 % 20), double(n / 400)};
        s.liquid.regions.push_back({BoxShape{lo, lo + Vec3{0.05, 0.05, 0.05}, {}}, {}});
    }
    const Preflight p = inspect(s);
    EXPECT_EQ(p.liquid_cells, 8000);
    EXPECT_FALSE(warnsOf(s, "holds no cell"));
}

// A frame of still water is a closed mesh: 0.443 MB measured for this pool, a fifth of it for the free surface.
TEST(Preflight, TheDiskHoldsClosedMeshes)
{
    Scene s = halfFullTank();
    const Preflight p = inspect(s);
    EXPECT_NEAR(p.disk_bytes / (p.frames + 1), 0.443e6, 0.1e6);
}

TEST(Preflight, MemoryAndDiskGrowWithTheCells)
{
    Scene coarse = halfFullTank(), fine = halfFullTank();
    coarse.domain.cells = {64, 64, 64};
    fine.domain.cells = {128, 128, 128};
    const Preflight a = inspect(coarse), b = inspect(fine);
    EXPECT_GT(b.memory_bytes, 2.5 * a.memory_bytes);  // 8 times the cells, plus the memory of the program itself
    EXPECT_GT(a.memory_bytes, 107. * 64 * 64 * 32);
    EXPECT_GT(b.disk_bytes, 3 * a.disk_bytes);
    coarse.output.volume = true;
    EXPECT_GT(inspect(coarse).disk_bytes, a.disk_bytes);
}

TEST(Preflight, TheViscousSolveTakesMemoryWhereTheRunComesToIt)
{
    Scene s = halfFullTank();
    s.domain.cells = {64, 64, 64};
    s.time.seconds = 0.5;  // water would have its first viscous solve after 1 s
    const double water = inspect(s).memory_bytes;
    s.liquid.viscosity_m2_s = 0;
    EXPECT_EQ(inspect(s).memory_bytes, water);
    s.liquid.viscosity_m2_s = 1;
    const double full = inspect(s).memory_bytes;
    EXPECT_GT(full - water, 150. * 64 * 64 * 32);
    s.liquid.viscous_stress = ViscousStress::component;
    EXPECT_LT(inspect(s).memory_bytes, full);
    s.heat.on = true;
    s.heat.viscosity = {ViscosityLaw::linear, 300, 310, 10, 1e-6};
    EXPECT_GT(inspect(s).memory_bytes, full);  // temperature, and a viscosity per cell
}

TEST(Preflight, NoLiquidCellIsRefused)
{
    Scene outside = halfFullTank();
    outside.liquid.regions = {{SphereShape{{5, 5, 5}, 0.2}, {}}};
    EXPECT_NE(refusal(outside).find("no liquid: every region lies outside the domain or inside solids"),
              std::string::npos);
    Scene inside = halfFullTank();
    inside.solids.push_back(solid(BoxShape{{-1, -1, -1}, {2, 0.6, 2}, {}}));
    EXPECT_NE(refusal(inside).find("no liquid"), std::string::npos);
}

TEST(Preflight, ASourceAloneIsEnough)
{
    Scene s = halfFullTank();
    s.liquid.regions.clear();
    s.liquid.sources.push_back({SphereShape{{0.5, 0.8, 0.5}, 0.1}, {0, -1, 0}});
    const Preflight p = inspect(s);
    EXPECT_EQ(p.liquid_cells, 0);
    EXPECT_GT(p.inflow_volume_m3, 0);
}

TEST(Preflight, ASolidThatFillsTheDomainIsRefused)
{
    Scene s = halfFullTank();
    s.solids.push_back(solid(SphereShape{{0.5, 0.5, 0.5}, 5}));
    EXPECT_NE(refusal(s).find("solids fill the whole domain"), std::string::npos);
}

TEST(Preflight, ASourceWhollyInsideASolidIsRefused)
{
    Scene s = halfFullTank();
    s.solids.push_back(solid(SphereShape{{0.5, 0.5, 0.5}, 0.3}));
    s.liquid.sources.push_back({SphereShape{{0.5, 0.5, 0.5}, 0.1}, {0, -1, 0}});
    EXPECT_NE(refusal(s).find("liquid.source.0 lies wholly inside solids"), std::string::npos);
}

TEST(Preflight, AnInflowIsItsCrossSectionTimesItsSpeedAndTime)
{
    Scene s = halfFullTank();
    s.time.seconds = 3;
    s.liquid.sources.push_back({BoxShape{{0, 0.6, 0.4}, {0.1, 0.8, 0.6}, {}}, {2, 0, 0}, 1, 2.5});
    EXPECT_NEAR(inspect(s).inflow_volume_m3, 0.2 * 0.2 * 2 * 1.5, 1e-9);
}

TEST(Preflight, WarningsNameWhatLooksWrong)
{
    const auto with = [](auto change) {
        Scene s = halfFullTank();
        change(s);
        return s;
    };
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.liquid.regions[0].shape = PoolShape{2, 0, 1, 1}, s.domain.open[1][1] = false;
                        }),
                        "closed box is full"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.liquid.regions[0].shape = PoolShape{30, 0, 1, 1};
                        }),
                        "liquid.region.0 is a pool 30 m deep in a tank 1 m high"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.liquid.regions.push_back({SphereShape{{9, 9, 9}, 1}, {}});
                        }),
                        "liquid.region.1 lies wholly outside the domain"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.solids.push_back(solid(SphereShape{{9, 9, 9}, 1}));
                        }),
                        "solid \"thing\" lies wholly outside the domain"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.solids.push_back(solid(BoxShape{{0.2, 0.2, 0.2}, {0.26, 0.8, 0.8}, {}}));
                        }),
                        "is 1.2 cells thick"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.liquid.regions = {{BoxShape{{0, 0, 0}, {1, 0.5, 1}, {}}, {}}};
                            s.solids.push_back(solid(SphereShape{{0.5, 0.3, 0.5}, 0.2}));
                        }),
                        "liquid.region.0 overlaps solids"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.solids.push_back(solid(SphereShape{{0.5, 0.3, 0.5}, 0.2}));
                            s.solids[0].velocity_m_s = {20, 0, 0};
                        }),
                        "cells in a step"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) { s.domain.gravity_m_s2 = {0, -981, 0}; }), "is it in cm/s2"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) { s.domain.gravity_m_s2 = {}; }), "gravity_m_s2 is zero"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) { s.domain.gravity_m_s2 = {0, 9.81, 0}; }), "gravity points up"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.domain.width_m = 1000;
                            s.liquid.regions[0].shape = PoolShape{600, 0, 1, 1000};
                        }),
                        "in millimetres"));
    EXPECT_FALSE(warnsOf(with([](Scene& s) { s.liquid.viscosity_m2_s = 1e-2; }), "viscosity"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) { s.liquid.density_kg_m3 = 1; }), "g/cm3"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.domain.open[1][1] = false;
                            s.liquid.sources.push_back({BoxShape{{0, 0.6, 0}, {0.1, 1, 1}, {}}, {5, 0, 0}});
                        }),
                        "into a closed tank"));
    EXPECT_TRUE(warnsOf(with([](Scene& s) {
                            s.domain.cells = {200, 200, 200}, s.output.volume = true, s.time.seconds = 1e4;
                        }),
                        "of disk"));
}

TEST(Preflight, TheThicknessOfAMeshIsTwiceItsDepth)
{
    const fs::path file = fs::temp_directory_path() / ("flotsam_slab_" + std::to_string(getpid()) + ".obj");
    std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 0 .1\nv 1 0 .1\nv 1 1 .1\nv 0 1 .1\n"
                           "f 1 4 3 2\nf 5 6 7 8\nf 1 2 6 5\nf 2 3 7 6\nf 3 4 8 7\nf 4 1 5 8\n";
    DomainParams domain;
    domain.cells = {40, 40, 40};
    const SolidSpec slab = solid(MeshShape{file.string(), 1, {}, {}});
    const auto shape = makeShape(slab.shape, 0.5 * domain.h());
    EXPECT_NEAR(thickness(slab, *shape, domain), 0.1, 0.5 * domain.h());  // measured 0.1, within a quarter of a cell
    fs::remove(file);
}

TEST(Preflight, AnOpenMeshIsRefusedWithThePlaceInTheScene)
{
    const fs::path file = fs::temp_directory_path() / ("flotsam_open_" + std::to_string(getpid()) + ".obj");
    std::ofstream(file) << "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
    Scene s = halfFullTank();
    s.solids.push_back(solid(MeshShape{file.string(), 1, {}, {}}));
    s.solids[0].where = "tank.toml:7";
    EXPECT_TRUE(refusal(s).starts_with("tank.toml:7: ")) << refusal(s);
    fs::remove(file);
}

TEST(Preflight, ScenesOfOursHaveNoWarnings)
{
    for (const auto& entry : fs::directory_iterator(fs::path(FLOTSAM_SOURCE_DIR) / "scenes")) {
        if (entry.path().extension() != ".toml") continue;
        const Scene scene = loadScene(entry.path().string());
        const Preflight p = inspect(scene);
        EXPECT_TRUE(p.warnings.empty()) << p.warnings.front();
        if (scene.hasLiquid()) {
            EXPECT_GT(p.liquid_cells + (p.inflow_volume_m3 > 0), 0) << entry.path();
        } else {
            const BodyPreflight bodies = inspectBodies(scene, makeWorld(scene));
            EXPECT_TRUE(bodies.warnings.empty()) << bodies.warnings.front();
            EXPECT_GT(bodies.bodies.size(), 0u) << entry.path();
        }
    }
}

TEST(Preflight, WarnsOfHeatThatWouldBoilTheTank)
{
    Scene s = halfFullTank();
    s.heat.on = true;
    s.time.seconds = 10;
    HeatSourceSpec source;
    source.shape = SphereShape{{0.5, 0.3, 0.5}, 0.1};
    source.power_W = 1e6;  // 1e7 J in half a tonne of water: 4.8 K
    s.heat.sources = {source};
    EXPECT_FALSE(warnsOf(s, "boil"));
    s.heat.sources[0].power_W = 1e8;
    EXPECT_TRUE(warnsOf(s, "from 293.1 K to about 770.9 K; it would boil"));
    s.heat.sources[0].to_s = 0.1;
    EXPECT_FALSE(warnsOf(s, "boil"));
}

TEST(Preflight, WarnsOfAHeatSourceThatHeatsNothing)
{
    Scene s = halfFullTank();
    s.heat.on = true;
    HeatSourceSpec source;
    source.shape = SphereShape{{5, 0.3, 0.5}, 0.1};
    source.temperature_K = 400;
    source.from_s = 50;
    s.heat.sources = {source};
    EXPECT_TRUE(warnsOf(s, "heat.source.0 lies wholly outside the domain"));
    EXPECT_TRUE(warnsOf(s, "heat.source.0 starts at 50 s, after the end of the run"));
}

}  // namespace
}  // namespace flotsam
