// Means over sealed regions, or over groups of them. The work items are the same for any number of threads, and sums add them in order.
#pragma once

#include <vector>

#include "core/brick_field.h"

namespace flotsam {

// A connected component of cells without a coupling to a known value, where A is singular.
struct SealedPocket {
    struct Run {
        int j, k, begin, end;
    };
    std::vector<Run> runs;  // runs of cells along x
    long long cells = 0;
    double imbalance = 0;  // mean of b that was subtracted: no pressure can balance it
    // Pockets with moving bodies between them share a mean; -1: what moves gives the pocket a definite pressure.
    int group = -1;
};

class PocketMeans {
public:
    // Divides the runs of each region into work items.
    void divide(const std::vector<SealedPocket>& pockets);
    // One mean per region, that of its group; zero for regions without one. Valid until the next call.
    const std::vector<double>& meansOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                                       const BrickField<float>& v);
    // Subtracts from v its mean over each group.
    void subtractMeans(const std::vector<SealedPocket>& pockets, const BrickSlots& slots, BrickField<float>& v);

private:
    struct Piece {
        size_t pocket, first_run, end_run;
    };
    std::vector<Piece> pieces;
    std::vector<double> sums;  // by piece
    std::vector<double> means, group_sums;
    std::vector<long long> group_cells;
};

}  // namespace flotsam
