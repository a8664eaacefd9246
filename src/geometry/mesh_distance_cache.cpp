// Distance grids on disk, named by a hash of their input.
#include <unistd.h>

#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>

#include <fmt/format.h>

#include "core/hash.h"
#include "geometry/mesh_distance.h"

namespace flotsam {
namespace {

namespace fs = std::filesystem;

constexpr char magic[8] = {'F', 'L', 'O', 'T', 'S', 'D', 'F', '1'};  // must change with the algorithm

struct Header {
    char magic[8];
    uint64_t key, values_hash;
    Vec3 origin_m;
    double voxel_m;
    Int3 points;
    int unused = 0;
};

uint64_t keyOf(const TriangleMesh& mesh, double voxel_m)
{
    uint64_t h = hashBytes(magic, sizeof magic);
    h = hashBytes(&voxel_m, sizeof voxel_m, h);
    h = hashBytes(mesh.vertices.data(), mesh.vertices.size() * sizeof(Vec3), h);
    return hashBytes(mesh.triangles.data(), mesh.triangles.size() * sizeof(mesh.triangles[0]), h);
}

fs::path cacheFolder()
{
    if (const char* own = std::getenv("FLOTSAM_CACHE")) return own;
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg && *xdg) return fs::path(xdg) / "flotsam";
    if (const char* home = std::getenv("HOME"); home && *home) return fs::path(home) / ".cache" / "flotsam";
    return {};
}

bool readGrid(const fs::path& path, uint64_t key, DistanceGrid& grid)
{
    std::ifstream in(path, std::ios::binary);
    Header header;
    if (!in.read(reinterpret_cast<char*>(&header), sizeof header)) return false;
    if (std::memcmp(header.magic, magic, sizeof magic) != 0 || header.key != key) return false;
    const Int3 n = header.points;
    if (n.x < 2 || n.y < 2 || n.z < 2 || product(n) > 100'000'000) return false;
    std::vector<float> values(size_t(product(n)));
    if (!in.read(reinterpret_cast<char*>(values.data()), std::streamsize(values.size() * sizeof(float)))) return false;
    if (hashBytes(values.data(), values.size() * sizeof(float)) != header.values_hash) return false;
    grid = {header.origin_m, header.voxel_m, n, std::move(values)};
    return true;
}

// Written under a temporary name first: a reader sees a complete file or none.
void writeGrid(const fs::path& path, uint64_t key, const DistanceGrid& grid)
{
    std::error_code error;
    fs::create_directories(path.parent_path(), error);
    const fs::path part = path.string() + fmt::format(".{}", getpid());
    {
        Header header{};
        std::memcpy(header.magic, magic, sizeof magic);
        header.key = key;
        header.values_hash = hashBytes(grid.phi_m.data(), grid.phi_m.size() * sizeof(float));
        header.origin_m = grid.origin_m;
        header.voxel_m = grid.voxel_m;
        header.points = grid.points;
        std::ofstream out(part, std::ios::binary);
        out.write(reinterpret_cast<const char*>(&header), sizeof header);
        out.write(reinterpret_cast<const char*>(grid.phi_m.data()), std::streamsize(grid.phi_m.size() * sizeof(float)));
        if (!out.flush()) error = std::make_error_code(std::errc::io_error);
    }
    if (!error) fs::rename(part, path, error);
    if (error) fs::remove(part, error);
}

}  // namespace

DistanceGrid cachedDistanceGridOf(const TriangleMesh& mesh, double voxel_m)
{
    const fs::path folder = cacheFolder();
    if (folder.empty()) return distanceGridOf(mesh, voxel_m);
    const uint64_t key = keyOf(mesh, voxel_m);
    const fs::path path = folder / fmt::format("{:016x}.sdf", key);
    DistanceGrid grid;
    if (readGrid(path, key, grid)) return grid;
    grid = distanceGridOf(mesh, voxel_m);
    writeGrid(path, key, grid);
    return grid;
}

}  // namespace flotsam
