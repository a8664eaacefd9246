#include "grid/pocket_means.h"

#include <algorithm>

#include "core/lanes.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

constexpr int cells_per_piece = 8192;  // a tank of 64^3 cells has 32 pieces

// f(offset, count) for the rows of cells of a range of runs, brick by brick, in order.
template <class F>
void forRows(const SealedPocket& pocket, size_t first_run, size_t end_run, const BrickSlots& slots, const F& f)
{
    for (size_t r = first_run; r < end_run; ++r) {
        const SealedPocket::Run& run = pocket.runs[r];
        for (int i = run.begin, end; i < run.end; i = end) {
            end = std::min(run.end, (i / Bricks::side.x + 1) * Bricks::side.x);
            f(slots.index(i, run.j, run.k), end - i);
        }
    }
}

}  // namespace

void PocketMeans::divide(const std::vector<SealedPocket>& pockets)
{
    pieces.clear();
    for (size_t n = 0; n < pockets.size(); ++n) {
        const auto& runs = pockets[n].runs;
        for (size_t r = 0; r < runs.size();) {
            const size_t first = r;
            for (int cells = 0; r < runs.size() && cells < cells_per_piece; ++r) cells += runs[r].end - runs[r].begin;
            pieces.push_back({n, first, r});
        }
    }
    sums.resize(pieces.size());
}

Eigen::VectorXd PocketMeans::sumsOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                                    const BrickField<float>& v)
{
    parallelTasks("pressure.means", int(pieces.size()), [&](int n) {
        const Piece& piece = pieces[size_t(n)];
        LaneSum sum;
        double rest = 0;
        forRows(pockets[piece.pocket], piece.first_run, piece.end_run, slots, [&](size_t at, int count) {
            const float* from = v.data() + at;
            int i = 0;
            for (; i + 8 <= count; i += 8) sum.add(load(from + i));
            for (; i < count; ++i) rest += double(from[i]);
        });
        sums[size_t(n)] = sum.total() + rest;
    });
    Eigen::VectorXd total = Eigen::VectorXd::Zero(Eigen::Index(pockets.size()));
    for (size_t n = 0; n < pieces.size(); ++n) total[Eigen::Index(pieces[n].pocket)] += sums[n];
    return total;
}

Eigen::VectorXd PocketMeans::meansOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                                     const BrickField<float>& v)
{
    const Eigen::VectorXd total = sumsOf(pockets, slots, v);
    Eigen::VectorXd means = Eigen::VectorXd::Zero(total.size());
    for (const Group& group : groups) means(group.regions) = group.means * total(group.regions);
    return means;
}

void PocketMeans::subtractMeans(const std::vector<SealedPocket>& pockets, const BrickSlots& slots, BrickField<float>& v)
{
    const Eigen::VectorXd means = meansOf(pockets, slots, v);
    parallelTasks("pressure.means", int(pieces.size()), [&](int n) {
        const Piece& piece = pieces[size_t(n)];
        const float mean = float(means[Eigen::Index(piece.pocket)]);
        forRows(pockets[piece.pocket], piece.first_run, piece.end_run, slots, [&](size_t at, int count) {
            float* to = v.data() + at;
            for (int i = 0; i < count; ++i) to[i] -= mean;
        });
    });
}

}  // namespace flotsam
