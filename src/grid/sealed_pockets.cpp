#include "grid/sealed_pockets.h"

#include <numeric>

namespace flotsam {

namespace {

// A run of consecutively coupled cells along x.
struct Run {
    int j, k, begin, end;
    bool has_known;  // some cell is coupled to a known value: d > 0
};

struct Sets {
    explicit Sets(size_t n) : parent(n) { std::iota(parent.begin(), parent.end(), 0); }
    int find(int a)
    {
        while (parent[size_t(a)] != a) a = parent[size_t(a)] = parent[size_t(parent[size_t(a)])];
        return a;
    }
    // The smaller index stays the root: the result does not depend on the order of joins.
    void join(int a, int b)
    {
        a = find(a), b = find(b);
        parent[size_t(std::max(a, b))] = std::min(a, b);
    }
    std::vector<int> parent;
};

void appendRuns(const PoissonLevel& level, int j, int k, std::vector<Run>& runs)
{
    const float *inv = level.inverse.data(), *cx = level.coupling[0].data(), *d = level.d.data();
    const int n = level.slots.bricks.cells.x;
    bool joined = false;  // whether the last run may continue
    for (int i = 0; i < n; ++i) {
        const size_t q = level.slots.index(i, j, k);
        if (q < BrickSlots::cells_per_brick) i |= Bricks::side.x - 1;  // no unknown in this brick
        if (inv[q] == 0) {
            joined = false;
            continue;
        }
        if (!joined || cx[q] == 0) runs.push_back({j, k, i, i, false});
        joined = true;
        runs.back().end = i + 1;
        runs.back().has_known |= d[q] > 0;
    }
}

// Joins the runs of two neighbouring rows where a cell of the upper one, a, is coupled across its low face.
void joinRows(const PoissonLevel& level, int axis, const Run* a, const Run* a_end, const Run* b, const Run* b_end,
              const Run* first, Sets& sets)
{
    const float* c = level.coupling[axis].data();
    while (a < a_end && b < b_end) {
        const int lo = std::max(a->begin, b->begin), hi = std::min(a->end, b->end);
        for (int i = lo; i < hi; ++i)
            if (c[level.slots.index(i, a->j, a->k)] > 0) {
                sets.join(int(a - first), int(b - first));
                break;
            }
        (a->end < b->end ? a : b)++;
    }
}

}  // namespace

std::vector<SealedPocket> findSealedPockets(const PoissonLevel& level)
{
    const Int3 n = level.slots.bricks.cells;
    // Only rows that cross a listed brick contain unknowns.
    std::vector<uint8_t> row_used(size_t(level.slots.bricks.count.y) * size_t(level.slots.bricks.count.z), 0);
    for (int brick : level.slots.list) {
        const Int3 b = level.slots.bricks.at(brick);
        row_used[size_t(b.y + level.slots.bricks.count.y * b.z)] = 1;
    }
    std::vector<std::vector<Run>> of_plane(size_t(n.z));
    parallelTasks("pressure.pockets", n.z, [&](int k) {
        for (int j = 0; j < n.y; ++j)
            if (row_used[size_t(j / Bricks::side.y + level.slots.bricks.count.y * (k / Bricks::side.z))])
                appendRuns(level, j, k, of_plane[size_t(k)]);
    });
    std::vector<Run> runs;
    for (const auto& plane : of_plane) runs.insert(runs.end(), plane.begin(), plane.end());
    std::vector<int> row_begin(size_t(n.y) * size_t(n.z) + 1, 0);
    for (const Run& run : runs) ++row_begin[size_t(run.j + n.y * run.k) + 1];
    std::partial_sum(row_begin.begin(), row_begin.end(), row_begin.begin());

    Sets sets(runs.size());
    const Run* first = runs.data();
    for (int k = 0; k < n.z; ++k)
        for (int j = 0; j < n.y; ++j) {
            const size_t row = size_t(j + n.y * k);
            if (row_begin[row] == row_begin[row + 1]) continue;
            const Run *a = first + row_begin[row], *a_end = first + row_begin[row + 1];
            if (j > 0) joinRows(level, 1, a, a_end, first + row_begin[row - 1], first + row_begin[row], first, sets);
            if (k > 0) {
                const size_t back = row - size_t(n.y);
                joinRows(level, 2, a, a_end, first + row_begin[back], first + row_begin[back + 1], first, sets);
            }
        }

    std::vector<uint8_t> has_known(runs.size(), 0);
    for (size_t r = 0; r < runs.size(); ++r)
        if (runs[r].has_known) has_known[size_t(sets.find(int(r)))] = 1;
    std::vector<int> pocket_of(runs.size(), -1);
    std::vector<SealedPocket> pockets;
    for (size_t r = 0; r < runs.size(); ++r) {
        const size_t root = size_t(sets.find(int(r)));
        if (has_known[root]) continue;
        if (pocket_of[root] < 0) {
            pocket_of[root] = int(pockets.size());
            pockets.emplace_back();
        }
        SealedPocket& pocket = pockets[size_t(pocket_of[root])];
        pocket.runs.push_back({runs[r].j, runs[r].k, runs[r].begin, runs[r].end});
        pocket.cells += runs[r].end - runs[r].begin;
    }
    return pockets;
}

}  // namespace flotsam
