#include "cache/render.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

#include "cache/body_poses.h"
#include "cache/image_record.h"
#include "cache/picture_stage.h"
#include "cache/ply.h"
#include "cache/povray.h"
#include "cache/safe_file.h"
#include "cache/subprocess.h"
#include "core/error.h"
#include "geometry/gear.h"
#include "geometry/triangulate.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {

namespace fs = std::filesystem;

namespace {

Scene tankOf(Int3 cells, double width_m)
{
    Scene scene;
    scene.name = "tank";
    scene.domain.cells = cells;
    scene.domain.width_m = width_m;
    scene.liquid.regions.push_back({BoxShape{{0, 0, 0}, {0.5 * width_m, 0.25 * width_m, 0.5 * width_m}, {}}, {}});
    return scene;
}

// A box of liquid in the lowest corner of the tank; its vertex normals are means over three faces.
SurfaceMesh liquidBox(Vec3 size_m)
{
    SurfaceMesh mesh;
    for (int c = 0; c < 8; ++c) {
        mesh.positions.push_back(
            {c & 1 ? float(size_m.x) : 0, c & 2 ? float(size_m.y) : 0, c & 4 ? float(size_m.z) : 0});
        const float d = 0.57735f;
        mesh.normals.push_back({c & 1 ? d : -d, c & 2 ? d : -d, c & 4 ? d : -d});
        mesh.velocities.push_back({0, 0, 0});
    }
    mesh.triangles = {{0, 2, 1}, {1, 2, 3}, {4, 5, 6}, {5, 7, 6}, {0, 1, 4}, {1, 5, 4},
                      {2, 6, 3}, {3, 6, 7}, {0, 4, 2}, {2, 4, 6}, {1, 3, 5}, {3, 7, 5}};
    return mesh;
}

TriangleMesh solidBox(Vec3 lo_m, Vec3 hi_m)
{
    TriangleMesh mesh;
    for (int c = 0; c < 8; ++c)
        mesh.vertices.push_back({(c & 1 ? hi_m : lo_m).x, (c & 2 ? hi_m : lo_m).y, (c & 4 ? hi_m : lo_m).z});
    mesh.triangles = liquidBox({1, 1, 1}).triangles;
    return mesh;
}

void writeRun(const fs::path& dir, int frames)
{
    fs::create_directories(dir / "frames");
    std::ofstream(dir / "scene.toml") << sceneToToml(tankOf({16, 8, 8}, 1.0));
    for (int f = 0; f < frames; ++f) {
        char name[16];
        std::snprintf(name, sizeof name, "%04d.ply", f);
        writeSurfacePly(dir / "frames" / name, f == 0 ? SurfaceMesh{} : liquidBox({0.5, 0.1 * f, 0.5}));
    }
}

struct Rendered {
    int first_done = -1, last_done = -1, total = 0;
};

Rendered render(const fs::path& dir, RenderOptions options = {})
{
    Rendered r;
    options.dir = dir;
    options.width = 64;
    options.height = 36;
    options.report = [&](int done, int total) {
        if (r.first_done < 0) r.first_done = done;
        r.last_done = done;
        r.total = total;
    };
    renderRun(options);
    return r;
}

template <class Error, class F>
std::string messageOf(const F& f)
{
    try {
        f();
    } catch (const Error& e) {
        return e.what();
    }
    return "no error of this kind";
}

bool contains(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

// Image position of p: -1 .. 1 horizontally and vertically.
Vec3 projected(const Camera& camera, Vec3 p)
{
    const Vec3 forward = normalized(camera.look_at - camera.eye);
    const Vec3 right = normalized(cross(forward, {0, 1, 0})), up = cross(right, forward), d = p - camera.eye;
    const double depth = camera.orthographic ? 1 : dot(d, forward);
    return {2 * dot(d, right) / (depth * camera.width), 2 * dot(d, up) / (depth * camera.height), dot(d, forward)};
}

}  // namespace

TEST(Pictures, ATankOfAnyProportionsFillsAPictureOfAnyShapeAndIsNotCut)
{
    for (Int3 cells : {Int3{64, 64, 64}, {8, 512, 8}, {512, 8, 512}, {512, 16, 8}, {128, 384, 1}, {300, 20, 1}})
        for (double aspect : {0.4, 1.0, 16.0 / 9, 3.0}) {
            const Stage stage = makeStage(tankOf(cells, 0.7).domain);
            const Camera camera = makeCamera({}, stage, aspect);
            double reach = 0;
            for (int c = 0; c < 8; ++c) {
                const Vec3 p =
                    projected(camera, {c & 1 ? stage.size.x : 0, c & 2 ? stage.size.y : 0, c & 4 ? stage.size.z : 0});
                EXPECT_GT(p.z, 0);
                reach = std::max({reach, std::abs(p.x), std::abs(p.y)});
            }
            EXPECT_LT(reach, 0.96);
            EXPECT_GT(reach, 0.80);
        }
}

TEST(Pictures, MetresAndMillimetresLookTheSame)
{
    const double small = 1.0 / 1024;
    PictureFrame frame, small_frame;
    frame.surface = liquidBox({0.5, 0.25, 0.5});
    small_frame.surface = liquidBox({0.5 * small, 0.25 * small, 0.5 * small});
    EXPECT_EQ(povScene(tankOf({16, 8, 8}, 1.0), frame, {}), povScene(tankOf({16, 8, 8}, small), small_frame, {}));
}

TEST(Pictures, LiquidAgainstAWallHasTheWallsNormal)
{
    PictureFrame frame;
    frame.surface = liquidBox({0.5, 0.25, 0.5});  // touches -x, -y, -z and, 0.5 deep, +z
    const std::string text = povScene(tankOf({16, 8, 8}, 1.0), frame, {});
    EXPECT_TRUE(contains(text, "normal_vectors{14,"));  // 8 of the vertices, 6 of the walls
    EXPECT_TRUE(contains(text, "normal_indices{12,<12,12,12>,<12,12,12>,<13,13,13>,<13,13,13>,<10,10,10>"));
    // Vertices 1 and 2 lie where the free side and top meet walls: each has the normal of its free face alone.
    EXPECT_TRUE(contains(text, "<0.0000,1.0000,0.0000>,<1.0000,0.0000,0.0000>,<0.0000,1.0000,0.0000>"));
}

TEST(Pictures, OpaqueLiquidLetsNoLightThrough)
{
    PictureFrame frame;
    frame.surface = liquidBox({0.5, 0.25, 0.5});
    Scene scene = tankOf({16, 8, 8}, 1.0);
    PictureParams params;
    params.quality = PictureQuality::final;
    EXPECT_TRUE(contains(povScene(scene, frame, params), "pigment{rgbt 1}"));
    scene.render.opaque = true;
    const std::string text = povScene(scene, frame, params);
    EXPECT_FALSE(contains(text, "pigment{rgbt 1}"));
    EXPECT_FALSE(contains(text, "photons"));
    EXPECT_TRUE(contains(text, "pigment{srgb<0.55,0.8,0.9>}"));
}

TEST(Pictures, BodiesOfOneShapeShareItsMeshAndStandInTheirPoses)
{
    const Scene scene = tankOf({16, 8, 8}, 1.0);  // ten units per metre
    const TriangleMesh box = boxMesh({0.1, 0.1, 0.1}), gem = gemMesh(0.1);
    PictureFrame frame;
    frame.bodies = {{&box, "wood", {{0.2, 0.1, 0.3}, {}}},
                    {&box, "marble", {{0.5, 0.1, 0.3}, quatOf(rotationFromDegrees({0, 90, 0}))}},
                    {&gem, "silver", {{0.8, 0.1, 0.3}, {}}}};
    const std::string text = povScene(scene, frame, {});
    EXPECT_TRUE(contains(text, "#declare body_mesh1="));
    EXPECT_FALSE(contains(text, "#declare body_mesh2="));
    EXPECT_TRUE(contains(text,
                         "object{body_mesh0 texture{body_wood} matrix<1.000000,0.000000,0.000000,0.000000,"
                         "1.000000,0.000000,0.000000,0.000000,1.000000,2.00000,1.00000,3.00000>}"));
    // A quarter turn about y maps x to -z: the first row is the image of the x axis.
    EXPECT_TRUE(contains(text, "texture{body_marble} matrix<0.000000,0.000000,-1.000000,"));
    EXPECT_TRUE(contains(text, "#declare body_silver="));
}

TEST(Pictures, PosesOfBodiesComeFromTheRowsOfTheirFrames)
{
    const TemporaryFolder folder;
    const std::string csv = folder.add("bodies.csv",
                                       "step,t_s,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,"
                                       "wz_rad_s,wet\n"
                                       "0,0,a,1,2,3,1,0,0,0,0,0,0,0,0,0,0\n0,0,b,4,5,6,0,1,0,0,0,0,0,0,0,0,0\n"
                                       "1,0.05,a,9,9,9,1,0,0,0,0,0,0,0,0,0,0\n1,0.05,b,9,9,9,1,0,0,0,0,0,0,0,0,0,0\n"
                                       "2,0.1,a,7,8,9,1,0,0,0,0,0,0,0,0,0,0\n2,0.1,b,1,1,1,1,0,0,0,0,0,0,0,0,0,0\n");
    const auto frames = readBodyPoses(csv, {"b", "a"}, 10);
    ASSERT_EQ(frames.size(), 2u);
    EXPECT_EQ(frames[0][0].x_m, (Vec3{4, 5, 6}));
    EXPECT_EQ(frames[0][0].q, (Quat{0, 1, 0, 0}));
    EXPECT_EQ(frames[0][1].x_m, (Vec3{1, 2, 3}));
    EXPECT_EQ(frames[1][1].x_m, (Vec3{7, 8, 9}));
}

TEST(Pictures, HotLiquidIsDrawnByItsTemperature)
{
    Scene scene = tankOf({16, 8, 8}, 1.0);
    scene.heat.on = true;
    scene.heat.viscosity = {ViscosityLaw::linear, 300, 320, 10, 1e-3};
    PictureFrame frame;
    frame.surface = liquidBox({0.5, 0.3, 0.3});
    EXPECT_FALSE(contains(povScene(scene, frame, {}), "uv_vectors"));  // frames of runs without heat
    frame.surface.temperatures.assign(8, 300.0f);
    frame.surface.temperatures[3] = 310;
    frame.surface.temperatures[7] = 400;
    for (bool opaque : {false, true}) {
        scene.render.opaque = opaque;
        const std::string text = povScene(scene, frame, {});
        EXPECT_TRUE(contains(text, "uv_vectors{8,<0.001,0>,<0.001,0>,<0.001,0>,<0.500,0>")) << text;
        EXPECT_TRUE(contains(text, "<0.999,0>}"));
        EXPECT_TRUE(contains(text, "uv_mapping"));
    }
    scene.render.glow = 1;
    EXPECT_TRUE(contains(povScene(scene, frame, {}), "emission 0.8"));
}

TEST(Pictures, AFrameWithoutLiquidStillShowsTheTank)
{
    const std::string text = povScene(tankOf({16, 8, 8}, 1.0), {}, {});
    EXPECT_FALSE(contains(text, "mesh2"));
    EXPECT_TRUE(contains(text, "cylinder{"));
}

TEST(Pictures, ASolidThatReachesThroughAWallIsCutThere)
{
    PictureFrame inside, outside;
    inside.solids = {solidBox({0.2, 0, 0.1}, {0.4, 0.2, 0.2})};
    outside.solids = {solidBox({0.2, -0.1, 0.1}, {0.4, 0.2, 0.2})};
    EXPECT_FALSE(contains(povScene(tankOf({16, 8, 8}, 1.0), inside, {}), "intersection"));
    EXPECT_TRUE(contains(povScene(tankOf({16, 8, 8}, 1.0), outside, {}), "intersection"));
}

TEST(Pictures, AMovingSolidIsWhereItsVelocityAndSpinBringIt)
{
    SolidSpec solid;
    solid.velocity_m_s = {1, 0, 0};
    solid.spin_rad_s = {0, 0, 3.14159265358979 / 2};
    const TriangleMesh mesh = solidBox({0, 0, 0}, {2, 2, 2});
    const TriangleMesh moved = placedAt(solid, {1, 1, 1}, mesh, 1.0);
    EXPECT_NEAR(moved.vertices[0].x, 3, 1e-12);  // the corner (0, 0) rotates to (2, 0), then moves by 1
    EXPECT_NEAR(moved.vertices[0].y, 0, 1e-12);
    solid.has_pivot = true;
    EXPECT_NEAR(placedAt(solid, {1, 1, 1}, mesh, 1.0).vertices[0].x, 1, 1e-12);  // the pivot is the corner itself
}

TEST(Pictures, ASecondRenderMakesOnlyWhatChanged)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 3);
    const Rendered first = render(folder.path);
    EXPECT_EQ(first.first_done, 0);
    EXPECT_EQ(first.last_done, 3);
    EXPECT_TRUE(isWholePng(folder.path / "images/0002.png"));
    EXPECT_GT(fs::file_size(folder.path / "video.mp4"), 500u);
    EXPECT_FALSE(fs::exists(folder.path / "images/.work"));
    EXPECT_EQ(render(folder.path).first_done, 3);
    writeSurfacePly(folder.path / "frames/0001.ply", liquidBox({0.5, 0.3, 0.5}));
    EXPECT_EQ(render(folder.path).first_done, 2);
    fs::resize_file(folder.path / "images/0000.png", 100);
    EXPECT_EQ(render(folder.path).first_done, 2);
    RenderOptions final;
    final.quality = "final";
    EXPECT_EQ(render(folder.path, final).first_done, 0);
}

TEST(Pictures, ARangeOfFramesKeepsTheFullFilmAndItsImages)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 4);
    RenderOptions some;
    some.first_frame = 1;
    some.last_frame = 2;
    render(folder.path, some);  // into images/, because it is empty
    EXPECT_FALSE(fs::exists(folder.path / "video.mp4"));
    EXPECT_GT(fs::file_size(folder.path / "video_1-2.mp4"), 500u);
    EXPECT_EQ(render(folder.path).first_done, 2);
    const std::string film = readWholeFile(folder.path / "video.mp4");
    const std::string image = readWholeFile(folder.path / "images/0001.png");
    some.quality = "final";
    EXPECT_EQ(render(folder.path, some).first_done, 0);
    EXPECT_EQ(readWholeFile(folder.path / "video.mp4"), film);
    EXPECT_EQ(readWholeFile(folder.path / "images/0001.png"), image);
    EXPECT_TRUE(isWholePng(folder.path / "images_64x36_final/0001.png"));
    EXPECT_EQ(render(folder.path).first_done, 4);
}

TEST(Pictures, ASingleFrameMakesNoFilmAndARangeOfAllFramesMakesTheFullOne)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 2);
    RenderOptions range;
    range.first_frame = range.last_frame = 1;
    render(folder.path, range);
    EXPECT_TRUE(isWholePng(folder.path / "images/0001.png"));
    EXPECT_FALSE(fs::exists(folder.path / "video_1-1.mp4"));
    range.first_frame = 0;
    render(folder.path, range);
    EXPECT_TRUE(fs::exists(folder.path / "video.mp4"));
}

TEST(Pictures, AnotherLiquidColorMakesAllImagesAgain)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 2);
    render(folder.path);
    Scene scene = tankOf({16, 8, 8}, 1.0);
    scene.render.liquid_color = {0.9, 0.5, 0.2};
    std::ofstream(folder.path / "scene.toml") << sceneToToml(scene);
    EXPECT_EQ(render(folder.path).first_done, 0);
}

TEST(Pictures, AMissingFrameIsNamed)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 3);
    fs::remove(folder.path / "frames/0001.ply");
    EXPECT_TRUE(contains(messageOf<InputError>([&] { render(folder.path); }), "0001.ply"));
    RenderOptions beyond;
    beyond.last_frame = 7;
    EXPECT_TRUE(contains(messageOf<InputError>([&] { render(folder.path, beyond); }), "frames 0 to 2"));
    EXPECT_FALSE(fs::exists(folder.path / "images"));
}

TEST(Pictures, ARequestToStopLeavesNoVideoAndNoUnfinishedImage)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 3);
    const std::atomic<bool> stop = true;
    RenderOptions options;
    options.stop = &stop;
    EXPECT_EQ(render(folder.path, options).last_done, 0);
    EXPECT_FALSE(fs::exists(folder.path / "video.mp4"));
    EXPECT_FALSE(fs::exists(folder.path / "images/.work"));
}

TEST(Pictures, ASecondRenderCannotTakeTheFolderOfOneThatIsAlive)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 2);
    std::string message;
    RenderOptions first;
    first.dir = folder.path;
    first.width = 64;
    first.height = 36;
    first.report = [&](int, int) {
        if (message.empty()) message = messageOf<InputError>([&] { render(folder.path); });
    };
    renderRun(first);
    EXPECT_TRUE(contains(message, "another render is writing images there")) << message;
    EXPECT_TRUE(fs::exists(folder.path / "video.mp4"));
}

TEST(Pictures, AMissingProgramNamesItsPackage)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 1);
    const std::string path = std::getenv("PATH");
    setenv("PATH", folder.path.c_str(), 1);
    const std::string message = messageOf<InputError>([&] { render(folder.path); });
    setenv("PATH", path.c_str(), 1);
    EXPECT_TRUE(contains(message, "install the package 'povray'")) << message;
}

TEST(Pictures, WhatPovrayComplainedAboutIsInTheError)
{
    const TemporaryFolder folder;
    writeRun(folder.path, 1);
    const fs::path fake = folder.path / "bin";
    fs::create_directories(fake);
    std::ofstream(fake / "povray") << "#!/bin/sh\necho no triangles today >&2\nexit 3\n";
    fs::permissions(fake / "povray", fs::perms::owner_all);
    const std::string path = std::getenv("PATH");
    setenv("PATH", (fake.string() + ":" + path).c_str(), 1);
    const std::string message = messageOf<IoError>([&] { render(folder.path); });
    setenv("PATH", path.c_str(), 1);
    EXPECT_TRUE(contains(message, "no triangles today") && contains(message, "exit code 3")) << message;
}

TEST(Subprocess, KeepsTheEndOfTheErrorStreamAndTheExitCode)
{
    const ProcessResult r = runProcess({"sh", "-c", "seq 1 10000 >&2; exit 5"}, "/", {});
    EXPECT_EQ(r.exit_code, 5);
    EXPECT_TRUE(contains(r.error_tail, "\n10000\n"));
    EXPECT_LT(r.error_tail.size(), 5000u);
}

TEST(Subprocess, StopsWhenAsked)
{
    const ProcessResult r = runProcess({"sleep", "600"}, "/", [] { return true; });
    EXPECT_TRUE(r.stopped);
    EXPECT_EQ(r.exit_code, 128 + 9);
}

TEST(Subprocess, AProgramThatIsNotThereIsAnError)
{
    EXPECT_TRUE(findProgram("no-such-program-at-all").empty());
    EXPECT_THROW(runProcess({"no-such-program-at-all"}, "/", {}), IoError);
}

}  // namespace flotsam
