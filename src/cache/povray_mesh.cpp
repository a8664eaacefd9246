#include "cache/povray_mesh.h"

#include <fmt/format.h>

#include "core/error.h"

namespace flotsam {

namespace {

using Triangle = std::array<int, 3>;

struct ShadedMesh {
    std::vector<Vec3> positions;  // [picture units]
    std::vector<Vec3> normals;    // unit
    std::vector<Triangle> triangles;
    std::vector<Triangle> corner_normals;  // one per triangle: indices into normals
    std::vector<double> heat;              // 0..1 by vertex; may be empty
};

Vec3 toVec3(const std::array<float, 3>& a) { return {a[0], a[1], a[2]}; }

// 1e-4 of 10 picture units is a hundred-thousandth of the tank; more digits only cost parsing time.
void appendVectors(const char* keyword, const std::vector<Vec3>& vectors, fmt::memory_buffer& text)
{
    auto out = fmt::appender(text);
    fmt::format_to(out, "{}{{{}", keyword, vectors.size());
    for (Vec3 v : vectors) {
        if (!isFinite(v)) throw InputError("a mesh holds a number that is not finite; run the simulation again");
        fmt::format_to(out, ",<{:.4f},{:.4f},{:.4f}>", v.x, v.y, v.z);
    }
    fmt::format_to(out, "}}\n");
}

void appendTriangles(const char* keyword, const std::vector<Triangle>& triangles, fmt::memory_buffer& text)
{
    auto out = fmt::appender(text);
    fmt::format_to(out, "{}{{{}", keyword, triangles.size());
    for (const Triangle& t : triangles) fmt::format_to(out, ",<{},{},{}>", t[0], t[1], t[2]);
    fmt::format_to(out, "}}\n");
}

void appendHeat(const std::vector<double>& heat, fmt::memory_buffer& text)
{
    if (heat.empty()) return;
    auto out = fmt::appender(text);
    fmt::format_to(out, "uv_vectors{{{}", heat.size());
    for (double u : heat) fmt::format_to(out, ",<{:.3f},0>", std::clamp(u, 0.001, 0.999));  // gradients repeat at 1
    fmt::format_to(out, "}}\n");
}

// inside_vector allows the mesh to be cut by other shapes; on the liquid it made rendering 25 % slower.
std::string mesh2Text(const ShadedMesh& mesh, bool can_be_cut)
{
    if (mesh.triangles.empty()) return {};
    fmt::memory_buffer text;
    fmt::format_to(fmt::appender(text), "mesh2{{\n");
    appendVectors("vertex_vectors", mesh.positions, text);
    appendVectors("normal_vectors", mesh.normals, text);
    appendHeat(mesh.heat, text);
    appendTriangles("face_indices", mesh.triangles, text);
    appendTriangles("normal_indices", mesh.corner_normals, text);
    fmt::format_to(fmt::appender(text), "{}}}\n", can_be_cut ? "inside_vector<0.31,0.83,0.46>\n" : "");
    return fmt::to_string(text);
}

// Twice the triangle area times the outward normal.
Vec3 areaNormal(const std::vector<Vec3>& positions, const Triangle& t)
{
    return cross(positions[t[1]] - positions[t[0]], positions[t[2]] - positions[t[0]]);
}

constexpr int no_wall = -1;
constexpr double on_wall = 1e-3;  // [picture units]: walls are matched up to float rounding

bool liesOnWall(Vec3 p, const Stage& stage, int wall)
{
    const int axis = wall / 2;
    return std::abs(p[axis] - (wall % 2 ? stage.size[axis] : 0)) < on_wall;
}

// Walls are numbered -x +x -y +y -z +z.
int wallOf(const Triangle& t, const std::vector<Vec3>& positions, const Stage& stage)
{
    for (int wall = 0; wall < 6; ++wall)
        if (liesOnWall(positions[t[0]], stage, wall) && liesOnWall(positions[t[1]], stage, wall) &&
            liesOnWall(positions[t[2]], stage, wall))
            return wall;
    return no_wall;
}

Vec3 wallNormal(int wall)
{
    Vec3 n;
    n[wall / 2] = wall % 2 ? 1 : -1;
    return n;
}

std::vector<int> wallsOf(const ShadedMesh& mesh, const Stage& stage)
{
    std::vector<int> walls;
    walls.reserve(mesh.triangles.size());
    for (const Triangle& t : mesh.triangles) walls.push_back(wallOf(t, mesh.positions, stage));
    return walls;
}

// Normals from the file away from walls. At the rim of a wall the file has the mean over free surface and wall; here
// such a vertex gets the mean over the triangles of the free surface alone.
std::vector<Vec3> freeSurfaceNormals(const SurfaceMesh& surface, const ShadedMesh& mesh, const std::vector<int>& walls,
                                     const Stage& stage)
{
    const size_t count = mesh.positions.size();
    std::vector<Vec3> from_triangles(count);
    std::vector<char> at_rim(count, 0);
    for (size_t i = 0; i < mesh.triangles.size(); ++i)
        for (int v : mesh.triangles[i]) {
            if (walls[i] != no_wall)
                at_rim[v] = 1;
            else
                from_triangles[v] += areaNormal(mesh.positions, mesh.triangles[i]);
        }
    std::vector<Vec3> normals(count);
    for (size_t v = 0; v < count; ++v) {
        const bool in_file = v < surface.normals.size() && !at_rim[v];
        normals[v] = in_file ? stage.mapNormal(toVec3(surface.normals[v])) : normalized(from_triangles[v]);
        if (normals[v] == Vec3{}) normals[v] = {0, 1, 0};
    }
    return normals;
}

// For each vertex the corners (triangle * 3 + corner) that meet there.
std::vector<std::vector<int>> cornersOfVertices(const TriangleMesh& mesh)
{
    std::vector<std::vector<int>> corners(mesh.vertices.size());
    for (size_t i = 0; i < mesh.triangles.size(); ++i)
        for (int c = 0; c < 3; ++c) corners[mesh.triangles[i][c]].push_back(int(3 * i) + c);
    return corners;
}

void addCreasedNormals(const TriangleMesh& solid, ShadedMesh& mesh)
{
    constexpr double blunt = 0.766;  // cos 40 degrees
    std::vector<Vec3> face(mesh.triangles.size());
    for (size_t i = 0; i < face.size(); ++i) face[i] = areaNormal(mesh.positions, mesh.triangles[i]);
    mesh.normals.resize(3 * face.size());
    for (const std::vector<int>& corners : cornersOfVertices(solid))
        for (int corner : corners) {
            const Vec3 own = face[corner / 3];
            Vec3 sum = own;
            for (int other : corners)
                if (other != corner && dot(own, face[other / 3]) > blunt * length(own) * length(face[other / 3]))
                    sum += face[other / 3];
            mesh.normals[corner] = sum == Vec3{} ? Vec3{0, 1, 0} : normalized(sum);
        }
    for (int i = 0; i < int(face.size()); ++i) mesh.corner_normals.push_back({3 * i, 3 * i + 1, 3 * i + 2});
}

Vec3 movedOffWalls(Vec3 p, const Stage& stage, double inset)
{
    for (int axis = 0; axis < 3; ++axis) {
        if (std::abs(p[axis]) < inset) p[axis] = inset;
        if (std::abs(p[axis] - stage.size[axis]) < inset) p[axis] = stage.size[axis] - inset;
    }
    return p;
}

}  // namespace

std::string povLiquidMesh(const SurfaceMesh& surface, const Stage& stage, const HeatRange& range)
{
    ShadedMesh mesh;
    mesh.triangles = surface.triangles;
    for (const auto& p : surface.positions) mesh.positions.push_back(stage.map(toVec3(p)));
    for (float temperature_K : surface.temperatures)
        mesh.heat.push_back((double(temperature_K) - range.cold_K) / (range.hot_K - range.cold_K));
    const std::vector<int> walls = wallsOf(mesh, stage);
    mesh.normals = freeSurfaceNormals(surface, mesh, walls, stage);
    const int first_wall_normal = int(mesh.normals.size());
    for (int wall = 0; wall < 6; ++wall) mesh.normals.push_back(wallNormal(wall));
    for (size_t i = 0; i < walls.size(); ++i) {
        const int n = first_wall_normal + walls[i];
        mesh.corner_normals.push_back(walls[i] == no_wall ? mesh.triangles[i] : Triangle{n, n, n});
    }
    return mesh2Text(mesh, false);
}

std::string povSolidMesh(const TriangleMesh& solid, const Stage& stage, double inset, bool can_be_cut)
{
    ShadedMesh mesh;
    mesh.triangles = solid.triangles;
    for (Vec3 v : solid.vertices) mesh.positions.push_back(movedOffWalls(stage.map(v), stage, inset));
    addCreasedNormals(solid, mesh);
    return mesh2Text(mesh, can_be_cut);
}

}  // namespace flotsam
