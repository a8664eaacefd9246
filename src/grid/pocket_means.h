// Means over sealed regions, or over groups of them. The work items are the same for any number of threads, and sums
// add them in order.
#pragma once

#include <Eigen/Dense>
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
    // Projection onto what no pressure can balance: `means` maps the sums of v over the regions of a group to the
    // values to subtract there. For a region that is sealed by itself it is 1 / cells.
    struct Group {
        std::vector<int> regions;
        Eigen::MatrixXd means;
    };
    void setGroups(std::vector<Group> sealed) { groups = std::move(sealed); }
    Eigen::VectorXd sumsOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                           const BrickField<float>& v);
    Eigen::VectorXd meansOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                            const BrickField<float>& v);
    void subtractMeans(const std::vector<SealedPocket>& pockets, const BrickSlots& slots, BrickField<float>& v);

private:
    struct Piece {
        size_t pocket, first_run, end_run;
    };
    std::vector<Piece> pieces;
    std::vector<double> sums;  // by piece
    std::vector<Group> groups;
};

}  // namespace flotsam
