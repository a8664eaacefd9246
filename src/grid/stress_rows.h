// The rows of A of the full stress, one face at a time: for callers that need entries and not products.
#pragma once

#include "grid/poisson.h"

namespace flotsam {

// The three components of a system, and K of its edges: see StressSolver.
struct StressSystem {
    PoissonSolver* component;
    BrickField<float>* edge;
};

struct StressRows {
    explicit StressRows(const StressSystem& s) : system(s), slots(s.component[0].fine().slots) {}

    size_t index(Int3 c) const { return slots.index(c.x, c.y, c.z); }
    const PoissonLevel& level(int axis) const { return system.component[axis].fine(); }
    float coupling(int axis, int along, Int3 c) const { return level(axis).coupling[along].data()[index(c)]; }
    float diagonalAt(int axis, size_t n) const
    {
        const float inverse = level(axis).inverse.data()[n];
        return inverse > 0 ? 1 / inverse : 0;
    }

    // f(axis, face, value) for the off-diagonal entries in the row of a face; returns the diagonal.
    template <class F>
    double forEntries(int a, Int3 c, const F& f) const
    {
        double diagonal = double(level(a).d.data()[index(c)]);
        for (int along = 0; along < 3; ++along)
            for (int side = 0; side < 2; ++side) {
                const Int3 high = side ? c + unit(along) : c;
                const double k = double(coupling(a, along, high));
                if (k == 0) continue;
                diagonal += k;
                f(a, side ? high : c - unit(along), -k);
            }
        for (int turn = 1; turn < 3; ++turn)
            for (int side = 0; side < 2; ++side) {
                const int b = (a + turn) % 3;
                const Int3 high = side ? c + unit(b) : c;
                const double k = (side ? -1 : 1) * double(system.edge[3 - a - b].data()[index(high)]);
                if (k == 0) continue;
                f(b, high, k);
                f(b, high - unit(a), -k);
            }
        return diagonal;
    }

    StressSystem system;
    const BrickSlots& slots;
};

}  // namespace flotsam
