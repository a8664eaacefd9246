// [[body]]: accepted and rejected keys and values.
#include <gtest/gtest.h>

#include <fstream>

#include "core/error.h"
#include "core/time_loop.h"
#include "geometry/triangulate.h"
#include "rigid/from_scene.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

const std::string ball =
    "[[body]]\nname = \"ball\"\nsphere = { radius_m = 0.1 }\ndensity_kg_m3 = 500\nposition_m = [0.5, 0.5, 0.5]\n";

class BodyScene : public ::testing::Test {
protected:
    Scene load(const std::string& text) { return loadScene(folder.add("scene.toml", text)); }

    // The message of loading or of the preflight.
    std::string refusal(const std::string& text)
    {
        try {
            const Scene scene = load(text);
            inspectBodies(scene, makeWorld(scene));
        } catch (const InputError& e) {
            return e.what();
        }
        return "nothing";
    }
    void expectRefusal(const std::string& text, const std::string& part)
    {
        const std::string message = refusal(text);
        EXPECT_NE(message.find(part), message.npos) << "expected: " << part << "\nfound:    " << message;
    }

    std::string bodyOf(const std::string& mesh_file)
    {
        return "[[body]]\nmesh = { file = \"" + mesh_file +
               "\", scale = 0.2 }\ndensity_kg_m3 = 500\nposition_m = [0.5, 0.5, 0.5]\n";
    }
    // Writes these triangles as an OBJ file.
    std::string addMesh(const std::string& name, const TriangleMesh& mesh)
    {
        std::string text;
        for (const Vec3 v : mesh.vertices)
            text += "v " + std::to_string(v.x) + " " + std::to_string(v.y) + " " + std::to_string(v.z) + "\n";
        for (const auto& t : mesh.triangles)
            text += "f " + std::to_string(t[0] + 1) + " " + std::to_string(t[1] + 1) + " " + std::to_string(t[2] + 1) +
                    "\n";
        folder.add(name, text);
        return name;
    }

    const TemporaryFolder folder;
};

TEST_F(BodyScene, ABodyTooSmallOrTooLightForItsMassIsRefusedWithItsLine)
{
    const auto with = [](const std::string& shape, const std::string& density) {
        return "[[body]]\n" + shape + "\ndensity_kg_m3 = " + density + "\nposition_m = [0.5, 0.5, 0.5]\n";
    };
    expectRefusal(with("bunny = { height_m = 1e-9 }", "500"),
                  "scene.toml:2: body.0.bunny.height_m is 1e-09; it must be at least 1e-08");
    expectRefusal(with("sphere = { radius_m = 1e-110 }", "500"), "scene.toml:2: body.0.sphere.radius_m is 1e-110");
    expectRefusal(with("bunny = { height_m = 0.1 }", "1e-300"),
                  "scene.toml:3: body.0.density_kg_m3 is 1e-300; it must be at least 0.001");
    expectRefusal(with("mesh = { file = \"bunny\", scale = 1e-9 }", "500"), "scene.toml:1: body \"body1\" is ");
    EXPECT_EQ(refusal(with("bunny = { height_m = 1e-6 }", "0.001")), "nothing");
}

TEST_F(BodyScene, EveryKeyIsReadAndWrittenBack)
{
    const std::string text = R"(
[[body]]
name = "lead"
sphere = { radius_m = 0.08 }
density_kg_m3 = 11000
position_m = [0.2, 0.55, 0.27]
rotation_deg = [10, 20, 30]
velocity_m_s = [3.8, -3.1, 0]
spin_rad_s = [0, -104.72, 0]
restitution = 0.35
friction = 0.45
rolling_friction_m = 0.001
spinning_friction_m = 0.0004
[[body]]
box = { size_m = [0.1, 0.2, 0.3] }
material = "turquoise"
position_m = [0.5, 0.2, 0.5]
distance = "rays"
[[body]]
cylinder = { radius_m = 0.05, height_m = 0.1 }
material = "silver"
position_m = [0.5, 0.5, 0.5]
[[body]]
ellipsoid = { semi_axes_m = [0.05, 0.06, 0.07] }
material = "marble"
density_kg_m3 = 3000
position_m = [0.8, 0.5, 0.5]
[[body]]
gear = { radius_m = 0.1, thickness_m = 0.02, hole_radius_m = 0.04, teeth = 12 }
material = "silver"
position_m = [0.5, 0.8, 0.5]
[[body]]
gem = { size_m = 0.1 }
material = "turquoise"
position_m = [0.2, 0.8, 0.5]
[[body]]
bunny = { height_m = 0.2 }
material = "wood"
position_m = [0.8, 0.8, 0.5]
[rigid]
max_dt_s = 0.004
iterations = 17
)";
    const Scene s = load(text);
    ASSERT_EQ(s.bodies.size(), 7u);
    EXPECT_EQ(s.bodies[0].name, "lead");
    EXPECT_EQ(s.bodies[0].material, "lead");  // the appearance for this density
    EXPECT_EQ(s.bodies[0].spin_rad_s, (Vec3{0, -104.72, 0}));
    EXPECT_EQ(s.bodies[0].restitution, 0.35);
    EXPECT_EQ(s.bodies[0].rolling_friction_m, 0.001);
    EXPECT_EQ(makeWorld(s).bodies[0].spinning_friction_m, 0.0004);
    EXPECT_EQ(s.bodies[1].name, "body2");
    EXPECT_EQ(s.bodies[1].density_kg_m3, 2000);  // that of turquoise
    EXPECT_EQ(s.bodies[1].distance, DistanceMethod::rays);
    EXPECT_EQ(s.bodies[3].density_kg_m3, 3000);  // a key overrides the material
    EXPECT_EQ(std::get<GearShape>(s.bodies[4].shape).teeth, 12);
    EXPECT_EQ(s.rigid.iterations, 17);
    EXPECT_EQ(sceneToToml(s), sceneToToml(load(sceneToToml(s))));
    const BodyPreflight p = inspectBodies(s, makeWorld(s));
    EXPECT_NEAR(p.bodies[0].mass_kg, 11000 * 4. / 3 * 3.14159265 * 0.08 * 0.08 * 0.08, 1e-6);
    EXPECT_NEAR(p.bodies[1].volume_m3, 0.006, 1e-12);
}

TEST_F(BodyScene, ImpossibleValuesAreRefused)
{
    expectRefusal("[[body]]\nsphere = { radius_m = 0.1 }\nposition_m = [0, 0, 0]\n",
                  "'body.0.density_kg_m3' is missing");
    expectRefusal("[[body]]\nsphere = { radius_m = 0.1 }\ndensity_kg_m3 = 0\nposition_m = [0, 0, 0]\n",
                  "density_kg_m3 is 0; it must be at least 0.001");
    expectRefusal("[[body]]\nsphere = { radius_m = 0.1 }\ndensity_kg_m3 = -5\nposition_m = [0, 0, 0]\n",
                  "density_kg_m3 is -5; it must be at least 0.001");
    expectRefusal("[[body]]\nsphere = { radius_m = 0 }\ndensity_kg_m3 = 5\nposition_m = [0, 0, 0]\n",
                  "radius_m is 0; it must be at least 1e-08");
    expectRefusal(ball + "restitution = 1.5\n", "restitution is 1.5");
    expectRefusal(ball + "rolling_friction_m = -1e-3\n", "rolling_friction_m is -0.001");
    expectRefusal(ball + ball, "two bodies have the name \"ball\"");
    expectRefusal(ball + "material = \"cheese\"\n", "cheese");
    expectRefusal(ball + "box = { size_m = [1, 1, 1] }\n", "has 2 shapes");
}

TEST_F(BodyScene, ATwoDimensionalRunHasTheSectionsOfItsBodies)
{
    const std::string flat = "[domain]\ncells = [8, 8, 1]\n";  // of 1/8 m
    const auto body = [&](const std::string& text) {
        return "[[body]]\ndensity_kg_m3 = 500\nposition_m = [0.5, 0.5, 0]\n" + text + "\n";
    };
    const RigidWorld world = makeWorld(load(flat + ball));
    EXPECT_EQ(world.state.bodies[0].x_m, (Vec3{0.5, 0.5, 0.0625}));  // wherever the scene puts it along z
    EXPECT_NEAR(world.bodies[0].mass_kg, 500 * 3.14159265 * 0.01 * 0.125, 1e-7);
    EXPECT_EQ(world.bodies.size(), 4u);  // itself, three closed boundaries, none along z
    for (const Vec3 v : world.bodies[0].collider->mesh.vertices) EXPECT_EQ(std::abs(v.z), 0.0625);
    EXPECT_EQ(inspectBodies(load(flat + ball), world).warnings.size(), 0u);
    const auto massOf = [&](const std::string& text) {
        return makeWorld(load(flat + body(text))).bodies[0].mass_kg / (500 * 0.125);
    };
    EXPECT_NEAR(massOf("box = { size_m = [0.1, 0.2, 7] }\nrotation_deg = [0, 0, 30]"), 0.02, 1e-12);
    EXPECT_NEAR(massOf("cylinder = { radius_m = 0.1, height_m = 0.3 }"), 0.06, 1e-12);
    EXPECT_NEAR(massOf("cylinder = { radius_m = 0.1, height_m = 7 }\nrotation_deg = [90, 0, 0]"), 0.0314159265, 1e-9);
    EXPECT_NEAR(massOf("ellipsoid = { semi_axes_m = [0.1, 0.2, 7] }"), 0.0628318531, 1e-9);
    expectRefusal(flat + body("box = { size_m = [0.1, 0.2, 0.1] }\nrotation_deg = [10, 0, 0]"), "turned about x or y");
    expectRefusal(flat + body("gear = { radius_m = 0.1 }"), "is a mesh; use a sphere, a box");
    expectRefusal(flat + ball + "velocity_m_s = [0, 0, 1]\n", "velocity along z");
    expectRefusal(flat + ball + "spin_rad_s = [0, 1, 0]\n", "spins about x or y");
    expectRefusal(flat + ball + "distance = \"grid\"\n", "distance from a mesh");
    expectRefusal(flat + "gravity_m_s2 = [0, -9.81, 1]\n" + ball, "gravity along z");
    expectRefusal(flat + ball + "[[solid]]\nmesh = { file = \"bunny\", scale = 0.1 }\n", "solid \"solid1\" is a mesh");
    expectRefusal(flat + ball + "[[solid]]\nsphere = { center_m = [0.5, 0.55, 0.06], radius_m = 0.1 }\n",
                  "starts 0.15 m inside solid");
    // A solid that does not reach the plane touches nothing.
    EXPECT_EQ(refusal(flat + ball + "[[solid]]\nsphere = { center_m = [0.5, 0.55, 0.3], radius_m = 0.1 }\n"),
              "nothing");
}

TEST_F(BodyScene, BrokenMeshesAreRefusedOrRepaired)
{
    TriangleMesh box = boxMesh({0.5, 0.5, 0.5}), open = box, inside_out = box, crossing = box;
    open.triangles.pop_back();
    for (auto& t : inside_out.triangles) std::swap(t[1], t[2]);
    const TriangleMesh second = placed(box, rotationFromDegrees({20, 30, 0}), {0.3, 0.4, 0.2});
    for (const Vec3 v : second.vertices) crossing.vertices.push_back(v);
    for (const auto& t : second.triangles) crossing.triangles.push_back({t[0] + 8, t[1] + 8, t[2] + 8});
    expectRefusal(bodyOf(addMesh("open.obj", open)), "the mesh is not closed");
    expectRefusal(bodyOf(addMesh("crossing.obj", crossing)), "passes through itself");
    folder.add("empty.obj", "v 0 0 0\n");
    expectRefusal(bodyOf("empty.obj"), "holds no triangles");
    const Scene scene = load(bodyOf(addMesh("turned.obj", inside_out)));  // inverted, as for all solids
    EXPECT_NEAR(makeWorld(scene).bodies[0].mass_kg, 500 * 0.008, 1e-9);
    EXPECT_EQ(refusal(bodyOf(addMesh("whole.obj", box))), "nothing");
}

TEST_F(BodyScene, BodiesThatStartInsideOthersOrOutsideAreRefused)
{
    const auto with = [](const std::string& position) {
        return "[[body]]\nname = \"other\"\nbox = { size_m = [0.1, 0.1, 0.1] }\ndensity_kg_m3 = 500\nposition_m = " +
               position + "\n";
    };
    EXPECT_EQ(refusal(ball + with("[0.8, 0.5, 0.5]")), "nothing");
    expectRefusal(ball + with("[0.6, 0.5, 0.5]"),
                  "body \"ball\" starts 0.05 m inside body \"other\"; move one of them");
    expectRefusal(ball + with("[0.8, 0.02, 0.5]"), "inside the tank's side -y");
    expectRefusal(ball + with("[-0.3, 0.5, 0.5]"), "starts outside of the tank, 0.3 m beyond its side -x");
    EXPECT_EQ(refusal(ball + with("[0.5, 3, 0.5]")), "nothing");  // the top is open
    expectRefusal(ball + "[[solid]]\nsphere = { center_m = [0.5, 0.55, 0.5], radius_m = 0.1 }\n",
                  "inside solid \"solid1\"");
    // A small overlap is a warning, and is pushed apart.
    const Scene scene = load(ball + with("[0.6495, 0.5, 0.5]"));
    EXPECT_EQ(inspectBodies(scene, makeWorld(scene)).warnings.size(), 1u);
}

TEST_F(BodyScene, DensitiesAndSizesInOtherUnitsAreWarnedOf)
{
    const auto warning = [&](const std::string& text) {
        const Scene scene = load(text);
        const std::vector<std::string> all = inspectBodies(scene, makeWorld(scene)).warnings;
        return all.empty() ? "none" : all.front();
    };
    const auto box = [](const std::string& keys) {
        return "[[body]]\nname = \"block\"\nposition_m = [0.5, 0.5, 0.5]\n" + keys;
    };
    EXPECT_EQ(warning(ball), "none");
    EXPECT_NE(warning(box("box = { size_m = [0.1, 0.1, 0.1] }\ndensity_kg_m3 = 0.24\n"))
                  .find("body \"block\" has a density of 0.24 kg/m3; is it in g/cm3?"),
              std::string::npos);
    EXPECT_NE(warning(box("box = { size_m = [1e-4, 1e-4, 1e-4] }\ndensity_kg_m3 = 500\n")).find("the tank 1 m"),
              std::string::npos);
    addMesh("cube.obj", boxMesh({1, 1, 1}));
    const std::string huge = box("mesh = { file = \"cube.obj\", scale = 50 }\ndensity_kg_m3 = 500\n");
    expectRefusal(huge, "is the mesh in millimetres? then its scale is 0.001");
    EXPECT_NE(warning("[domain]\nopen = [\"-x\", \"+x\", \"-y\", \"+y\", \"-z\", \"+z\"]\n" + huge)
                  .find("body \"block\" is 100 m large, the tank 1 m; is the mesh in millimetres?"),
              std::string::npos);
}

TriangleMesh joined(TriangleMesh a, const TriangleMesh& b, bool flipped)
{
    const int first = int(a.vertices.size());
    a.vertices.insert(a.vertices.end(), b.vertices.begin(), b.vertices.end());
    for (auto t : b.triangles) {
        if (flipped) std::swap(t[1], t[2]);
        a.triangles.push_back({first + t[0], first + t[1], first + t[2]});
    }
    return a;
}

// A cube of half the side inside another has an eighth of its volume.
TEST_F(BodyScene, APartInsideAnotherIsACavityOrWarnedOf)
{
    const TriangleMesh outer = boxMesh({1, 1, 1}), inner = boxMesh({0.5, 0.5, 0.5});
    TriangleMesh apart = inner;
    for (Vec3& v : apart.vertices) v.x += 2;
    const auto inspected = [&](const TriangleMesh& mesh) {
        const Scene scene = load(bodyOf(addMesh("nested.obj", mesh)));
        return inspectBodies(scene, makeWorld(scene));
    };
    const BodyPreflight nested = inspected(joined(outer, inner, false));
    ASSERT_EQ(nested.warnings.size(), 1u);
    EXPECT_NE(nested.warnings[0].find("the mass is 12.5 % too high"), std::string::npos) << nested.warnings[0];
    EXPECT_TRUE(inspected(joined(outer, inner, true)).warnings.empty());
    EXPECT_TRUE(inspected(joined(outer, apart, false)).warnings.empty());
    // A core inside a cavity is solid again.
    const TriangleMesh hollow = joined(outer, inner, true);
    EXPECT_TRUE(inspected(joined(hollow, boxMesh({0.2, 0.2, 0.2}), false)).warnings.empty());
}

TEST_F(BodyScene, SolidsAndWallsHoldBodies)
{
    Scene scene = load(ball + R"(
[[solid]]
name = "table"
box = { min_m = [0.3, 0.2, 0.3], max_m = [0.7, 0.25, 0.7] }
velocity_m_s = [0, 0.1, 0]
)");
    RigidWorld world = makeWorld(scene);
    takeSteps(120, 1. / 60, world);
    // It has landed on the table, which has risen by 0.2 m.
    EXPECT_NEAR(world.state.bodies[0].x_m.y, 0.25 + 0.2 + 0.1, 1e-3);
    EXPECT_NEAR(world.state.bodies[0].v_m_s.y, 0.1, 1e-3);
}

}  // namespace
}  // namespace flotsam
