// [[joint]] of scene files: what is read, what is refused, and that a resolved scene reads as the same.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <numbers>

#include "core/error.h"
#include "rigid/from_scene.h"
#include "run/joint_lines.h"
#include "scene/scene.h"
#include "tests/unit/temporary_folder.h"

using namespace flotsam;

namespace {

const std::string two_bodies = R"(
[domain]
cells = [16, 16, 16]
width_m = 1
[[body]]
name = "upper"
box = { size_m = [0.1, 0.2, 0.1] }
density_kg_m3 = 500
position_m = [0.5, 0.6, 0.5]
[[body]]
name = "lower"
box = { size_m = [0.1, 0.2, 0.1] }
density_kg_m3 = 500
position_m = [0.5, 0.4, 0.5]
)";

Scene sceneOf(const std::string& joint)
{
    const TemporaryFolder folder;
    const std::string path = (folder.path / "scene.toml").string();
    std::ofstream(path) << two_bodies << joint;
    return loadScene(path);
}

std::string refusalOf(const std::string& joint)
{
    try {
        sceneOf(joint);
    } catch (const InputError& e) {
        return e.what();
    }
    return "";
}

constexpr const char* hinge =
    "[[joint]]\nkind = \"hinge\"\nbodies = [\"upper\", \"lower\"]\nanchor_m = [0.5, 0.5, 0.5]\n";

}  // namespace

TEST(JointScene, AHingeWithAMotorIsRead)
{
    const Scene scene =
        sceneOf(std::string(hinge) +
                "axis = [0, 0, 2]\nlimits_deg = [-30, 90]\nmotor = { drive = \"angle\", sine = { amplitude_deg "
                "= 30, frequency_Hz = 2 }, max_torque_N_m = 5 }\n");
    const RigidWorld world = makeWorld(scene);
    ASSERT_EQ(world.joints.list.size(), 1u);
    const Joint& joint = world.joints.list[0];
    EXPECT_EQ(joint.name, "joint1");
    EXPECT_EQ(joint.kind, JointKind::hinge);
    EXPECT_EQ(joint.a, 0);
    EXPECT_EQ(joint.b, 1);
    EXPECT_NEAR(joint.in_a.anchor_m.y, -0.1, 1e-12);
    EXPECT_NEAR(joint.in_b.anchor_m.y, 0.1, 1e-12);
    EXPECT_NEAR(joint.highest, 0.5 * std::numbers::pi, 1e-12);
    EXPECT_NEAR(joint.motor.valueAt(0.125), std::numbers::pi / 6, 1e-12);
    EXPECT_EQ(joint.motor.limit, 5);
    EXPECT_FALSE(joint.collide);
}

TEST(JointScene, AResolvedSceneReadsAsTheSame)
{
    const std::string joints =
        std::string(hinge) +
        "motor = { drive = \"angle\", keyframes = [[0, -30], [0.5, 30], [1, -30]], repeat = true, track = \"servo\", "
        "stiffness_N_m = 50, damping_N_m_s = 2 }\n"
        "[[joint]]\nname = \"rail\"\nkind = \"slider\"\nbodies = [\"upper\", \"world\"]\nanchor_m = [0.5, 0.6, 0.5]\n"
        "axis = [1, 0, 0]\nlimits_m = [-0.1, 0.1]\nmotor = { drive = \"speed\", speed_m_s = 0.2, max_force_N = 9 }\n"
        "[[joint]]\nname = \"rope\"\nkind = \"distance\"\nbodies = [\"lower\", \"world\"]\nanchor_m = [0.5, 0.3, 0.5]\n"
        "second_anchor_m = [0.5, 0.1, 0.5]\nbreak_N = 100\n";
    const Scene scene = sceneOf(joints);
    const TemporaryFolder folder;
    const std::string path = (folder.path / "again.toml").string();
    std::ofstream(path) << sceneToToml(scene);
    EXPECT_EQ(sceneToToml(loadScene(path)), sceneToToml(scene));
    const RigidWorld world = makeWorld(scene);
    EXPECT_NEAR(world.joints.list[2].length_m, 0.2, 1e-12);
}

TEST(JointScene, InvalidJointsAreRefusedWithALineAndARemedy)
{
    const auto refuses = [](const std::string& joint, const std::string& what) {
        const std::string message = refusalOf(joint);
        EXPECT_NE(message.find(what), message.npos) << message;
        EXPECT_NE(message.find("scene.toml:"), message.npos) << message;
        EXPECT_NE(message.find("; "), message.npos) << message;
    };
    const std::string start = "[[joint]]\nkind = \"hinge\"\nanchor_m = [0.5, 0.5, 0.5]\n";
    refuses(start + "bodies = [\"upper\", \"leg\"]\n", "there is no body \"leg\"");
    refuses(start + "bodies = [\"upper\"]\n", "has 1 names");
    refuses(start + "bodies = [\"world\", \"world\"]\n", "neither");
    refuses(start + "bodies = [\"world\", \"upper\"]\n", "does not move");
    refuses(start + "bodies = [\"upper\", \"upper\"]\n", "joined to itself");
    refuses(std::string(hinge) + "axis = [0, 0, 0]\n", "is zero");
    refuses(std::string(hinge) + "limits_deg = [90, 0]\n", "reversed");
    refuses(std::string(hinge) + "limits_m = [0, 1]\n", "unknown key");
    refuses(std::string(hinge) + "motor = { drive = \"angle\", keyframes = [[1, 0], [0, 3]] }\n",
            "does not come after");
    refuses(std::string(hinge) + "motor = { drive = \"angle\", keyframes = [[1, 0]] }\n", "fewer than two");
    refuses(std::string(hinge) + "motor = { drive = \"angle\" }\n", "0 targets");
    refuses(std::string(hinge) + "motor = { drive = \"angle\", angle_deg = 3, track = \"servo\" }\n",
            "neither stiffness");
    refuses(std::string(hinge) + "motor = { drive = \"torque\", torque_N_m = 3, track = \"servo\" }\n",
            "follows a torque");
    refuses(std::string(hinge) +
                "motor = { drive = \"angle\", angle_deg = 3, track = \"two-step\" }\n[rigid]\nmax_dt_s = "
                "0.1\n[time]\nmax_dt_s = 0.1\n",
            "with steps of");
    refuses(start + "name = \"a,b\"\nbodies = [\"upper\", \"lower\"]\n", "is \"a,b\"");
    refuses("[[joint]]\nbodies = [\"upper\", \"lower\"]\nanchor_m = [0.5, 0.5, 0.5]\n", "has no kind");
}

namespace {

// The warnings of `check`, joined.
std::string warningsOf(const std::string& joint)
{
    const Scene scene = sceneOf(joint);
    std::string all;
    for (const std::string& warning : inspectBodies(scene, makeWorld(scene)).warnings) all += warning + "\n";
    return all;
}

}  // namespace

TEST(JointScene, CheckWarnsAboutDoubtfulJoints)
{
    const auto warns = [](const std::string& joint, const std::string& what) {
        const std::string all = warningsOf(joint);
        EXPECT_NE(all.find(what), all.npos) << what << "\n" << all;
    };
    EXPECT_EQ(warningsOf(hinge), "");
    warns("[[joint]]\nkind = \"ball\"\nbodies = [\"upper\", \"lower\"]\nanchor_m = [0.5, 0.9, 0.5]\n",
          "do not meet there");
    warns(std::string(hinge) + "limits_deg = [10, 90]\n", "outside of its limits");
    warns(std::string(hinge) + "motor = { drive = \"angle\", angle_deg = 20 }\n", "jumps in the first step");
    warns(std::string(hinge) +
              "[[joint]]\nkind = \"hinge\"\nbodies = [\"upper\", \"lower\"]\nanchor_m = [0.5, 0.5, "
              "0.45]\naxis = [0, 0, 1]\n",
          "5 constraints more than it needs");
    warns(std::string(hinge) + "motor = { drive = \"angle\", angle_deg = 0, track = \"pd\", stiffness_N_m = 1e5 }\n",
          "unstable with steps of");
    EXPECT_EQ(warningsOf(std::string(hinge) +
                         "motor = { drive = \"angle\", angle_deg = 0, track = \"pd\", stiffness_N_m = 1 }\n"),
              "");
}

TEST(JointScene, CheckWarnsAboutJoinedBodiesThatOverlapAndCollide)
{
    const TemporaryFolder folder;
    const std::string path = (folder.path / "scene.toml").string();
    std::string text = two_bodies + hinge;
    text.replace(text.find("0.4, 0.5]"), 9, "0.41, 0.5]");
    std::ofstream(path) << text;
    Scene scene = loadScene(path);
    EXPECT_TRUE(inspectBodies(scene, makeWorld(scene)).warnings.empty());
    scene.joints[0].collide = true;
    const auto warnings = inspectBodies(scene, makeWorld(scene)).warnings;
    ASSERT_EQ(warnings.size(), 1u);
    EXPECT_NE(warnings[0].find("overlap by 0.01 m and collide"), std::string::npos) << warnings[0];
}

TEST(JointScene, RowsOfJointsHaveTheColumnsOfTheHeader)
{
    const Scene scene = sceneOf(std::string(hinge) +
                                "[[joint]]\nkind = \"slider\"\nbodies = [\"upper\", \"world\"]\n"
                                "anchor_m = [0.5, 0.6, 0.5]\n");
    RigidWorld world = makeWorld(scene);
    world.step(0.01);
    const std::string header = joints_header, rows = jointLines(1, world);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), '\n'), 2);
    EXPECT_EQ(std::count(rows.begin(), rows.end(), ','), 2 * std::count(header.begin(), header.end(), ','));
    EXPECT_EQ(rows.rfind("1,0.01,joint1,", 0), 0u);
}
