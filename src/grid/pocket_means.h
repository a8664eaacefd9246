// Means over sealed pockets. The pieces of work are the same for any number of threads, and sums add them in order.
#pragma once

#include <vector>

#include "core/brick_field.h"

namespace flotsam {

// Cells that are connected to each other and to no known value: there A is singular.
struct SealedPocket {
    struct Run {
        int j, k, begin, end;
    };
    std::vector<Run> runs;  // of cells along x
    long long cells = 0;
    double imbalance = 0;  // mean of b that was taken out: what no pressure can balance
};

class PocketMeans {
public:
    // Divides the runs of each pocket into pieces of work.
    void divide(const std::vector<SealedPocket>& pockets);
    // By pocket; valid until the next call.
    const std::vector<double>& meansOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                                       const BrickField<float>& v);
    // v less its mean over each pocket.
    void subtractMeans(const std::vector<SealedPocket>& pockets, const BrickSlots& slots, BrickField<float>& v);

private:
    struct Piece {
        size_t pocket, first_run, end_run;
    };
    std::vector<Piece> pieces;
    std::vector<double> sums;  // by piece
    std::vector<double> means;
};

}  // namespace flotsam
