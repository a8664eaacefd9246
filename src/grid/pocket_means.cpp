#include "grid/pocket_means.h"

#include "core/parallel.h"

namespace flotsam {

namespace {

constexpr int cells_per_piece = 8192;  // a tank of 64^3 cells has 32 pieces

// f(offset) for the cells of a range of runs, in order.
template <class F>
void forCells(const SealedPocket& pocket, size_t first_run, size_t end_run, const BrickSlots& slots, const F& f)
{
    for (size_t r = first_run; r < end_run; ++r) {
        const SealedPocket::Run& run = pocket.runs[r];
        for (int i = run.begin; i < run.end; ++i) f(slots.index(i, run.j, run.k));
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

const std::vector<double>& PocketMeans::meansOf(const std::vector<SealedPocket>& pockets, const BrickSlots& slots,
                                                const BrickField<float>& v)
{
    parallelTasks("pressure.means", int(pieces.size()), [&](int n) {
        const Piece& piece = pieces[size_t(n)];
        double sum = 0;
        forCells(pockets[piece.pocket], piece.first_run, piece.end_run, slots,
                 [&](size_t at) { sum += double(v.data()[at]); });
        sums[size_t(n)] = sum;
    });
    group_sums.assign(pockets.size(), 0);
    group_cells.assign(pockets.size(), 0);
    for (size_t n = 0; n < pieces.size(); ++n)
        if (const int group = pockets[pieces[n].pocket].group; group >= 0) group_sums[size_t(group)] += sums[n];
    for (const SealedPocket& pocket : pockets)
        if (pocket.group >= 0) group_cells[size_t(pocket.group)] += pocket.cells;
    means.assign(pockets.size(), 0);
    for (size_t n = 0; n < pockets.size(); ++n)
        if (const int group = pockets[n].group; group >= 0)
            means[n] = group_sums[size_t(group)] / double(group_cells[size_t(group)]);
    return means;
}

void PocketMeans::subtractMeans(const std::vector<SealedPocket>& pockets, const BrickSlots& slots, BrickField<float>& v)
{
    meansOf(pockets, slots, v);
    parallelTasks("pressure.means", int(pieces.size()), [&](int n) {
        const Piece& piece = pieces[size_t(n)];
        const float mean = float(means[piece.pocket]);
        forCells(pockets[piece.pocket], piece.first_run, piece.end_run, slots,
                 [&](size_t at) { v.data()[at] -= mean; });
    });
}

}  // namespace flotsam
