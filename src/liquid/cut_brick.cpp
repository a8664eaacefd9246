#include "liquid/cut_brick.h"

#include <bit>
#include <optional>

namespace flotsam {

namespace {

// Vertices keep at least this fraction of their edge from its ends: where phi is zero at a node, the vertices around it
// would coincide and give triangles without area. A thousandth of a cell is invisible and still well above rounding.
constexpr double margin = 1e-3;

using Points = std::array<float, CubeCut::most_points>;

// Values at the lattice points from those at the corners. Only by halving, along x, then y, then z: a point on a face
// gets the same bits from the cubes on either side.
void interpolate(View3<const float> nodes, Int3 c, int steps, Points& v)
{
    const int side = steps + 1, stride[3] = {1, side, side * side};
    for (int n = 0; n < 8; ++n) {
        const Int3 o{n & 1, n >> 1 & 1, n >> 2};
        v[size_t(steps * (o.x + side * (o.y + side * o.z)))] = nodes(c + o);
    }
    for (int half = steps / 2; half > 0; half /= 2) {
        int step[3] = {2 * half, 2 * half, 2 * half};
        for (int a = 0; a < 3; ++a) {
            step[a] = half;
            int start[3] = {0, 0, 0};
            start[a] = half;
            int skip[3] = {step[0], step[1], step[2]};
            skip[a] = 2 * half;
            for (int z = start[2]; z <= steps; z += skip[2])
                for (int y = start[1]; y <= steps; y += skip[1])
                    for (int x = start[0]; x <= steps; x += skip[0]) {
                        const int p = x + side * (y + side * z);
                        v[size_t(p)] = 0.5f * (v[size_t(p - half * stride[a])] + v[size_t(p + half * stride[a])]);
                    }
        }
    }
}

class Cutter {
public:
    Cutter(const CutInput& in_, int brick) : in(in_)
    {
        const IndexBox box = in.grid.bricks.box(brick);
        out.owners = NodeBlock::cubesOf(box);
        for (int a = 0; a < 3; ++a) out.owners.hi[a] += box.hi[a] == in.grid.cells[a];
        nodes.load(in.grid, in.solids, in.phi, out.owners, in.solids.touches(box.lo), in.overlap_m);
        phi_signs.emplace(nodes.phi, out.owners);
        if (nodes.has_solid) solid_signs.emplace(nodes.solid, out.owners);
        const BrickList& reached = in.correction.bricks();
        correct = std::binary_search(reached.begin(), reached.end(), brick);
    }

    CutBrick run()
    {
        for (int k = out.owners.lo.z; k < out.owners.hi.z; ++k)
            for (int j = out.owners.lo.y; j < out.owners.hi.y; ++j)
                for (uint32_t row = candidates(j, k); row != 0; row &= row - 1)
                    cutCube({out.owners.lo.x + std::countr_zero(row), j, k});
        return std::move(out);
    }

private:
    // Cubes of a row that may contain surface: phi changes sign, or liquid meets a wall.
    uint32_t candidates(int j, int k) const
    {
        const int lo = out.owners.lo.x, count = out.owners.hi.x - lo;
        const Int3 last = in.grid.cells - Int3{1, 1, 1};
        const uint32_t row = (1u << count) - 1;
        uint32_t corrected = 0;
        if (correct)
            for (int n = 0; n < count; ++n) corrected |= uint32_t(in.correction.mayCorrect({lo + n, j, k})) << n;
        uint32_t wall = j < 0 || k < 0 || j >= last.y || k >= last.z ? row : 0;
        if (lo < 0) wall |= 1;
        if (out.owners.hi.x > last.x) wall |= row & ~((1u << (last.x - lo)) - 1);
        const RowSigns liquid = phi_signs->ofCubes(j, k);
        if (!nodes.has_solid) return (liquid.any & (~liquid.all | wall)) | corrected;
        // There may be liquid between a node in the air and one in a solid.
        const RowSigns open = solid_signs->ofCubes(j, k);
        return (liquid.any & open.any & (~(liquid.all & open.all) | wall)) | corrected;
    }

    // Computes phi at the points of the cut, and where it was corrected.
    void computeValues(Int3 c)
    {
        interpolate(nodes.phi, c, in.cut.steps, value);
        moved.reset();
        if (correct)
            for (uint8_t p : in.cut.added) {
                const Vec3 x_m = positionOf(in.cut.at(p));
                const Int3 o = in.cut.at(p);
                const float part = 1.0f / float(in.cut.steps), h = float(in.grid.h);
                const float before = value[p];
                value[p] = in.correction.corrected(
                    {float(c.x) + part * float(o.x), float(c.y) + part * float(o.y), float(c.z) + part * float(o.z)},
                    {float(x_m.x) / h, float(x_m.y) / h, float(x_m.z) / h}, before);
                moved[p] = value[p] != before;
            }
        if (!nodes.has_solid) return;
        Points solid;
        interpolate(nodes.solid, c, in.cut.steps, solid);
        for (uint8_t p : in.cut.used) value[p] = solid[p] > value[p] ? solid[p] : value[p];
    }

    Vec3 positionOf(Int3 lattice) const
    {
        Vec3 x;
        for (int a = 0; a < 3; ++a) x[a] = low[a] + step[a] * lattice[a];
        return x;
    }

    void placeLattice(Int3 c)
    {
        for (int a = 0; a < 3; ++a) {
            low[a] = nodePosition(in.grid, a, c[a]);
            step[a] = (nodePosition(in.grid, a, c[a] + 1) - low[a]) / in.cut.steps;
        }
    }

    void cutCube(Int3 c)
    {
        placeLattice(c);
        computeValues(c);
        CutBrick::Cube cube{c, int(out.vertices.size()), {}};
        for (uint8_t p : in.cut.used) cube.liquid[p] = value[p] < 0;
        if (cube.liquid.none()) return;

        const size_t slots = in.cut.slots(), start = out.numbers.size();
        out.numbers.resize(start + slots);
        uint8_t* number = out.numbers.data() + start;
        addCrossings(c, cube, number);
        addWallPoints(c, cube, number + in.cut.owned.size());
        const int triangles = isPastDomain(in.grid.cells, c) ? 0 : countTriangles(c, cube);
        if (triangles == 0 && int(out.vertices.size()) == cube.first) {
            out.numbers.resize(start);
            return;
        }
        out.triangles += triangles;
        if (out.cube_at.empty()) out.cube_at.assign(size_t(product(out.owners.size())), -1);
        const Int3 at = c - out.owners.lo, size = out.owners.size();
        out.cube_at[size_t(at.x + size.x * (at.y + size.y * at.z))] = int16_t(out.cubes.size());
        out.cubes.push_back(cube);
    }

    int pastAxes(Int3 c) const
    {
        const Int3 n = in.grid.cells;
        return int(c.x == n.x) | int(c.y == n.y) << 1 | int(c.z == n.z) << 2;
    }

    void addCrossings(Int3 c, const CutBrick::Cube& cube, uint8_t* number)
    {
        const int past = pastAxes(c);
        for (size_t slot = 0; slot < in.cut.owned.size(); ++slot) {
            const CubeCut::OwnedEdge e = in.cut.owned[slot];
            if (cube.liquid[e.low] == cube.liquid[e.high] || (e.leaves & past)) continue;
            number[slot] = uint8_t(int(out.vertices.size()) - cube.first);
            const double a = value[e.low], b = value[e.high], t = std::clamp(a / (a - b), margin, 1 - margin);
            const Vec3 x = (1 - t) * positionOf(in.cut.at(e.low)) + t * positionOf(in.cut.at(e.high));
            out.vertices.push_back({{float(x.x), float(x.y), float(x.z)}, !moved[e.low] && !moved[e.high]});
        }
    }

    void addWallPoints(Int3 c, const CutBrick::Cube& cube, uint8_t* number)
    {
        const int past = pastAxes(c);
        const int on_wall = past | int(c.x == -1) | int(c.y == -1) << 1 | int(c.z == -1) << 2;
        if (!on_wall) return;
        for (size_t n = 0; n < in.cut.points.size(); ++n) {
            const CubeCut::OwnedPoint p = in.cut.points[n];
            if (!cube.liquid[p.point] || (p.leaves & past) || !(on_wall & ~p.leaves)) continue;
            number[n] = uint8_t(int(out.vertices.size()) - cube.first);
            const Vec3 x = positionOf(in.cut.at(p.point));
            out.vertices.push_back({{float(x.x), float(x.y), float(x.z)}, false});
        }
    }

    int countTriangles(Int3 c, const CutBrick::Cube& cube) const
    {
        static constexpr int of_tetrahedron[5] = {0, 1, 2, 1, 0}, of_wall[4] = {0, 1, 2, 1};
        int count = 0;
        for (const auto& t : in.cut.tetrahedra)
            count += of_tetrahedron[cube.liquid[t.point[0]] + cube.liquid[t.point[1]] + cube.liquid[t.point[2]] +
                                    cube.liquid[t.point[3]]];
        forWalls(in.grid.cells, c, [&](int axis, int side) {
            for (const auto& w : in.cut.walls[axis][side])
                count += of_wall[cube.liquid[w.point[0]] + cube.liquid[w.point[1]] + cube.liquid[w.point[2]]];
        });
        return count;
    }

    const CutInput& in;
    bool correct = false;  // whether particles reach this brick
    NodeBlock nodes;
    std::optional<NodeSigns> phi_signs, solid_signs;
    Points value{};
    std::bitset<CubeCut::most_points> moved;
    Vec3 low, step;  // lattice of the cube [m]
    CutBrick out;
};

}  // namespace

CutBrick cutBrick(const CutInput& in, int brick) { return Cutter(in, brick).run(); }

}  // namespace flotsam
