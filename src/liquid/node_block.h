// phi at the nodes around the cubes of a brick, and the signs of complete rows; used for the volume and for the
// surface. Nodes are the cell centres 0 .. n-1 and points on the walls at -1 and n. The cubes between them fill the
// domain; those at walls are half as wide. Cube c has its lowest node at c.
#pragma once

#include "liquid/solids.h"
#include "liquid/state.h"

namespace flotsam {

// Position of a node along an axis [m].
inline double nodePosition(const Grid& grid, int axis, int c)
{
    return c < 0 ? 0 : c >= grid.cells[axis] ? grid.h * grid.cells[axis] : grid.h * (c + 0.5);
}

class NodeBlock {
public:
    // The cubes of a brick: those whose lowest node is one of its cells and, at low boundaries of the domain, those
    // that start on the wall.
    static IndexBox cubesOf(IndexBox brick)
    {
        for (int a = 0; a < 3; ++a) brick.lo[a] -= brick.lo[a] == 0;
        return brick;
    }

    // Loads the nodes of the cubes with lo <= c < hi, which may reach from -1 to one past the domain; there, nodes
    // repeat those on the wall. With near_solid, `solid` is the signed distance to solids minus overlap_m, or -1e30 far
    // from them.
    void load(const Grid& grid, const Solids& solids, View3<const float> phi_field, IndexBox cubes, bool near_solid,
              float overlap_m);
    // Sets phi to max(phi, solid): negative in liquid outside solids.
    void combine();

    View3<const float> phi, solid;  // [m]; indices are those of the grid
    bool has_solid = false;

private:
    static constexpr Int3 most = Bricks::side + Int3{3, 3, 3};
    View3<float> into(float* values) const;

    IndexBox nodes;
    float phi_values[product(most)], solid_values[product(most)];
};

// Bit n: values[n] < 0; count is at most 32.
inline uint32_t negativeBits(const float* values, int count)
{
    uint32_t bits = 0;
    for (int n = 0; n < count; ++n) bits |= uint32_t(values[n] < 0) << n;
    return bits;
}

// The signs at the nodes of a row of cubes along x, one bit per cube: some node is negative, all eight are.
struct RowSigns {
    uint32_t any, all;
};

// The signs of all nodes of the cubes in a box, one word per row.
class NodeSigns {
public:
    NodeSigns(View3<const float> v, IndexBox cubes_) : cubes(cubes_)
    {
        for (int k = cubes.lo.z; k <= cubes.hi.z; ++k)
            for (int j = cubes.lo.y; j <= cubes.hi.y; ++j)
                bits(j, k) = negativeBits(v.row(j, k) + cubes.lo.x, cubes.hi.x - cubes.lo.x + 1);
    }
    RowSigns ofCubes(int j, int k) const
    {
        const uint32_t a = bits(j, k), b = bits(j + 1, k), c = bits(j, k + 1), d = bits(j + 1, k + 1);
        const uint32_t row = (1u << (cubes.hi.x - cubes.lo.x)) - 1, some = a | b | c | d, every = a & b & c & d;
        return {(some | some >> 1) & row, every & every >> 1 & row};
    }

private:
    static constexpr int most = 11;  // rows of nodes along y and z: eight of a brick, and three at both walls
    uint32_t& bits(int j, int k) { return words[(j - cubes.lo.y) + most * (k - cubes.lo.z)]; }
    uint32_t bits(int j, int k) const { return words[(j - cubes.lo.y) + most * (k - cubes.lo.z)]; }

    IndexBox cubes;
    uint32_t words[most * most];
};

}  // namespace flotsam
