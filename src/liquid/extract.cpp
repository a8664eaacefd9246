#include "liquid/extract.h"

#include "core/check.h"
#include "liquid/cut_brick.h"

namespace flotsam {

namespace {

// Bricks that contain surface, in order, and where their pieces of the mesh start.
struct CutBricks {
    struct Part {
        CutBrick brick;
        Int3 at;  // brick coordinates
        int first_vertex = 0, first_triangle = 0;
    };
    std::vector<Part> parts;
    std::vector<int> part_of_brick;  // or -1
    int vertices = 0, triangles = 0;
};

CutBricks cutBricks(const CutInput& in, const BrickList& list)
{
    std::vector<CutBrick> all(list.size());
    parallelTasks("extract.cut", int(list.size()), [&](int n) { all[size_t(n)] = cutBrick(in, list[size_t(n)]); });
    CutBricks cut;
    cut.part_of_brick.assign(size_t(in.grid.bricks.total()), -1);
    for (size_t n = 0; n < list.size(); ++n) {
        if (all[n].cubes.empty()) continue;
        cut.part_of_brick[size_t(list[n])] = int(cut.parts.size());
        cut.parts.push_back({std::move(all[n]), in.grid.bricks.at(list[n]), cut.vertices, cut.triangles});
        cut.vertices += int(cut.parts.back().brick.vertices.size());
        cut.triangles += cut.parts.back().brick.triangles;
    }
    return cut;
}

// The vertices of the triangles of a cube: its own, and those that the next cubes own.
class VerticesOfCube {
public:
    VerticesOfCube(const Bricks& bricks, const CubeCut& cut, const CutBricks& all, const CutBricks::Part& part, Int3 c)
    {
        for (int corner = 0; corner < 8; ++corner) {
            const Int3 owner = c + Int3{corner & 1, corner >> 1 & 1, corner >> 2};
            const CutBricks::Part* home = &part;
            if (!part.brick.owners.contains(owner)) {
                const int n =
                    all.part_of_brick[size_t(bricks.index(bricks.ofCell(min(owner, bricks.cells - Int3{1, 1, 1}))))];
                home = n < 0 ? nullptr : &all.parts[size_t(n)];
            }
            const int cube = home ? home->brick.find(owner) : -1;
            if (cube < 0) continue;
            first[corner] = home->first_vertex + home->brick.cubes[size_t(cube)].first;
            number[corner] = home->brick.numbers.data() + size_t(cube) * cut.slots();
        }
    }
    int at(int owner, int slot) const
    {
        FLOTSAM_CHECK(number[owner] != nullptr, ==, true);
        return first[owner] + number[owner][slot];
    }

private:
    int first[8] = {};
    const uint8_t* number[8] = {};
};

// The liquid portion of a triangle on a wall.
template <class F>
void capWall(const CubeCut& cut, const CubeCut::WallTriangle& w, const CutBrick::Cube& cube,
             const VerticesOfCube& vertices, const F& add)
{
    int corner[4], count = 0;
    for (size_t n = 0; n < 3; ++n) {
        const bool here = cube.liquid[w.point[n]], there = cube.liquid[w.point[(n + 1) % 3]];
        const CubeCut::Edge& e = cut.edges[w.edge[n]];
        if (here) corner[count++] = vertices.at(w.owner[n], w.slot[n]);
        if (here != there) corner[count++] = vertices.at(e.owner, e.slot);
    }
    for (int n = 2; n < count; ++n) add(corner[0], corner[n - 1], corner[n]);
}

void writeTriangles(const CutInput& in, const CutBricks& all, const CutBricks::Part& part, std::array<int, 3>* out)
{
    const auto& cases = tetrahedronCases();
    const CubeCut& cut = in.cut;
    const auto add = [&](int a, int b, int c) { *out++ = {a, b, c}; };
    for (const CutBrick::Cube& cube : part.brick.cubes) {
        if (isPastDomain(in.grid.cells, cube.c)) continue;
        const VerticesOfCube vertices(in.grid.bricks, cut, all, part, cube.c);
        for (const auto& t : cut.tetrahedra) {
            const auto& p = t.point;
            const TetrahedronCase& found = cases[size_t(cube.liquid[p[0]] | cube.liquid[p[1]] << 1 |
                                                        cube.liquid[p[2]] << 2 | cube.liquid[p[3]] << 3)];
            for (int n = 0; n < found.count; ++n) {
                const auto vertex = [&](int corner) {
                    const CubeCut::Edge& e = cut.edges[t.edge[found.edge[n][corner]]];
                    return vertices.at(e.owner, e.slot);
                };
                add(vertex(0), vertex(1), vertex(2));
            }
        }
        forWalls(in.grid.cells, cube.c, [&](int axis, int side) {
            for (const auto& w : cut.walls[axis][side]) capWall(cut, w, cube, vertices, add);
        });
    }
}

Float3 gradientOfPhi(View3<const float> phi, Float3 p)
{
    const Float3 c = centerIndex(p);
    return {trilinear(phi, c + Float3{1, 0, 0}) - trilinear(phi, c - Float3{1, 0, 0}),
            trilinear(phi, c + Float3{0, 1, 0}) - trilinear(phi, c - Float3{0, 1, 0}),
            trilinear(phi, c + Float3{0, 0, 1}) - trilinear(phi, c - Float3{0, 0, 1})};
}

// Positions, velocities, and normals where phi's gradient is valid; the other normals stay zero.
void writeVertices(const CutInput& in, const ConstMacView& u, const CutBricks::Part& part, SurfaceMesh& mesh)
{
    const float h = float(in.grid.h);
    for (size_t n = 0; n < part.brick.vertices.size(); ++n) {
        const CutBrick::Vertex& vertex = part.brick.vertices[n];
        const size_t v = size_t(part.first_vertex) + n;
        const auto& p = vertex.position_m;
        mesh.positions[v] = {p[0], p[1], p[2]};
        const Float3 x = clampTo({p[0] / h, p[1] / h, p[2] / h}, in.grid.cells), w = velocityAt(u, x);
        mesh.velocities[v] = {w.x, w.y, w.z};
        if (!vertex.follows_phi || std::abs(trilinear(in.phi, centerIndex(x))) >= 0.5f * h) continue;
        Float3 g = gradientOfPhi(in.phi, x);
        if (in.grid.cells.z == 1) g.z = 0;
        const float length = std::sqrt(g.x * g.x + g.y * g.y + g.z * g.z);
        if (length >= 0.2f * h) mesh.normals[v] = {g.x / length, g.y / length, g.z / length};
    }
}

void addFaceNormals(const CutBricks::Part& part, const std::vector<uint8_t>& has_normal, SurfaceMesh& mesh)
{
    const auto at = [&](int v) {
        const auto& p = mesh.positions[size_t(v)];
        return Vec3{p[0], p[1], p[2]};
    };
    for (int n = part.first_triangle; n < part.first_triangle + part.brick.triangles; ++n) {
        const auto& t = mesh.triangles[size_t(n)];
        if (has_normal[size_t(t[0])] && has_normal[size_t(t[1])] && has_normal[size_t(t[2])]) continue;
        const Vec3 normal = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
        for (int v : t)
            if (!has_normal[size_t(v)])
                for (int a = 0; a < 3; ++a) mesh.normals[size_t(v)][size_t(a)] += float(normal[a]);
    }
}

// On walls and solids a vertex normal is the mean of the triangles around it. The triangles of a brick use its own
// vertices and those of the next bricks, so bricks of one parity along each axis never write to the same vertex.
void completeNormals(const CutBricks& cut, SurfaceMesh& mesh)
{
    std::vector<uint8_t> has_normal(mesh.normals.size());
    const auto forParts = [&](const char* label, const auto& f) {
        parallelTasks(label, int(cut.parts.size()), [&](int n) { f(cut.parts[size_t(n)]); });
    };
    const auto forVertices = [&](const CutBricks::Part& part, const auto& f) {
        for (size_t n = 0; n < part.brick.vertices.size(); ++n) f(size_t(part.first_vertex) + n);
    };
    forParts("extract.normals", [&](const CutBricks::Part& part) {
        forVertices(part, [&](size_t v) { has_normal[v] = mesh.normals[v] != std::array<float, 3>{}; });
    });
    for (int parity = 0; parity < 8; ++parity)
        forParts("extract.normals", [&](const CutBricks::Part& part) {
            const Int3 b = part.at;
            if ((b.x & 1) + 2 * (b.y & 1) + 4 * (b.z & 1) == parity) addFaceNormals(part, has_normal, mesh);
        });
    forParts("extract.normals", [&](const CutBricks::Part& part) {
        forVertices(part, [&](size_t v) {
            if (has_normal[v]) return;
            auto& n = mesh.normals[v];
            const Vec3 normal = normalized({n[0], n[1], n[2]});
            n = normal == Vec3{} ? std::array<float, 3>{0, 1, 0}
                                 : std::array<float, 3>{float(normal.x), float(normal.y), float(normal.z)};
        });
    });
}

}  // namespace

SurfaceMesh extractSurface(const Grid& grid, const Solids& solids, const Extraction& how, LiquidState& s)
{
    const SurfaceCorrection none;
    const CutInput in{
        grid, solids, s.phi, cubeCut(how.tetrahedra), how.correction ? *how.correction : none, float(how.overlap_m)};
    const CutBricks cut = cutBricks(in, joined(s.active.list, in.correction.bricks()));
    SurfaceMesh mesh;
    mesh.positions.resize(size_t(cut.vertices));
    mesh.normals.resize(size_t(cut.vertices));
    mesh.velocities.resize(size_t(cut.vertices));
    mesh.triangles.resize(size_t(cut.triangles));
    parallelTasks("extract.write", int(cut.parts.size()), [&](int n) {
        const CutBricks::Part& part = cut.parts[size_t(n)];
        writeVertices(in, s.u, part, mesh);
        writeTriangles(in, cut, part, mesh.triangles.data() + part.first_triangle);
    });
    completeNormals(cut, mesh);
    return mesh;
}

}  // namespace flotsam
