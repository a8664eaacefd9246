#include "scene/scene.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>

#include "core/error.h"
#include "scene/suggest.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

// A separate folder, deleted after the test.
class SceneFile : public ::testing::Test {
protected:
    void SetUp() override
    {
        const auto* info = ::testing::UnitTest::GetInstance()->current_test_info();
        folder = fs::temp_directory_path() / ("flotsam_scene_" + std::to_string(getpid()) + "_" + info->name());
        fs::create_directories(folder);
    }
    void TearDown() override { fs::remove_all(folder); }

    std::string write(const std::string& text)
    {
        const fs::path file = folder / "tank.toml";
        std::ofstream(file) << text;
        return file.string();
    }

    // The message of the InputError, without the folder.
    std::string error(const std::string& text, const std::vector<std::string>& overrides = {})
    {
        try {
            loadScene(write(text), overrides);
        } catch (const InputError& e) {
            std::string message = e.what();
            const std::string prefix = folder.string() + "/";
            for (size_t at; (at = message.find(prefix)) != message.npos;) message.erase(at, prefix.size());
            return message;
        }
        return "no error";
    }

    void expectError(const std::string& text, const std::string& part, const std::vector<std::string>& overrides = {})
    {
        const std::string message = error(text, overrides);
        EXPECT_NE(message.find(part), message.npos) << "expected: " << part << "\nfound:    " << message;
    }

    fs::path folder;
};

const std::string pool = "[[liquid.region]]\npool = { depth_m = 0.5 }\n";

void expectSame(const Scene& a, const Scene& b)
{
    // The writer covers every field, so equal texts mean equal scenes; a missing field shows in the test of all keys.
    EXPECT_EQ(sceneToToml(a), sceneToToml(b));
}

const std::string every_key = R"(
title = "A \"title\" with \\ and é"
[domain]
cells = [40, 30, 20]
width_m = 1.25
gravity_m_s2 = [0.1, -9.5, 0.3]
walls = "no-slip"
open = ["-x", "+z"]
[time]
seconds = 3.5
fps = 24
cfl = 2.5
max_dt_s = 0.003
[liquid]
density_kg_m3 = 870
viscosity_m2_s = 2e-5
viscosity_mean = "harmonic"
viscous_stress = "component"
advection = "maccormack"
loop = "one-projection"
[[liquid.region]]
box = { min_m = [0, 0, 0], max_m = [0.1, 0.2, 0.3], rotation_deg = [10, 20, 30] }
velocity_m_s = [1, 2, 3]
temperature_K = 310
viscosity_m2_s = 0.5
[[liquid.region]]
pool = { depth_m = 0.25, amplitude_m = 0.01, mode = 3 }
[[liquid.source]]
cylinder = { center_m = [0.5, 0.6, 0.25], radius_m = 0.05, height_m = 0.1, rotation_deg = [0, 0, 90] }
velocity_m_s = [-1, 0, 0]
from_s = 0.5
to_s = 2
temperature_K = 350
viscosity_m2_s = 0
[[liquid.source]]
sphere = { center_m = [0.1, 0.7, 0.25], radius_m = 0.04 }
[heat]
temperature_K = 299
convection = "upwind"
diffusivity_m2_s = 1e-6
specific_heat_J_kg_K = 2000
walls_K = 280
air_K = 270
air_transfer_W_m2_K = 12
latent_J_kg = 2e5
melting_K = 330
[heat.viscosity]
law = "table"
table = [[300, 1e4], [320, 10], [340, 0.1]]
[[heat.source]]
sphere = { center_m = [0.2, 0.2, 0.2], radius_m = 0.1 }
power_W = 500
from_s = 1
to_s = 3
[[heat.source]]
box = { min_m = [0, 0, 0], max_m = [0.1, 0.1, 0.1] }
temperature_K = 400
[[solid]]
name = "wheel"
mesh = { file = "wheel.obj", scale = 0.3, position_m = [1, 2, 3], rotation_deg = [4, 5, 6] }
velocity_m_s = [0, 0.1, 0]
spin_rad_s = [0, 0, 7]
pivot_m = [0.9, 0.8, 0.7]
[[solid]]
sphere = { center_m = [0.3, 0.3, 0.3], radius_m = 0.1 }
[pressure]
tolerance_rel = 1e-8
max_iterations = 55
[surface]
scheme = "weno5"
reinitialisation = "pde"
treatment = "noisy"
band_cells = 7
particles_per_cell = 16
reseed_every_steps = 5
particles_until_s = 1.5
seed = 3
volume_correction = false
tetrahedra = 48
[tracers]
count = 123
seed = 9
[output]
surface = false
volume = true
checkpoint_every_frames = 7
[render]
eye_m = [3, 2, 1]
look_at_m = [0, 0.5, 0]
field_of_view_deg = 35
liquid_color = [0.1, 0.2, 0.3]
opaque = true
show_tank = false
)";

TEST_F(SceneFile, EveryKeyIsRead)
{
    std::ofstream(folder / "wheel.obj") << "v 0 0 0\n";
    const Scene s = loadScene(write(every_key));
    EXPECT_EQ(s.title, "A \"title\" with \\ and é");
    EXPECT_EQ(s.name, "tank");
    EXPECT_EQ(s.domain.cells, (Int3{40, 30, 20}));
    EXPECT_EQ(s.domain.width_m, 1.25);
    EXPECT_EQ(s.domain.gravity_m_s2, (Vec3{0.1, -9.5, 0.3}));
    EXPECT_TRUE(s.domain.no_slip);
    EXPECT_TRUE(s.domain.open[0][0] && s.domain.open[2][1]);
    EXPECT_FALSE(s.domain.open[0][1] || s.domain.open[1][0] || s.domain.open[1][1] || s.domain.open[2][0]);
    EXPECT_EQ(s.time.seconds, 3.5);
    EXPECT_EQ(s.time.fps, 24);
    EXPECT_EQ(s.time.cfl, 2.5);
    EXPECT_EQ(s.time.max_dt_s, 0.003);
    EXPECT_EQ(s.liquid.density_kg_m3, 870);
    EXPECT_EQ(s.liquid.viscosity_m2_s, 2e-5);
    EXPECT_EQ(s.liquid.viscosity_mean, ViscosityMean::harmonic);
    EXPECT_EQ(s.liquid.viscous_stress, ViscousStress::component);
    EXPECT_EQ(s.liquid.regions[0].viscosity_m2_s, 0.5);
    EXPECT_FALSE(s.liquid.regions[1].viscosity_m2_s);
    EXPECT_EQ(s.liquid.sources[0].viscosity_m2_s, 0.0);
    EXPECT_EQ(s.liquid.advection, Advection::maccormack);
    EXPECT_EQ(s.liquid.loop, Loop::one_projection);
    EXPECT_EQ(s.liquid.regions[0].temperature_K, 310);
    EXPECT_FALSE(s.liquid.regions[1].temperature_K);
    EXPECT_EQ(s.liquid.sources[0].temperature_K, 350);
    EXPECT_TRUE(s.heat.on);
    EXPECT_EQ(s.heat.temperature_K, 299);
    EXPECT_EQ(s.heat.convection, HeatConvection::upwind);
    EXPECT_EQ(s.heat.diffusivity_m2_s, 1e-6);
    EXPECT_EQ(s.heat.specific_heat_J_kg_K, 2000);
    EXPECT_EQ(s.heat.walls_K, 280);
    EXPECT_EQ(s.heat.air_K, 270);
    EXPECT_EQ(s.heat.air_transfer_W_m2_K, 12);
    EXPECT_EQ(s.heat.latent_J_kg, 2e5);
    EXPECT_EQ(s.heat.melting_K, 330);
    EXPECT_EQ(s.heat.viscosity.law, ViscosityLaw::table);
    ASSERT_EQ(s.heat.viscosity.table.size(), 3u);
    EXPECT_EQ(s.heat.viscosity.table[1].viscosity_m2_s, 10);
    ASSERT_EQ(s.heat.sources.size(), 2u);
    EXPECT_EQ(s.heat.sources[0].power_W, 500);
    EXPECT_EQ(s.heat.sources[0].to_s, 3);
    EXPECT_EQ(s.heat.sources[1].temperature_K, 400);
    EXPECT_EQ(s.pressure.tolerance_rel, 1e-8);
    EXPECT_EQ(s.pressure.max_iterations, 55);
    EXPECT_EQ(s.surface.scheme, SurfaceScheme::weno5);
    EXPECT_EQ(s.surface.reinitialisation, Reinitialisation::pde);
    EXPECT_EQ(s.surface.treatment, SurfaceTreatment::noisy);
    EXPECT_EQ(s.surface.band_cells, 7);
    EXPECT_EQ(s.surface.particles_per_cell, 16);
    EXPECT_EQ(s.surface.reseed_every_steps, 5);
    EXPECT_EQ(s.surface.particles_until_s, 1.5);
    EXPECT_EQ(s.surface.seed, 3);
    EXPECT_FALSE(s.surface.volume_correction);
    EXPECT_EQ(s.surface.tetrahedra, 48);
    EXPECT_EQ(s.tracers.count, 123);
    EXPECT_EQ(s.tracers.seed, 9);
    EXPECT_FALSE(s.output.surface);
    EXPECT_TRUE(s.output.volume);
    EXPECT_EQ(s.output.checkpoint_every_frames, 7);
    EXPECT_TRUE(s.render.has_camera);
    EXPECT_EQ(s.render.eye_m, (Vec3{3, 2, 1}));
    EXPECT_EQ(s.render.look_at_m, (Vec3{0, 0.5, 0}));
    EXPECT_EQ(s.render.field_of_view_deg, 35);
    EXPECT_EQ(s.render.liquid_color, (Vec3{0.1, 0.2, 0.3}));
    EXPECT_TRUE(s.render.opaque);
    EXPECT_FALSE(s.render.show_tank);
}

TEST_F(SceneFile, EveryShapeIsRead)
{
    std::ofstream(folder / "wheel.obj") << "v 0 0 0\n";
    const Scene s = loadScene(write(every_key));
    ASSERT_EQ(s.liquid.regions.size(), 2u);
    ASSERT_EQ(s.liquid.sources.size(), 2u);
    ASSERT_EQ(s.solids.size(), 2u);
    const auto& box = std::get<BoxShape>(s.liquid.regions[0].shape);
    EXPECT_EQ(box.max_m, (Vec3{0.1, 0.2, 0.3}));
    EXPECT_EQ(box.rotation_deg, (Vec3{10, 20, 30}));
    EXPECT_EQ(s.liquid.regions[0].velocity_m_s, (Vec3{1, 2, 3}));
    const auto& lake = std::get<PoolShape>(s.liquid.regions[1].shape);
    EXPECT_EQ(lake.mode, 3);
    EXPECT_EQ(lake.width_m, 1.25);  // that of the domain
    EXPECT_EQ(std::get<CylinderShape>(s.liquid.sources[0].shape).height_m, 0.1);
    EXPECT_EQ(s.liquid.sources[0].from_s, 0.5);
    EXPECT_EQ(s.liquid.sources[0].to_s, 2);
    EXPECT_TRUE(std::isinf(s.liquid.sources[1].to_s));
    const auto& mesh = std::get<MeshShape>(s.solids[0].shape);
    EXPECT_EQ(mesh.file, fs::canonical(folder / "wheel.obj").string());
    EXPECT_EQ(mesh.scale, 0.3);
    EXPECT_EQ(s.solids[0].name, "wheel");
    EXPECT_EQ(s.solids[0].spin_rad_s, (Vec3{0, 0, 7}));
    EXPECT_TRUE(s.solids[0].has_pivot);
    EXPECT_EQ(s.solids[0].pivot_m, (Vec3{0.9, 0.8, 0.7}));
    EXPECT_EQ(s.solids[1].name, "solid2");
    EXPECT_FALSE(s.solids[1].has_pivot);
}

TEST_F(SceneFile, WritingAndReadingGivesTheSameScene)
{
    std::ofstream(folder / "wheel.obj") << "v 0 0 0\n";
    Scene first = loadScene(write(every_key));
    first.domain.width_m = 0.1 + 0.2;  // 17 digits
    first.time.max_dt_s = 1. / 3;
    const Scene second = loadScene(write(sceneToToml(first)));
    expectSame(first, second);
    EXPECT_EQ(second.domain.width_m, 0.1 + 0.2);
    EXPECT_EQ(second.time.max_dt_s, 1. / 3);
    EXPECT_TRUE(std::isinf(second.liquid.sources[1].to_s));
    EXPECT_EQ(second.title, first.title);
}

TEST_F(SceneFile, DefaultsAreThoseOfTheStructs)
{
    const Scene s = loadScene(write(pool)), d;
    EXPECT_EQ(s.title, "tank");
    EXPECT_EQ(s.domain.cells, d.domain.cells);
    EXPECT_EQ(s.domain.gravity_m_s2, d.domain.gravity_m_s2);
    EXPECT_TRUE(s.domain.open[1][1]);
    EXPECT_EQ(s.time.fps, d.time.fps);
    EXPECT_EQ(s.liquid.viscosity_m2_s, d.liquid.viscosity_m2_s);
    EXPECT_EQ(s.output.checkpoint_every_frames, d.output.checkpoint_every_frames);
}

TEST_F(SceneFile, AnEmptyListOfOpenFacesClosesTheBox)
{
    const Scene s = loadScene(write("[domain]\nopen = []\n" + pool));
    for (const auto& axis : s.domain.open) EXPECT_FALSE(axis[0] || axis[1]);
}

TEST_F(SceneFile, AnUnknownKeyIsNamedWithItsLineAndTheNearestKnownOne)
{
    EXPECT_EQ(error("[domain]\nwidth_m = 1\ncels = [8,8,8]\n" + pool),
              "tank.toml:3: unknown key 'domain.cels'; did you mean 'domain.cells'?");
    expectError(pool + "[liquid2]\n", "tank.toml:3: unknown key 'liquid2'; did you mean 'liquid'?");
    expectError("[liquid]\ndensty = 3\n" + pool, "did you mean 'liquid.density_kg_m3'?");
    expectError("[[liquid.region]]\nsphere = { center = [0,0,0], radius_m = 1 }\n",
                "did you mean 'liquid.region.0.sphere.center_m'?");
    expectError(pool + "[render]\nxyzzy = 1\n", "the keys here are eye_m, look_at_m");
}

TEST_F(SceneFile, AMistakeOfTomlIsNamedWithItsLine)
{
    expectError("title = \"a\"\n[domain\n", "tank.toml:2: ");
    expectError("title = hello\n", "tank.toml:1: ");
    expectError("[domain]\nwidth_m = 1\nwidth_m = 2\n", "tank.toml:3: ");
    expectError("", "the file is empty");
}

TEST(SceneFiles, AFileWithoutEndIsRefused)
{
    try {
        loadScene("/dev/zero");
        FAIL() << "it was read";
    } catch (const InputError& e) {
        EXPECT_NE(std::string(e.what()).find("/dev/zero: this is longer than"), std::string::npos) << e.what();
    }
}

TEST_F(SceneFile, AWrongTypeSaysWhatWasExpectedAndFound)
{
    expectError("[domain]\nwidth_m = \"wide\"\n" + pool,
                "tank.toml:2: domain.width_m has the wrong type: found the string \"wide\"; expected a number");
    expectError("[domain]\ncells = [8, 8]\n" + pool, "found an array of 2; expected an array of 3 whole numbers");
    expectError("[domain]\ncells = [8, 8, 8.5]\n" + pool, "found the number 8.5; expected an array of 3 whole numbers");
    expectError("[output]\nvolume = 1\n" + pool, "found the whole number 1; expected true or false");
    expectError("title = 7\n" + pool, "expected a string in quotes");
    expectError("domain = 3\n" + pool, "domain has the wrong type: found the whole number 3; expected a table");
    expectError("[liquid.region]\npool = { depth_m = 0.5 }\n", "write [[liquid.region]] with double brackets");
    expectError("[domain]\nopen = \"+y\"\n" + pool, "expected an array of strings");
}

TEST_F(SceneFile, AMaterialGivesTheLiquidItsValuesAndLooks)
{
    const Scene honey = loadScene(write("[liquid]\nmaterial = \"honey\"\n" + pool), {});
    EXPECT_EQ(honey.liquid.density_kg_m3, 1420);
    EXPECT_EQ(honey.liquid.viscosity_m2_s, 7e-3);
    EXPECT_FALSE(honey.render.opaque);
    const Scene paste = loadScene(write("[liquid]\nmaterial = \"toothpaste\"\nviscosity_m2_s = 1e4\n" + pool +
                                        "[render]\nliquid_color = [0, 1, 0]"),
                                  {});
    EXPECT_EQ(paste.liquid.density_kg_m3, 1300);
    EXPECT_EQ(paste.liquid.viscosity_m2_s, 1e4);  // a key overrides the material
    EXPECT_TRUE(paste.render.opaque);
    EXPECT_EQ(paste.render.liquid_color, (Vec3{0, 1, 0}));
}

TEST_F(SceneFile, ImpossibleValuesAreRefusedWithTheirLine)
{
    const std::vector<std::pair<std::string, std::string>> cases{
        {"[domain]\ncells = [0, 8, 8]", "tank.toml:2: domain.cells is 0 along x; it must be at least 4"},
        {"[domain]\ncells = [8, -3, 8]", "domain.cells is -3 along y"},
        {"[domain]\ncells = [8, 8, 0]", "domain.cells is 0 along z; it must be at least 1"},
        {"[domain]\ncells = [8, 8, 5000]", "domain.cells is 5000 along z"},
        {"[domain]\ncells = [4096, 4096, 4096]", "68719 million cells"},
        {"[domain]\nwidth_m = nan", "domain.width_m is nan"},
        {"[domain]\nwidth_m = inf", "domain.width_m is inf"},
        {"[domain]\nwidth_m = 0", "domain.width_m is 0"},
        {"[domain]\nwidth_m = 1e9", "domain.width_m is 1000000000"},
        {"[domain]\ngravity_m_s2 = [0, nan, 0]", "domain.gravity_m_s2.1 is nan"},
        {"[domain]\nwalls = \"sticky\"", "one of \"free-slip\", \"no-slip\""},
        {"[domain]\nopen = [\"up\"]", "domain.open names the face \"up\""},
        {"[domain]\ncells = [8, 8, 1]\nopen = [\"+z\"]", "two-dimensional"},
        {"[time]\nfps = 0", "time.fps is 0; it must be at least 0.001"},
        {"[time]\nseconds = -1", "time.seconds is -1"},
        {"[time]\nseconds = 1e6\nfps = 60", "60000000 frames"},
        {"[time]\ncfl = 0", "time.cfl is 0"},
        {"[time]\ncfl = 5.1", "time.cfl is 5.1; it must be at least 0.01 and at most 5"},
        {"[time]\nmax_dt_s = 0", "time.max_dt_s is 0"},
        {"[pressure]\nmax_iterations = 0", "pressure.max_iterations is 0"},
        {"[liquid]\nmaterial = \"honeyy\"", "tank.toml:2: liquid.material"},
        {"[surface]\ntetrahedra = 12", "surface.tetrahedra is 12; a cube can be cut into 6, 24, 48 or 192"},
        {"[surface]\ntetrahedra = -24", "surface.tetrahedra is -24; a cube can be cut into"},
        {"[surface]\ntetrahedra = 24.0", "surface.tetrahedra"},
        {"[surface]\nparticles_per_cell = -1", "tank.toml:2: surface.particles_per_cell is -1"},
        {"[surface]\nparticles_per_cell = 32.5", "surface.particles_per_cell"},
        {"[surface]\nreseed_every_steps = 0", "tank.toml:2: surface.reseed_every_steps is 0"},
        {"[surface]\nparticles_until_s = nan", "tank.toml:2: surface.particles_until_s is nan"},
        {"[surface]\nparticles_until_s = -1", "surface.particles_until_s is -1"},
        {"[surface]\nscheme = \"weno7\"", "tank.toml:2: surface.scheme"},
        {"[surface]\nscheme = \"weno7\"", "\"eno3\", \"weno5\""},
        {"[surface]\nreinitialisation = \"slow\"", "one of \"fast\", \"pde\""},
        {"[surface]\ntreatment = \"wet\"", "one of \"smooth\", \"noisy\""},
        {"[surface]\nband_cells = 9", "surface.band_cells is 9"},
        {"[domain]\ncells = [8, 4, 8]\n[surface]\nband_cells = 5",
         "tank.toml:4: surface.band_cells is 5, wider than the grid of 4 cells"},
        {"[tracers]\ncount = -1", "tracers.count is -1"},
        {"[output]\ncheckpoint_every_frames = 0", "output.checkpoint_every_frames is 0"},
        {"[render]\neye_m = [1, 1, 1]", "only one of render.eye_m and render.look_at_m"},
        {"[render]\nliquid_color = [0, 2, 0]", "render.liquid_color.1 is 2"},
        {"[liquid]\ndensity_kg_m3 = 0", "liquid.density_kg_m3 is 0"},
        {"[liquid]\nviscosity_m2_s = -1e-6", "liquid.viscosity_m2_s is -1e-06; it must be at least 0"},
        {"[liquid]\nviscosity_m2_s = nan", "tank.toml:2: liquid.viscosity_m2_s is nan; it must be at least 0"},
        {"[liquid]\nviscosity_mean = \"median\"", "one of \"geometric\", \"arithmetic\", \"harmonic\""},
        {"[liquid]\nviscous_stress = \"half\"", "one of \"component\", \"full\""},
        {"[liquid]\nadvection = \"upwind\"", "one of \"semi-lagrangian\", \"bfecc\", \"maccormack\""},
    };
    for (const auto& [text, part] : cases) expectError(text + "\n" + pool, part);
}

TEST_F(SceneFile, ImpossibleShapesAreRefused)
{
    const auto region = [](const std::string& shape) { return "[[liquid.region]]\n" + shape + "\n"; };
    expectError(region("sphere = { center_m = [0,0,0], radius_m = 0 }"), "radius_m is 0; it must be above 0");
    expectError(region("sphere = { radius_m = 1 }"), "tank.toml:2: 'liquid.region.0.sphere.center_m' is missing");
    expectError(region("sphere = { center_m = [0,2e6,0], radius_m = 1 }"), "center_m.1 is 2000000");
    expectError(region("box = { min_m = [0,1,0], max_m = [1,1,1] }"), "liquid.region.0.box is empty along y");
    expectError(region("cylinder = { center_m = [0,0,0], radius_m = 1, height_m = -1 }"), "height_m is -1");
    expectError(region("pool = { depth_m = 0 }"), "depth_m is 0");
    expectError(region("velocity_m_s = [0, 0, 0]"), "tank.toml:1: liquid.region.0 has no shape; give exactly one of");
    expectError(region("pool = { depth_m = 1 }\nsphere = { center_m = [0,0,0], radius_m = 1 }"),
                "has 2 shapes (sphere, pool)");
    expectError(region("pool = { depth_m = 1 }\nvelocity_m_s = [0, 2e4, 0]"), "velocity_m_s.1 is 20000");
    expectError(region("pool = { depth_m = 1 }\nviscosity_m2_s = -2"),
                "tank.toml:3: liquid.region.0.viscosity_m2_s is -2; it must be at least 0");
    expectError(region("pool = { depth_m = 1 }\nviscosity_m2_s = \"thick\""),
                "tank.toml:3: liquid.region.0.viscosity_m2_s");
    expectError(region("mesh = { file = \"none.obj\" }"), "tank.toml:2: there is no mesh file");
    expectError(pool + "[[solid]]\npool = { depth_m = 1 }\n", "unknown key 'solid.0.pool'");
    expectError(pool + "[[solid]]\nname = \"../x\"\nsphere = { center_m = [0,0,0], radius_m = 1 }\n",
                "solid.0.name is \"../x\"");
    expectError("[[liquid.source]]\nsphere = { center_m = [0,0,0], radius_m = 1 }\nfrom_s = 2\nto_s = 1\n",
                "tank.toml:4: liquid.source.0 ends at 1 s, not after its start at 2 s");
}

TEST_F(SceneFile, NoRegionAndNoSourceIsNoLiquid)
{
    expectError("[domain]\nwidth_m = 1\n",
                "there is no liquid at all, and no body; add a [[liquid.region]], a [[liquid.source]] or a [[body]]");
}

TEST_F(SceneFile, EveryCouplingMethodIsReadAndWritten)
{
    for (const auto& [name, method] :
         {std::pair{"monolithic", CouplingMethod::monolithic}, {"rigid-fluid", CouplingMethod::rigid_fluid}}) {
        const Scene scene = loadScene(write(pool +
                                            "[[body]]\nsphere = { radius_m = 0.1 }\ndensity_kg_m3 = 500\nposition_m = "
                                            "[0.5, 0.5, 0.5]\n[coupling]\nmethod = \"" +
                                            name + "\"\n"));
        EXPECT_EQ(scene.coupling.method, method) << name;
        EXPECT_EQ(loadScene(write(sceneToToml(scene))).coupling.method, method) << name;
    }
    expectError(pool + "[coupling]\nmethod = \"monolith\"\n", "coupling.method");
}

TEST_F(SceneFile, HeatIsOnWhenAnyTemperatureIsGiven)
{
    EXPECT_FALSE(loadScene(write(pool)).heat.on);
    EXPECT_TRUE(loadScene(write(pool + "temperature_K = 300\n")).heat.on);
    EXPECT_TRUE(loadScene(write(pool + "[heat]\nwalls_K = 300\n")).heat.on);
    EXPECT_TRUE(loadScene(write(pool), {"heat.temperature_K=310"}).heat.on);
    const Scene ramp = loadScene(write(pool + "[heat.viscosity]\nlaw = \"quadratic\"\nfrom_K = 300\nto_K = 310\n"
                                              "solid_m2_s = 1e4\nliquid_m2_s = 0.1\n"));
    EXPECT_EQ(ramp.heat.viscosity.to_K, 310);
    expectSame(ramp, loadScene(write(sceneToToml(ramp))));
}

TEST_F(SceneFile, ImpossibleHeatIsAnErrorWithItsLine)
{
    expectError(pool + "temperature_K = -5\n", "tank.toml:3: liquid.region.0.temperature_K is -5; it must be above 0");
    expectError(pool + "temperature_K = nan\n", "liquid.region.0.temperature_K is nan");
    expectError(pool + "[heat]\nwalls_K = 0\n", "tank.toml:4: heat.walls_K is 0");
    expectError(pool + "[heat]\ndiffusivity_m2_s = 0\n", "heat.diffusivity_m2_s is 0; it must be above 0");
    expectError(pool + "[heat]\ndiffusivity_m2_s = -1e-7\n", "heat.diffusivity_m2_s is -1e-07");
    expectError(pool + "[heat]\nspecific_heat_J_kg_K = 0\n", "heat.specific_heat_J_kg_K is 0");
    expectError(pool + "[heat]\nlatent_J_kg = -1\n", "heat.latent_J_kg is -1");
    expectError(pool + "[heat]\nlatent_J_kg = 1\n", "heat.latent_J_kg is given without heat.melting_K");
    expectError(pool + "[heat]\nair_K = 280\n", "heat.air_K is given without heat.air_transfer_W_m2_K");
    expectError(pool + "[heat]\nwalls = \"insulated\"\nwalls_K = 300\n", "keep one");
    expectError(pool + "[heat]\nwalls = \"cold\"\n", "heat.walls is \"cold\"");
    expectError(pool + "[heat]\nconvection = \"fast\"\n", "heat.convection is \"fast\"");
    expectError(pool + "[heat]\ndifusivity_m2_s = 1\n", "did you mean 'heat.diffusivity_m2_s'?");
}

TEST_F(SceneFile, AViscosityRampUpsideDownIsAnError)
{
    const std::string ramp = pool + "[heat.viscosity]\nlaw = \"linear\"\n";
    expectError(ramp + "from_K = 310\nto_K = 300\nsolid_m2_s = 10\nliquid_m2_s = 1\n",
                "tank.toml:6: heat.viscosity is upside down: it ends at 300 K, not above its start at 310 K");
    expectError(ramp + "from_K = 300\nto_K = 310\nsolid_m2_s = 1\nliquid_m2_s = 10\n",
                "the solid's 1 m2/s is below the liquid's 10 m2/s");
    expectError(ramp + "from_K = 300\n", "'heat.viscosity.to_K' is missing");
    const std::string table = pool + "[heat.viscosity]\nlaw = \"table\"\n";
    expectError(table, "heat.viscosity.table has 0 rows");
    expectError(table + "table = [[300, 1], [290, 2]]\n", "tank.toml:5: heat.viscosity.table goes from 300 K to 290 K");
    expectError(table + "table = [[300, 1], [310, -2]]\n", "heat.viscosity.table.1.1 is -2");
    expectError(table + "table = [300, 1]\n", "expected an array of pairs of numbers");
    expectError(pool + "[heat.viscosity]\ntable = [[300, 1], [310, 2]]\n", "means nothing with law = \"constant\"");
    expectError(pool + "[heat.viscosity]\nto_K = 300\n", "means nothing with law = \"constant\"");
}

TEST_F(SceneFile, AHeatSourceHoldsATemperatureOrGivesAPower)
{
    const std::string source = pool + "[[heat.source]]\nsphere = { center_m = [0,0,0], radius_m = 1 }\n";
    expectError(source, "tank.toml:3: heat.source.0 has neither a temperature_K nor a power_W");
    expectError(source + "power_W = 1\ntemperature_K = 300\n", "has both a temperature_K and a power_W");
    expectError(source + "power_W = -1\n", "heat.source.0.power_W is -1");
    expectError(source + "power_W = 1\nfrom_s = 3\nto_s = 2\n", "ends at 2 s, not after its start at 3 s");
    expectError(pool + "[[heat.source]]\npower_W = 1\n", "heat.source.0 has no shape");
}

TEST_F(SceneFile, OverridesReplaceValuesInOrder)
{
    const std::string text =
        "[domain]\ncells = [8, 8, 8]\n" + pool + "[[solid]]\nsphere = { center_m = [0.5, 0.1, 0.5], radius_m = 0.1 }\n";
    const Scene s =
        loadScene(write(text), {"domain.cells=[16,16,16]", "domain.cells=[32,16,8]", "domain.cells.2=4",
                                "solid.0.velocity_m_s=[1,0,0]", "solid.0.sphere.radius_m=0.2", "liquid.advection=bfecc",
                                "time.fps = 25", "title=\"Two words\"", "liquid.region.0.pool={depth_m=0.25}"});
    EXPECT_EQ(s.domain.cells, (Int3{32, 16, 4}));
    EXPECT_EQ(s.solids[0].velocity_m_s, (Vec3{1, 0, 0}));
    EXPECT_EQ(std::get<SphereShape>(s.solids[0].shape).radius_m, 0.2);
    EXPECT_EQ(std::get<SphereShape>(s.solids[0].shape).center_m, (Vec3{0.5, 0.1, 0.5}));
    EXPECT_EQ(s.liquid.advection, Advection::bfecc);
    EXPECT_EQ(s.time.fps, 25);
    EXPECT_EQ(s.title, "Two words");
    EXPECT_EQ(std::get<PoolShape>(s.liquid.regions[0].shape).depth_m, 0.25);
}

TEST_F(SceneFile, AMistakeInAnOverrideNamesTheOverride)
{
    const std::string text = "[domain]\nwidth_m = 1\n" + pool;
    EXPECT_EQ(error(text, {"domain.cels=[8,8,8]"}),
              "--set domain.cels=[8,8,8]: unknown key 'domain.cels'; did you mean 'domain.cells'?");
    EXPECT_EQ(error(text, {"domian.cells=[8,8,8]"}),
              "--set domian.cells=[8,8,8]: unknown key 'domian'; did you mean 'domain'?");
    expectError(text, "--set domain.width_m=-1: domain.width_m is -1", {"domain.width_m=-1"});
    expectError(text, "--set domain.width_m=wide: domain.width_m has the wrong type", {"domain.width_m=wide"});
    expectError(text, "--set liquid.region.3.pool.depth_m=1: there is no 'liquid.region.3'; the scene has 1",
                {"liquid.region.3.pool.depth_m=1"});
    expectError(text, "--set domain.cells: this is not key=value", {"domain.cells"});
    expectError(text, "--set domain.cells=[8,8: ", {"domain.cells=[8,8"});
    expectError(text, "--set =3: this is not key=value", {"=3"});
    expectError(text, "--set time.fps=0: time.fps is 0", {"time.fps=0"});
}

TEST_F(SceneFile, AMissingFileAndAFolderAreBadInput)
{
    EXPECT_THROW(loadScene((folder / "none.toml").string()), InputError);
    EXPECT_THROW(loadScene(folder.string()), InputError);
}

TEST(Suggest, EditDistanceCountsSlipsOfTheHand)
{
    EXPECT_EQ(editDistance("cells", "cells"), 0);
    EXPECT_EQ(editDistance("cels", "cells"), 1);
    EXPECT_EQ(editDistance("clels", "cells"), 1);  // transposed letters
    EXPECT_EQ(editDistance("", "abc"), 3);
    EXPECT_EQ(nearestWord("densty", {"density_kg_m3", "viscosity_m2_s"}), "density_kg_m3");
    EXPECT_EQ(nearestWord("qqqqqq", {"density_kg_m3"}), "");
}

TEST(Scenes, EveryOneOfOursLoads)
{
    int count = 0;
    for (const auto& entry : fs::directory_iterator(fs::path(FLOTSAM_SOURCE_DIR) / "scenes"))
        if (entry.path().extension() == ".toml") {
            ++count;
            EXPECT_NO_THROW(loadScene(entry.path().string())) << entry.path();
        }
    EXPECT_GE(count, 6);
}

}  // namespace
}  // namespace flotsam
