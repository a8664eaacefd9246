#include "scene/identity.h"

#include <gtest/gtest.h>

#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

const std::string scene_text = R"(title = "One\nTwo = 2"
[domain]
cells = [16, 16, 16]
[[liquid.region]]
box = { min_m = [0, 0, 0], max_m = [1, 0.3, 1] }
[[body]]
mesh = { file = "wedge.obj" }
density_kg_m3 = 500
position_m = [0.5, 0.5, 0.5]
)";

std::string wedge(double height_m)
{
    return "v 0 0 0\nv 0.2 0 0\nv 0 " + std::to_string(height_m) +
           " 0\nv 0 0 0.2\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 3 1 4\n";
}

// Of the scene and its mesh in a temporary folder.
std::string identityOf(const std::string& text, double height_m, const std::vector<std::string>& overrides = {})
{
    const TemporaryFolder folder;
    folder.add("wedge.obj", wedge(height_m));
    return sceneIdentity(loadScene(folder.add("scene.toml", text), overrides));
}

const std::string& original()
{
    static const std::string once = identityOf(scene_text, 0.2);
    return once;
}

TEST(SceneIdentity, DoesNotDependOnThePlaceOfTheSceneAndItsMesh) { EXPECT_EQ(identityOf(scene_text, 0.2), original()); }

TEST(SceneIdentity, DoesNotDependOnWhatAResumedRunMayChange)
{
    EXPECT_EQ(identityOf(scene_text, 0.2,
                         {"time.seconds=9", "output.volume=true", "render.glow=1", "output.checkpoint_every_frames=2"}),
              original());
}

TEST(SceneIdentity, NamesTheKeyThatDiffersWithBothValues)
{
    EXPECT_EQ(identityDifference(identityOf(scene_text, 0.2, {"time.cfl=2"}), original()), "time.cfl is 2 and was 1");
    EXPECT_EQ(identityDifference(identityOf(scene_text, 0.2, {"liquid.region.0.box.max_m=[1,0.4,1]"}), original()),
              "liquid.region.0.box.max_m is [1, 0.4, 1] and was [1, 0.3, 1]");
    EXPECT_EQ(
        identityDifference(identityOf(scene_text, 0.2, {"time.cfl=2", "time.fps=30", "domain.width_m=3"}), original()),
        "domain.width_m is 3 and was 1, and 2 other keys differ");
    EXPECT_EQ(identityDifference(original(), original()), "");
}

TEST(SceneIdentity, NamesAKeyThatIsThereInOneSceneOnly)
{
    EXPECT_EQ(identityDifference(identityOf(scene_text, 0.2, {"liquid.region.0.viscosity_m2_s=2"}), original()),
              "liquid.region.0.viscosity_m2_s is 2 and was absent");
}

TEST(SceneIdentity, NoticesThatTheContentOfAMeshHasChanged)
{
    const std::string difference = identityDifference(identityOf(scene_text, 0.21), original());
    EXPECT_TRUE(difference.starts_with("body.0.mesh.file is \"triangles of hash ")) << difference;
}

TEST(SceneIdentity, HasOneLineForATitleOfTwo)
{
    std::string other = scene_text;
    other.replace(other.find("Two"), 3, "Six");
    const std::string difference = identityDifference(identityOf(other, 0.2), original());
    EXPECT_TRUE(difference.starts_with("title is ")) << difference;
    EXPECT_NE(difference.find("Six"), difference.npos) << difference;
}

}  // namespace
}  // namespace flotsam
