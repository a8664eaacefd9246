#include "cache/vdb.h"

#include <fmt/core.h>
#include <openvdb/openvdb.h>

#include <cstdint>
#include <sstream>

#include "cache/safe_file.h"
#include "core/parallel.h"

namespace flotsam {
namespace {

using Leaf = openvdb::FloatTree::LeafNodeType;
using VectorLeaf = openvdb::Vec3STree::LeafNodeType;
static_assert(Bricks::side.x % Leaf::DIM == 0 && Bricks::side.y % Leaf::DIM == 0 && Bricks::side.z % Leaf::DIM == 0,
              "a leaf belongs to one brick");

// Writes into memory what openvdb::io::File writes to disk, so that one function writes all files and detects a full
// disk.
struct MemoryArchive : openvdb::io::Archive {
    using Archive::write;
};

openvdb::math::Transform::Ptr cellCentres(double h_m)
{
    auto transform = openvdb::math::Transform::createLinearTransform(h_m);
    transform->postTranslate(openvdb::Vec3d(0.5 * h_m));
    return transform;
}

// Bounding boxes of the leaf nodes in the listed bricks.
std::vector<IndexBox> leafBoxes(Int3 cells, const Bricks& bricks, const BrickList& list)
{
    std::vector<IndexBox> boxes;
    constexpr int side = Leaf::DIM;
    for (const int brick : list) {
        const IndexBox all = intersection(bricks.box(brick), {{0, 0, 0}, cells});
        for (int k = all.lo.z; k < all.hi.z; k += side)
            for (int j = all.lo.y; j < all.hi.y; j += side)
                for (int i = all.lo.x; i < all.hi.x; i += side)
                    boxes.push_back({{i, j, k}, min(Int3{i + side, j + side, k + side}, all.hi)});
    }
    return boxes;
}

// A field, active in the liquid.
openvdb::FloatGrid::Ptr liquidGrid(const ScalarField& field, double h_m, View3<const float> phi,
                                   const std::vector<IndexBox>& boxes)
{
    auto grid = openvdb::FloatGrid::create(0);
    grid->setName(field.name);
    grid->setTransform(cellCentres(h_m));
    for (const IndexBox box : boxes) {
        auto leaf = std::make_unique<Leaf>(openvdb::Coord(box.lo.x, box.lo.y, box.lo.z), 0.0f);
        forEachCell(box, [&](int i, int j, int k) {
            if (phi(i, j, k) < 0) leaf->setValueOn({i, j, k}, field.values(i, j, k));
        });
        if (!leaf->isEmpty()) grid->tree().addLeaf(leaf.release());
    }
    return grid;
}

// OpenVDB tags each file at random. Equal fields must give equal bytes, so the tag is replaced by a hash of the rest.
void replaceTag(const std::string& tag, std::string& bytes)
{
    const size_t at = bytes.find(tag);
    if (at == bytes.npos || tag.size() != 36) return;
    uint64_t hash[2] = {0xcbf29ce484222325, 0x84222325cbf29ce4};
    for (size_t n = at + tag.size(); n < bytes.size(); ++n)  // FNV-1a, twice
        for (uint64_t& half : hash) half = (half ^ uint8_t(bytes[n])) * 0x100000001b3;
    const std::string new_tag =
        fmt::format("{:08x}-{:04x}-{:04x}-{:04x}-{:012x}", hash[0] >> 32, hash[0] >> 16 & 0xffff, hash[0] & 0xffff,
                    hash[1] >> 48, hash[1] & 0xffffffffffff);
    bytes.replace(at, tag.size(), new_tag);
}

}  // namespace

void writeVdb(const std::filesystem::path& path, Int3 cells, double h_m, View3<const float> phi, View3<const float> u,
              View3<const float> v, View3<const float> w, const Bricks& bricks, const BrickList& list,
              float background_phi_m, const std::vector<ScalarField>& others)
{
    openvdb::initialize();
    auto phi_grid = openvdb::FloatGrid::create(background_phi_m);
    auto velocity_grid = openvdb::Vec3SGrid::create();
    phi_grid->setName("phi");
    phi_grid->setGridClass(openvdb::GRID_LEVEL_SET);
    velocity_grid->setName("velocity");
    velocity_grid->setVectorType(openvdb::VEC_CONTRAVARIANT_RELATIVE);
    phi_grid->setTransform(cellCentres(h_m));
    velocity_grid->setTransform(cellCentres(h_m));

    for (const IndexBox box : leafBoxes(cells, bricks, list)) {
        const openvdb::Coord origin(box.lo.x, box.lo.y, box.lo.z);
        auto phi_leaf = std::make_unique<Leaf>(origin, background_phi_m);
        auto velocity_leaf = std::make_unique<VectorLeaf>(origin, openvdb::Vec3s(0));
        forEachCell(box, [&](int i, int j, int k) {
            if (!(phi(i, j, k) < background_phi_m)) return;
            phi_leaf->setValueOn({i, j, k}, phi(i, j, k));
            velocity_leaf->setValueOn({i, j, k},
                                      {0.5f * (u(i, j, k) + u(i + 1, j, k)), 0.5f * (v(i, j, k) + v(i, j + 1, k)),
                                       0.5f * (w(i, j, k) + w(i, j, k + 1))});
        });
        if (phi_leaf->isEmpty()) continue;
        phi_grid->tree().addLeaf(phi_leaf.release());
        velocity_grid->tree().addLeaf(velocity_leaf.release());
    }

    openvdb::GridCPtrVec grids{phi_grid, velocity_grid};
    for (const ScalarField& field : others)
        grids.push_back(liquidGrid(field, h_m, phi, leafBoxes(cells, bricks, list)));
    const MemoryArchive archive;
    std::ostringstream stream(std::ios::binary);
    archive.write(stream, grids, /*seekable=*/true);
    std::string bytes = std::move(stream).str();
    replaceTag(archive.getUniqueTag(), bytes);
    writeFileAtomically(path, bytes);
}

}  // namespace flotsam
