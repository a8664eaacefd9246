#include "liquid/extract.h"

#include <algorithm>

#include "geometry/tetrahedra.h"
#include "liquid/measure.h"

namespace flotsam {

namespace {

// Nodes are cell centres 0 .. n-1, points on the walls at -1 and n, and one more layer outside at -2 and n+1, which is
// air in the same place as the wall: the surface between the two closes the liquid along the wall.
struct Nodes {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    float overlap;

    bool outside(Int3 c) const
    {
        for (int a = 0; a < 3; ++a)
            if (c[a] < -1 || c[a] > grid.cells[a]) return true;
        return false;
    }
    float value(Int3 c) const { return outside(c) ? 1e30f : phiAtNode(grid, solids, phi, overlap, c); }
    Vec3 position(Int3 c) const
    {
        return {nodePosition(grid, 0, c.x), nodePosition(grid, 1, c.y), nodePosition(grid, 2, c.z)};
    }
    uint64_t index(Int3 c) const
    {
        const uint64_t nx = uint64_t(grid.cells.x + 4), ny = uint64_t(grid.cells.y + 4);
        return uint64_t(c.x + 2) + nx * (uint64_t(c.y + 2) + ny * uint64_t(c.z + 2));
    }
    Int3 node(uint64_t index) const
    {
        const uint64_t nx = uint64_t(grid.cells.x + 4), ny = uint64_t(grid.cells.y + 4);
        return {int(index % nx) - 2, int(index / nx % ny) - 2, int(index / (nx * ny)) - 2};
    }
};

// A vertex lies on the edge from a node to the one that `bits` (1..7) away along x, y, z; bits 0: at the node itself,
// on a wall.
uint64_t vertexKey(const Nodes& nodes, Int3 low, int bits, Int3 inner, Int3 outer)
{
    return nodes.outside(outer) ? nodes.index(inner) * 8 : nodes.index(low) * 8 + uint64_t(bits);
}

Int3 cornerOffset(int corner) { return {corner & 1, corner >> 1 & 1, corner >> 2}; }

struct Triangle {
    uint64_t v[3];
};

// The surface in one tetrahedron; corners are those of the cube at c.
void addTetrahedron(const Nodes& nodes, Int3 c, const float (&value)[8], const int (&corners)[4],
                    std::vector<Triangle>& out)
{
    int in[4], air[4], n_in = 0, n_air = 0;
    for (int corner : corners) (value[corner] < 0 ? in[n_in++] : air[n_air++]) = corner;
    if (n_in == 0 || n_air == 0) return;
    const auto key = [&](int a, int b) {  // a in the liquid, b in the air; one's bits contain the other's
        const int low = a & b;
        return vertexKey(nodes, c + cornerOffset(low), a ^ b, c + cornerOffset(a), c + cornerOffset(b));
    };
    // Orientation from the middles of the edges in index space: there even the flat cubes at walls have a shape.
    const auto middle = [&](int a, int b) {
        const Int3 s = cornerOffset(a) + cornerOffset(b);
        return Vec3{double(s.x), double(s.y), double(s.z)};
    };
    Vec3 outwards;
    for (int n = 0; n < n_air; ++n) outwards += middle(air[n], air[n]) / n_air;
    for (int n = 0; n < n_in; ++n) outwards -= middle(in[n], in[n]) / n_in;
    const auto add = [&](std::array<int, 2> p, std::array<int, 2> q, std::array<int, 2> r) {
        Triangle t{{key(p[0], p[1]), key(q[0], q[1]), key(r[0], r[1])}};
        if (t.v[0] == t.v[1] || t.v[1] == t.v[2] || t.v[2] == t.v[0]) return;
        const Vec3 a = middle(p[0], p[1]), normal = cross(middle(q[0], q[1]) - a, middle(r[0], r[1]) - a);
        if (dot(normal, outwards) < 0) std::swap(t.v[1], t.v[2]);
        out.push_back(t);
    };
    if (n_in == 1) {
        add({in[0], air[0]}, {in[0], air[1]}, {in[0], air[2]});
    } else if (n_in == 3) {
        add({in[0], air[0]}, {in[1], air[0]}, {in[2], air[0]});
    } else {
        add({in[0], air[0]}, {in[0], air[1]}, {in[1], air[1]});
        add({in[0], air[0]}, {in[1], air[1]}, {in[1], air[0]});
    }
}

void addTriangles(const Nodes& nodes, IndexBox brick, bool solid, std::vector<Triangle>& out)
{
    const float far = 1.8f * float(nodes.grid.h);
    for (int a = 0; a < 3; ++a) {
        if (brick.lo[a] == 0) brick.lo[a] = -2;
        if (brick.hi[a] == nodes.grid.cells[a]) ++brick.hi[a];
    }
    const IndexBox inner{{0, 0, 0}, nodes.grid.cells - Int3{1, 1, 1}};
    forEachCell(brick, [&](int i, int j, int k) {
        const Int3 c{i, j, k};
        if (!solid && inner.contains(c) && std::abs(nodes.phi(c)) > far) return;
        float value[8];
        int below = 0;
        for (int n = 0; n < 8; ++n) below += (value[n] = nodes.value(c + cornerOffset(n))) < 0;
        if (below == 0 || below == 8) return;
        for (const auto& t : tetrahedra_of_cube) addTetrahedron(nodes, c, value, t, out);
    });
}

std::array<float, 3> toFloat(Vec3 v) { return {float(v.x), float(v.y), float(v.z)}; }

// Where the surface crosses a vertex's edge [m].
Vec3 positionOf(const Nodes& nodes, uint64_t key)
{
    const Int3 a = nodes.node(key / 8);
    if (key % 8 == 0) return nodes.position(a);
    const Int3 b = a + cornerOffset(int(key % 8));
    const double va = nodes.value(a), vb = nodes.value(b), t = va / (va - vb);
    return (1 - t) * nodes.position(a) + t * nodes.position(b);
}

Float3 gradientOfPhi(View3<const float> phi, Float3 p)
{
    const Float3 c = centerIndex(p);
    return {trilinear(phi, c + Float3{1, 0, 0}) - trilinear(phi, c - Float3{1, 0, 0}),
            trilinear(phi, c + Float3{0, 1, 0}) - trilinear(phi, c - Float3{0, 1, 0}),
            trilinear(phi, c + Float3{0, 0, 1}) - trilinear(phi, c - Float3{0, 0, 1})};
}

void addFaceNormals(SurfaceMesh& mesh, std::vector<Vec3>& normals)
{
    const auto at = [&](int v) {
        const auto& p = mesh.positions[size_t(v)];
        return Vec3{p[0], p[1], p[2]};
    };
    for (const auto& t : mesh.triangles) {
        const Vec3 n = cross(at(t[1]) - at(t[0]), at(t[2]) - at(t[0]));
        for (int v : t) normals[size_t(v)] += n;
    }
}

// On the free surface the normal is phi's gradient; on walls and solids, that of the triangles around.
void computeVertexData(const Nodes& nodes, const ConstMacView& u, const std::vector<uint64_t>& keys, SurfaceMesh& mesh)
{
    const double h = nodes.grid.h;
    std::vector<Vec3> face_normals(keys.size());
    addFaceNormals(mesh, face_normals);
    parallelTasks("extract.vertices", int((keys.size() + 4095) / 4096), [&](int chunk) {
        for (size_t v = size_t(chunk) * 4096; v < std::min(keys.size(), size_t(chunk + 1) * 4096); ++v) {
            const auto& p = mesh.positions[v];
            const Float3 x = clampTo({float(p[0] / h), float(p[1] / h), float(p[2] / h)}, nodes.grid.cells);
            const Float3 g = gradientOfPhi(nodes.phi, x), w = velocityAt(u, x);
            Vec3 normal{g.x, g.y, nodes.grid.cells.z == 1 ? 0 : g.z};
            const bool free = keys[v] % 8 != 0 && std::abs(trilinear(nodes.phi, centerIndex(x))) < 0.5 * h;
            if (!free || length(normal) < 0.2 * h) normal = face_normals[v];
            mesh.normals[v] = toFloat(length(normal) > 0 ? normalized(normal) : Vec3{0, 1, 0});
            mesh.velocities[v] = {w.x, w.y, w.z};
        }
    });
}

}  // namespace

SurfaceMesh extractSurface(const Grid& grid, const Solids& solids, double overlap_m, LiquidState& s)
{
    const Nodes nodes{grid, solids, s.phi, float(overlap_m)};
    std::vector<std::vector<Triangle>> of_strip(s.active.strips.size());
    parallelTasks("extract.triangles", int(of_strip.size()), [&](int n) {
        solids.forBricks(s.active.strips[size_t(n)],
                         [&](IndexBox box, bool solid) { addTriangles(nodes, box, solid, of_strip[size_t(n)]); });
    });

    std::vector<uint64_t> keys;
    for (const auto& part : of_strip)
        for (const Triangle& t : part) keys.insert(keys.end(), t.v, t.v + 3);
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());

    SurfaceMesh mesh;
    const auto indexOf = [&](uint64_t key) {
        return int(std::lower_bound(keys.begin(), keys.end(), key) - keys.begin());
    };
    for (const auto& part : of_strip)
        for (const Triangle& t : part) mesh.triangles.push_back({indexOf(t.v[0]), indexOf(t.v[1]), indexOf(t.v[2])});
    mesh.positions.resize(keys.size());
    mesh.normals.resize(keys.size());
    mesh.velocities.resize(keys.size());
    parallelTasks("extract.vertices", int((keys.size() + 4095) / 4096), [&](int chunk) {
        for (size_t v = size_t(chunk) * 4096; v < std::min(keys.size(), size_t(chunk + 1) * 4096); ++v)
            mesh.positions[v] = toFloat(positionOf(nodes, keys[v]));
    });
    computeVertexData(nodes, s.u, keys, mesh);
    return mesh;
}

}  // namespace flotsam
