// The first half of surface extraction: where the surface crosses the edges of the cubes of a brick. Bricks are
// independent of each other here.
#pragma once

#include <bitset>

#include "geometry/tetrahedra.h"
#include "liquid/node_block.h"
#include "liquid/surface_correction.h"

namespace flotsam {

// Input shared by all bricks.
struct CutInput {
    const Grid& grid;
    const Solids& solids;
    View3<const float> phi;
    const CubeCut& cut;
    const SurfaceCorrection& correction;
    float overlap_m;
};

// The vertices of one brick. The vertex in a slot of a cube is number `first + number[slot]`.
struct CutBrick {
    struct Vertex {
        float position_m[3];
        bool follows_phi;  // else its normal is not phi's gradient: it is on a wall, or particles moved it
    };
    struct Cube {
        Int3 c;
        int first;                                 // of its vertices
        std::bitset<CubeCut::most_points> liquid;  // by point
    };

    IndexBox owners;               // cubes that own slots here; one past the domain at its high boundaries
    std::vector<int16_t> cube_at;  // in `cubes`, or -1; empty where there is no surface
    std::vector<Cube> cubes;
    std::vector<uint8_t> numbers;  // by cube and slot; undefined where there is no vertex
    std::vector<Vertex> vertices;
    int triangles = 0;

    int find(Int3 c) const
    {
        const Int3 at = c - owners.lo, size = owners.size();
        return cube_at.empty() ? -1 : cube_at[size_t(at.x + size.x * (at.y + size.y * at.z))];
    }
};

CutBrick cutBrick(const CutInput& in, int brick);

// f(axis, side) for the walls that are faces of a cube.
template <class F>
void forWalls(Int3 cells, Int3 cube, const F& f)
{
    for (int a = 0; a < 3; ++a) {
        if (cube[a] == -1) f(a, 0);
        if (cube[a] == cells[a] - 1) f(a, 1);
    }
}
// Cubes one past the domain own the vertices on its high walls; nothing lies inside them.
inline bool isPastDomain(Int3 cells, Int3 cube) { return cube.x == cells.x || cube.y == cells.y || cube.z == cells.z; }

}  // namespace flotsam
