// Cubes split into tetrahedra: 6 (thesis figure 33), 24, 48 or 192 (thesis 6.4), as tables for surface extraction. Bits
// 0, 1 and 2 of a corner number are its x, y and z. Neighbouring cubes split their shared face in the same way, so the
// surface has no cracks.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/vec.h"

namespace flotsam {

// Six around the main diagonal.
inline constexpr int tetrahedra_of_cube[6][4] = {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7},
                                                 {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}};

// One split of a cube. Its points lie on a lattice of (steps + 1)^3 over the closed cube. An edge or point shared by
// several cubes is owned by the one that is highest along every axis, so that it has one name: the owner and a slot
// there. Low faces belong to the cube itself, high faces to the next one.
struct CubeCut {
    static constexpr int most_points = 125;

    struct Edge {
        uint8_t low, high;  // points, in lattice order
        uint8_t owner;      // offset of the owner, as a corner
        uint16_t slot;
    };
    struct Tetrahedron {
        std::array<uint8_t, 4> point;  // p1 - p0, p2 - p0, p3 - p0 are right-handed
        std::array<uint16_t, 6> edge;  // 01 02 03 12 13 23
    };
    struct WallTriangle {
        std::array<uint8_t, 3> point;  // counter-clockwise seen from outside
        std::array<uint16_t, 3> edge;  // 01 12 20
        std::array<uint8_t, 3> owner;  // of the points
        std::array<uint16_t, 3> slot;
    };
    struct OwnedEdge {
        uint8_t low, high;
        uint8_t leaves;  // bit a: one of its points lies off the cube's low face across axis a
    };
    struct OwnedPoint {
        uint8_t point;
        uint8_t leaves;
    };

    int steps = 1;                   // lattice intervals along an edge of the cube
    std::vector<uint8_t> added;      // points other than corners
    std::vector<uint8_t> used;       // corners and added points
    std::vector<Edge> edges;         // of the closed cube
    std::vector<OwnedEdge> owned;    // slots 0 ..
    std::vector<OwnedPoint> points;  // slots owned.size() ..: a vertex where such a point is liquid and on a wall
    std::vector<Tetrahedron> tetrahedra;
    std::vector<WallTriangle> walls[3][2];  // of the cube's faces: [axis][low, high]

    int side() const { return steps + 1; }
    int index(Int3 p) const { return p.x + side() * (p.y + side() * p.z); }
    Int3 at(int point) const { return {point % side(), point / side() % side(), point / (side() * side())}; }
    size_t slots() const { return owned.size() + points.size(); }
};

// 6, 24, 48 or 192.
const CubeCut& cubeCut(int tetrahedra);
constexpr bool isCubeCut(int tetrahedra)
{
    return tetrahedra == 6 || tetrahedra == 24 || tetrahedra == 48 || tetrahedra == 192;
}

// The surface in a tetrahedron by the signs of its points (bit n: point n is liquid): triangles of edges (in the order
// of CubeCut), counter-clockwise seen from the air.
struct TetrahedronCase {
    int count = 0;
    uint8_t edge[2][3] = {};
};
const std::array<TetrahedronCase, 16>& tetrahedronCases();

}  // namespace flotsam
