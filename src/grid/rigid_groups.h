// Groups of faces that may move as rigid pieces: small boxes where the liquid ends or its viscosity jumps, of up to
// eight cells where neither is near; each cut into what strong couplings connect.
#pragma once

#include <array>

#include "grid/stress_rows.h"

namespace flotsam {

// Of a face, by each motion of its group: three translations [1], three rotations [cells].
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
        uint8_t motions = 0;   // a bit for each motion that the others do not make
        float middle[3] = {};  // [cells]

        // f(motion, part) for the three motions that a face takes part in: the translation along its axis a, and w x
        // arm, which is w_b arm_c - w_c arm_b along a.
        template <class F>
        void forMotionsOf(int axis, Int3 at, const F& f) const
        {
            const int b = (axis + 1) % 3, c = (axis + 2) % 3;
            f(size_t(axis), 1.0);
            f(size_t(3 + b), double(float(at[c]) + 0.5f - middle[c]));
            f(size_t(3 + c), -double(float(at[b]) + 0.5f - middle[b]));
        }
    };

    // cells: of the box of faces.
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

// f(motion, rank) for the motions that are set.
template <class F>
void forMotions(uint8_t motions, const F& f)
{
    int rank = 0;
    for (int m = 0; m < 6; ++m)
        if (motions >> m & 1) f(size_t(m), rank++);
}

}  // namespace flotsam
