// Groups of faces that may move as rigid pieces: small boxes near the boundary of the liquid and jumps of its
// viscosity, boxes of up to eight cells elsewhere. Each box is split into components connected by strong couplings.
#pragma once

#include <array>

#include "grid/stress_rows.h"

namespace flotsam {

// The motions of a group at one face: three translations [1], three rotations [cells].
using Motion = std::array<double, 6>;

struct RigidGroups {
    struct Face {
        uint32_t index;  // of the slots
        int axis;
        Int3 at;
    };
    struct Group {
        int first_face = 0, faces = 0;
        int first_unknown = 0;
        uint8_t motions = 0;   // one bit for each linearly independent motion
        float middle[3] = {};  // its centre [cells]

        // f(motion, coefficient) for the three motions that move a face: the translation along its axis a, and w x arm,
        // which is w_b arm_c - w_c arm_b along a.
        template <class F>
        void forMotionsOf(int axis, Int3 at, const F& f) const
        {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            f(size_t(axis), 1.0);
            f(size_t(3 + b), double(float(at[c]) + 0.5f - middle[c]));
            f(size_t(3 + c), -double(float(at[b]) + 0.5f - middle[b]));
        }
    };

    // cells: the size of the box of faces.
    explicit RigidGroups(Int3 cells);
    void make(const StressRows& rows, int least_side);  // 1, 2, 4 or 8 cells

    std::vector<Face> faces;  // group by group
    std::vector<Group> groups;
    BrickField<int> of_face[3];  // number + 1; 0: none
    int unknowns = 0;

private:
    struct OfBrick;
    void gather(const std::vector<OfBrick>& of_brick);

    Int3 cells;
};

// f(motion, rank) for the motions whose bit is set.
template <class F>
void forMotions(uint8_t motions, const F& f)
{
    int rank = 0;
    for (int m = 0; m < 6; ++m)
        if (motions >> m & 1) f(size_t(m), rank++);
}

}  // namespace flotsam
