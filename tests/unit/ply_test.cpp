#include "cache/ply.h"

#include <gtest/gtest.h>

#include "cache/safe_file.h"
#include "core/error.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

SurfaceMesh tetrahedron()
{
    SurfaceMesh s;
    s.positions = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 0.1f}};
    s.normals = {{-1, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    s.velocities = {{1e-30f, 2, 3}, {-4, 5, 6}, {7, 8, 9}, {10, 11, 3e38f}};
    s.triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}};
    return s;
}

TEST(Ply, ASurfaceComesBackBitForBit)
{
    const TemporaryFolder folder;
    const SurfaceMesh written = tetrahedron();
    writeSurfacePly(folder.path / "0001.ply", written);
    const SurfaceMesh read = readSurfacePly(folder.path / "0001.ply");
    EXPECT_EQ(read.positions, written.positions);
    EXPECT_EQ(read.normals, written.normals);
    EXPECT_EQ(read.velocities, written.velocities);
    EXPECT_EQ(read.triangles, written.triangles);
}

TEST(Ply, TemperaturesComeBackAndAreNamedInTheHeader)
{
    const TemporaryFolder folder;
    SurfaceMesh written = tetrahedron();
    written.temperatures = {293.15f, 300, 420, 1e-3f};
    writeSurfacePly(folder.path / "0001.ply", written);
    const SurfaceMesh read = readSurfacePly(folder.path / "0001.ply");
    EXPECT_EQ(read.temperatures, written.temperatures);
    EXPECT_EQ(read.velocities, written.velocities);
    EXPECT_EQ(read.triangles, written.triangles);
    EXPECT_NE(readWholeFile(folder.path / "0001.ply").find("property float vz\nproperty float temperature\n"),
              std::string::npos);
}

TEST(Ply, AnEmptySurfaceComesBackEmpty)
{
    const TemporaryFolder folder;
    writeSurfacePly(folder.path / "0000.ply", {});
    EXPECT_TRUE(readSurfacePly(folder.path / "0000.ply").positions.empty());
}

TEST(Ply, PointsComeBackBitForBit)
{
    const TemporaryFolder folder;
    const SurfaceMesh s = tetrahedron();
    writePointsPly(folder.path / "0001.tracers.ply", s.positions, s.velocities);
    const MovingPoints read = readPointsPly(folder.path / "0001.tracers.ply");
    EXPECT_EQ(read.positions, s.positions);
    EXPECT_EQ(read.velocities, s.velocities);
}

TEST(Ply, OurFilesLoadAsMeshes)
{
    const TemporaryFolder folder;
    writeSurfacePly(folder.path / "surface.ply", tetrahedron());
    const TriangleMesh mesh = loadMesh((folder.path / "surface.ply").string());
    EXPECT_EQ(mesh.triangles, tetrahedron().triangles);
    EXPECT_TRUE(findDefects(mesh).closed());
    EXPECT_NEAR(signedVolume(mesh), 0.1 / 6, 1e-9);

    writeMeshPly(folder.path / "mesh.ply", mesh);
    const TriangleMesh again = loadMesh((folder.path / "mesh.ply").string());
    EXPECT_EQ(again.vertices, mesh.vertices);
    EXPECT_EQ(again.triangles, mesh.triangles);
}

TEST(Ply, ATruncatedOrForeignFileIsAnIoError)
{
    const TemporaryFolder folder;
    const std::filesystem::path path = folder.path / "0001.ply";
    writeSurfacePly(path, tetrahedron());
    const std::string whole = readWholeFile(path);
    for (size_t size = 0; size < whole.size(); size += 7) {
        writeFileAtomically(path, whole.substr(0, size));
        EXPECT_THROW(readSurfacePly(path), IoError) << size << " bytes";
    }
    writeFileAtomically(path, whole + "x");
    EXPECT_THROW(readSurfacePly(path), IoError);
    writeFileAtomically(path, whole);
    EXPECT_THROW(readPointsPly(path), IoError);
}

TEST(Ply, ACountThatWouldOverflowIsAnIoError)
{
    const TemporaryFolder folder;
    std::filesystem::path path = folder.path / "0001.ply";
    writeSurfacePly(path, {});
    std::string bytes = readWholeFile(path);
    bytes.replace(bytes.find("vertex 0"), 8, "vertex 512409557603043101");  // times 36 is 20 modulo 2^64
    writeFileAtomically(path, bytes + std::string(20, '\0'));
    EXPECT_THROW(readSurfacePly(path), IoError);
}

TEST(Ply, AVertexOutOfRangeIsAnIoError)
{
    const TemporaryFolder folder;
    SurfaceMesh broken = tetrahedron();
    broken.triangles[2][1] = 4;
    writeSurfacePly(folder.path / "0001.ply", broken);
    EXPECT_THROW(readSurfacePly(folder.path / "0001.ply"), IoError);
}

TEST(Ply, WritingWhereAFileIsTheFolderIsAnIoError)
{
    const TemporaryFolder folder;
    const std::string file = folder.add("frames", "");
    EXPECT_THROW(writeSurfacePly(file + "/0001.ply", tetrahedron()), IoError);
}

}  // namespace
}  // namespace flotsam
