#include "cache/vdb.h"

#include <gtest/gtest.h>
#include <openvdb/openvdb.h>

#include "cache/safe_file.h"
#include "core/error.h"
#include "core/parallel.h"
#include "tests/unit/temporary_folder.h"

namespace flotsam {
namespace {

// Cell counts are not multiples of a brick. A ball of liquid; velocities linear in space, so that the mean of two faces
// is the value at the centre.
struct Frame {
    static constexpr Int3 cells{37, 21, 10};
    static constexpr double h_m = 0.25;
    static constexpr float background_m = 3 * 0.25f;
    Bricks bricks{cells};
    Field3<float> phi{cells}, u{cells}, v{cells}, w{cells};

    static Vec3 centre(int i, int j, int k) { return h_m * Vec3{i + 0.5, j + 0.5, k + 0.5}; }
    static float phiAt(Vec3 p) { return float(length(p - Vec3{4, 2, 1}) - 1.5); }

    Frame()
    {
        forEachCell({{0, 0, 0}, cells + Int3{1, 1, 1}}, [this](int i, int j, int k) {
            phi.view()(i, j, k) = phiAt(centre(i, j, k));
            u.view()(i, j, k) = float(i);
            v.view()(i, j, k) = float(2 * j);
            w.view()(i, j, k) = float(-k);
        });
    }
    BrickList allBricks() const { return listOf(std::vector<uint8_t>(size_t(bricks.total()), 1)); }
    void write(const std::filesystem::path& path, const BrickList& list) const
    {
        writeVdb(path, cells, h_m, phi, u, v, w, bricks, list, background_m);
    }
};

template <class Grid>
typename Grid::Ptr readGrid(const std::filesystem::path& path, const std::string& name)
{
    openvdb::initialize();
    openvdb::io::File file(path.string());
    file.open();
    return openvdb::gridPtrCast<Grid>(file.readGrid(name));
}

TEST(Vdb, ValuesAndPositionsComeBack)
{
    const TemporaryFolder folder;
    const Frame frame;
    frame.write(folder.path / "0001.vdb", frame.allBricks());
    const auto phi = readGrid<openvdb::FloatGrid>(folder.path / "0001.vdb", "phi");
    const auto velocity = readGrid<openvdb::Vec3SGrid>(folder.path / "0001.vdb", "velocity");
    EXPECT_EQ(phi->getGridClass(), openvdb::GRID_LEVEL_SET);
    EXPECT_EQ(phi->background(), Frame::background_m);

    int active = 0;
    for (auto it = phi->cbeginValueOn(); it; ++it, ++active) {
        const openvdb::Coord c = it.getCoord();
        const openvdb::Vec3d p = phi->indexToWorld(c);
        EXPECT_FLOAT_EQ(*it, Frame::phiAt({p.x(), p.y(), p.z()}));
        EXPECT_EQ(velocity->tree().getValue(c),
                  openvdb::Vec3s(float(c.x()) + 0.5f, float(2 * c.y() + 1), float(-c.z()) - 0.5f));
    }
    int below_background = 0;
    forEachCell({{0, 0, 0}, Frame::cells},
                [&](int i, int j, int k) { below_background += frame.phi.view()(i, j, k) < Frame::background_m; });
    EXPECT_EQ(active, below_background);
    EXPECT_EQ(velocity->activeVoxelCount(), openvdb::Index64(active));
    EXPECT_GT(active, 1000);
    EXPECT_EQ(velocity->transform(), phi->transform());
}

TEST(Vdb, OtherFieldsAreWrittenWhereThereIsLiquid)
{
    const TemporaryFolder folder;
    const Frame f;
    writeVdb(folder.path / "0001.vdb", Frame::cells, Frame::h_m, f.phi, f.u, f.v, f.w, f.bricks, f.allBricks(),
             Frame::background_m, {{"viscosity", f.v}, {"temperature", f.w}});
    const auto grid = readGrid<openvdb::FloatGrid>(folder.path / "0001.vdb", "viscosity");
    openvdb::Index64 liquid = 0;
    forEachCell({{0, 0, 0}, Frame::cells}, [&](int i, int j, int k) {
        if (f.phi.view()(i, j, k) >= 0) return;
        ++liquid;
        EXPECT_EQ(grid->tree().getValue({i, j, k}), float(2 * j));
    });
    EXPECT_EQ(grid->activeVoxelCount(), liquid);
    const auto temperature = readGrid<openvdb::FloatGrid>(folder.path / "0001.vdb", "temperature");
    EXPECT_EQ(temperature->activeVoxelCount(), liquid);
    EXPECT_EQ(temperature->tree().getValue({16, 8, 4}), -4.0f);
    EXPECT_EQ(temperature->transform(), grid->transform());
}

TEST(Vdb, OnlyListedBricksAreWritten)
{
    const TemporaryFolder folder;
    const Frame frame;
    const int brick = frame.bricks.index({1, 1, 0});
    frame.write(folder.path / "0001.vdb", {brick});
    const auto phi = readGrid<openvdb::FloatGrid>(folder.path / "0001.vdb", "phi");
    const IndexBox box = frame.bricks.box(brick);
    const openvdb::CoordBBox active = phi->evalActiveVoxelBoundingBox();
    EXPECT_FALSE(active.empty());
    EXPECT_TRUE(box.contains({active.min().x(), active.min().y(), active.min().z()}));
    EXPECT_TRUE(box.contains({active.max().x(), active.max().y(), active.max().z()}));
}

TEST(Vdb, NoLiquidIsAFileWithEmptyGrids)
{
    const TemporaryFolder folder;
    Frame().write(folder.path / "0000.vdb", {});
    EXPECT_TRUE(readGrid<openvdb::FloatGrid>(folder.path / "0000.vdb", "phi")->empty());
}

TEST(Vdb, TheSameFrameGivesTheSameBytes)
{
    const TemporaryFolder folder;
    Frame frame;
    frame.write(folder.path / "a.vdb", frame.allBricks());
    frame.write(folder.path / "b.vdb", frame.allBricks());
    EXPECT_EQ(readWholeFile(folder.path / "a.vdb"), readWholeFile(folder.path / "b.vdb"));
    frame.u.view()(16, 8, 4) += 1;
    frame.write(folder.path / "b.vdb", frame.allBricks());
    EXPECT_NE(readWholeFile(folder.path / "a.vdb"), readWholeFile(folder.path / "b.vdb"));
}

TEST(Vdb, WritingWhereAFileIsTheFolderIsAnIoError)
{
    const TemporaryFolder folder;
    const std::string file = folder.add("frames", "");
    EXPECT_THROW(Frame().write(file + "/0001.vdb", {}), IoError);
}

}  // namespace
}  // namespace flotsam
