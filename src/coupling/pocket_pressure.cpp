#include "coupling/pocket_pressure.h"

#include <algorithm>

namespace flotsam {

namespace {

// Runs are in the order of planes, rows and cells.
bool contains(const SealedPocket& pocket, Int3 c)
{
    const auto run = std::partition_point(pocket.runs.begin(), pocket.runs.end(), [&](const SealedPocket::Run& r) {
        return r.k != c.z ? r.k < c.z : r.j != c.y ? r.j < c.y : r.end <= c.x;
    });
    return run != pocket.runs.end() && run->k == c.z && run->j == c.y && run->begin <= c.x;
}

bool groupContains(const std::vector<SealedPocket>& pockets, int group, Int3 c)
{
    return std::any_of(pockets.begin(), pockets.end(),
                       [&](const SealedPocket& p) { return p.group == group && contains(p, c); });
}

// f(cell, its slot) for the cells of the pockets of a group.
template <class F>
void forCellsOf(const std::vector<SealedPocket>& pockets, int group, const PoissonLevel& level, const F& f)
{
    for (const SealedPocket& pocket : pockets) {
        if (pocket.group != group) continue;
        for (const SealedPocket::Run& run : pocket.runs)
            for (int i = run.begin; i < run.end; ++i) f(Int3{i, run.j, run.k}, level.slots.index(i, run.j, run.k));
    }
}

}  // namespace

void settlePockets(Vec3 gravity_m_s, PoissonSolver& solver)
{
    const std::vector<SealedPocket>& pockets = solver.sealedPockets();
    const PoissonLevel& level = solver.fine();
    double* q = solver.solution().data();
    for (int group = 0; group < int(pockets.size()); ++group) {
        double sum = 0, least = 0;
        int links = 0;
        const auto link = [&](Int3 c, size_t at, int axis, int side) {
            const Int3 e = unit(axis), other = side ? c + e : c - e;
            if (other[axis] < 0 || other[axis] >= level.slots.bricks.cells[axis]) return;
            const size_t there = level.slots.index(other.x, other.y, other.z);
            const float open = level.coupling[axis].data()[side ? there : at];
            if (open > 0 || level.inverse.data()[there] == 0 || groupContains(pockets, group, other)) return;
            sum += q[there] + (side ? -1 : 1) * gravity_m_s[axis] - q[at];
            ++links;
        };
        forCellsOf(pockets, group, level, [&](Int3 c, size_t at) {
            least = std::min(least, q[at]);
            for (int axis = 0; axis < 3; ++axis)
                for (int side = 0; side < 2; ++side) link(c, at, axis, side);
        });
        const double shift = links > 0 ? sum / links : -least;
        forCellsOf(pockets, group, level, [&](Int3, size_t at) { q[at] += shift; });
    }
}

}  // namespace flotsam
