#include "geometry/tetrahedra.h"

#include <map>

#include "core/check.h"

namespace flotsam {

namespace {

constexpr int ends_of_edge[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};

Vec3 toVec(Int3 p) { return {double(p.x), double(p.y), double(p.z)}; }
Int3 cornerOffset(int corner) { return {corner & 1, corner >> 1 & 1, corner >> 2}; }
Int3 scaled(int s, Int3 p) { return {s * p.x, s * p.y, s * p.z}; }

class CutBuilder {
public:
    CutBuilder(int sub_cubes, bool with_centers)
    {
        const int step = with_centers ? 2 : 1;  // lattice intervals of a sub-cube
        cut.steps = sub_cubes * step;
        for (int n = 0; n < sub_cubes * sub_cubes * sub_cubes; ++n) {
            const Int3 low = scaled(step, {n % sub_cubes, n / sub_cubes % sub_cubes, n / (sub_cubes * sub_cubes)});
            with_centers ? addTwentyFour(low) : addSix(low);
        }
        listPoints();
        for (auto& t : cut.tetrahedra) nameEdges(t);
        for (auto& axis : cut.walls)
            for (auto& side : axis)
                for (auto& t : side) nameWall(t);
    }
    CubeCut cut;

private:
    void addSix(Int3 low)
    {
        for (const auto& t : tetrahedra_of_cube)
            add({low + cornerOffset(t[0]), low + cornerOffset(t[1]), low + cornerOffset(t[2]),
                 low + cornerOffset(t[3])});
    }

    // From the cube centre, the centre of a face and an edge of that face.
    void addTwentyFour(Int3 low)
    {
        const Int3 center = low + Int3{1, 1, 1};
        for (int axis = 0; axis < 3; ++axis)
            for (int side = -1; side <= 1; side += 2) {
                const Int3 s = unit((axis + 1) % 3), t = unit((axis + 2) % 3), face = center + scaled(side, unit(axis));
                const Int3 ring[4] = {face - s - t, face + s - t, face + s + t, face - s + t};
                for (int n = 0; n < 4; ++n) add({center, face, ring[n], ring[(n + 1) % 4]});
            }
    }

    void add(std::array<Int3, 4> p)
    {
        const auto from = [&](int n) { return toVec(p[size_t(n)] - p[0]); };
        if (dot(from(1), cross(from(2), from(3))) < 0) std::swap(p[2], p[3]);
        CubeCut::Tetrahedron t;
        for (size_t n = 0; n < 4; ++n) t.point[n] = uint8_t(cut.index(p[n]));
        cut.tetrahedra.push_back(t);
        // The face opposite to point n, seen from outside.
        constexpr size_t sides[4][3] = {{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}};
        for (int axis = 0; axis < 3; ++axis)
            for (int high = 0; high < 2; ++high)
                for (const auto& f : sides) {
                    const int plane = high ? cut.steps : 0;
                    if (p[f[0]][axis] != plane || p[f[1]][axis] != plane || p[f[2]][axis] != plane) continue;
                    CubeCut::WallTriangle w;
                    for (size_t n = 0; n < 3; ++n) w.point[n] = t.point[f[n]];
                    cut.walls[axis][high].push_back(w);
                }
    }

    void listPoints()
    {
        std::array<bool, CubeCut::most_points> used{};
        for (const auto& t : cut.tetrahedra)
            for (uint8_t p : t.point) used[p] = true;
        for (int n = 0; n < CubeCut::most_points; ++n) {
            if (!used[size_t(n)]) continue;
            cut.used.push_back(uint8_t(n));
            const Int3 p = cut.at(n);
            if (p.x % cut.steps || p.y % cut.steps || p.z % cut.steps) cut.added.push_back(uint8_t(n));
        }
        // Edges before points: their slots come first. All edges of the closed cube, then those that it owns.
        for (const auto& t : cut.tetrahedra)
            for (const auto& e : ends_of_edge) nameEdge(t.point[size_t(e[0])], t.point[size_t(e[1])]);
        for (uint8_t n : cut.used)
            if (ownerOf(n, n) == 0) {
                point_slot[n] = uint16_t(cut.slots());
                cut.points.push_back({n, leavesOf(n, n)});
            }
    }

    // For each axis, whether both points lie on the high side.
    uint8_t ownerOf(int a, int b) const
    {
        const Int3 p = cut.at(a), q = cut.at(b);
        int owner = 0;
        for (int axis = 0; axis < 3; ++axis) owner |= int(p[axis] == cut.steps && q[axis] == cut.steps) << axis;
        return uint8_t(owner);
    }
    uint8_t leavesOf(int a, int b) const
    {
        const Int3 p = cut.at(a), q = cut.at(b);
        int leaves = 0;
        for (int axis = 0; axis < 3; ++axis) leaves |= int(p[axis] != 0 || q[axis] != 0) << axis;
        return uint8_t(leaves);
    }
    uint8_t seenFromOwner(int point, int owner) const
    {
        return uint8_t(cut.index(cut.at(point) - scaled(cut.steps, cornerOffset(owner))));
    }

    uint16_t nameEdge(int a, int b)
    {
        const std::pair<int, int> ends{std::min(a, b), std::max(a, b)};
        if (const auto known = edge_number.find(ends); known != edge_number.end()) return known->second;
        const uint8_t owner = ownerOf(a, b);
        const std::pair<int, int> there{seenFromOwner(ends.first, owner), seenFromOwner(ends.second, owner)};
        const auto [slot, is_new] = edge_slot.try_emplace(there, uint16_t(cut.owned.size()));
        if (is_new)
            cut.owned.push_back({uint8_t(there.first), uint8_t(there.second), leavesOf(there.first, there.second)});
        cut.edges.push_back({uint8_t(ends.first), uint8_t(ends.second), owner, slot->second});
        return edge_number[ends] = uint16_t(cut.edges.size() - 1);
    }

    void nameEdges(CubeCut::Tetrahedron& t)
    {
        for (size_t e = 0; e < 6; ++e)
            t.edge[e] = nameEdge(t.point[size_t(ends_of_edge[e][0])], t.point[size_t(ends_of_edge[e][1])]);
    }

    void nameWall(CubeCut::WallTriangle& w)
    {
        for (size_t n = 0; n < 3; ++n) {
            w.edge[n] = nameEdge(w.point[n], w.point[(n + 1) % 3]);
            w.owner[n] = ownerOf(w.point[n], w.point[n]);
            w.slot[n] = point_slot[seenFromOwner(w.point[n], w.owner[n])];
        }
    }

    std::map<std::pair<int, int>, uint16_t> edge_number, edge_slot;
    std::array<uint16_t, CubeCut::most_points> point_slot{};
};

std::array<TetrahedronCase, 16> makeCases()
{
    constexpr Vec3 corner[4] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    std::array<TetrahedronCase, 16> cases;
    for (int signs = 1; signs < 15; ++signs) {
        TetrahedronCase& c = cases[size_t(signs)];
        int in[4], air[4], n_in = 0, n_air = 0;
        for (int n = 0; n < 4; ++n) (signs >> n & 1 ? in[n_in++] : air[n_air++]) = n;
        Vec3 outwards;
        for (int n = 0; n < n_air; ++n) outwards += corner[air[n]] / n_air;
        for (int n = 0; n < n_in; ++n) outwards -= corner[in[n]] / n_in;
        const auto edge = [](int a, int b) {
            int e = 0;
            while (ends_of_edge[e][0] != std::min(a, b) || ends_of_edge[e][1] != std::max(a, b)) ++e;
            return uint8_t(e);
        };
        const auto middle = [&](int e) { return 0.5 * (corner[ends_of_edge[e][0]] + corner[ends_of_edge[e][1]]); };
        const auto add = [&](uint8_t p, uint8_t q, uint8_t r) {
            if (dot(cross(middle(q) - middle(p), middle(r) - middle(p)), outwards) < 0) std::swap(q, r);
            uint8_t(&t)[3] = c.edge[c.count++];
            t[0] = p, t[1] = q, t[2] = r;
        };
        if (n_in == 1) {
            add(edge(in[0], air[0]), edge(in[0], air[1]), edge(in[0], air[2]));
        } else if (n_in == 3) {
            add(edge(in[0], air[0]), edge(in[1], air[0]), edge(in[2], air[0]));
        } else {
            add(edge(in[0], air[0]), edge(in[0], air[1]), edge(in[1], air[1]));
            add(edge(in[0], air[0]), edge(in[1], air[1]), edge(in[1], air[0]));
        }
    }
    return cases;
}

}  // namespace

const CubeCut& cubeCut(int tetrahedra)
{
    static const CubeCut six = CutBuilder(1, false).cut, twenty_four = CutBuilder(1, true).cut,
                         forty_eight = CutBuilder(2, false).cut, most = CutBuilder(2, true).cut;
    FLOTSAM_CHECK(isCubeCut(tetrahedra), ==, true);
    return tetrahedra == 6 ? six : tetrahedra == 24 ? twenty_four : tetrahedra == 48 ? forty_eight : most;
}

const std::array<TetrahedronCase, 16>& tetrahedronCases()
{
    static const std::array<TetrahedronCase, 16> cases = makeCases();
    return cases;
}

}  // namespace flotsam
