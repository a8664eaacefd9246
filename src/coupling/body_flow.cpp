#include "coupling/body_flow.h"

#include <algorithm>

namespace flotsam {

void BodyFlow::assemble(const CoveredFaces& faces, const std::vector<const BodyObstacle*>& bodies, const Solids& solids,
                        View3<const float> phi, const PoissonLevel& level)
{
    rows.assign(bodies.size(), {});
    continued.clear();
    ClosedRows closed;
    const auto add = [&](size_t body, Int3 cell, const Vector6& row) {
        const size_t index = level.slots.index(cell.x, cell.y, cell.z);
        if (level.inverse.data()[index] > 0) {
            rows[body].push_back({index, row});
        } else if (phi(cell) < 0 || solids.isClosed(cell)) {
            auto [at, is_new] = closed.try_emplace({keyOf(cell), body}, Vector6::Zero());
            at->second += row;
        }
    };
    for (const CoveredFaces::Covered& c : faces.covered) {
        const Vector6 row = c.part * c.row;
        if (!c.is_below_buried) add(c.body, c.at - unit(c.axis), row);
        if (!c.is_above_buried) add(c.body, c.at, -row);
    }
    dropDryClosedCells(solids, phi, closed);
    const bool any =
        std::any_of(closed.begin(), closed.end(), [](const auto& entry) { return entry.second.norm() > 1e-6; });
    if (any) mergeClosedCells(closed, solids, phi, level);
    mergeEntries();
}

// A cell that a thin body closes has a pressure where all of its faces are wet or closed boundaries of the domain, so
// that the rows of all bodies and of those boundaries add up to zero: it then acts between bodies, or between a body
// and the floor. Otherwise it stands for the air behind the body, at zero pressure.
void BodyFlow::dropDryClosedCells(const Solids& solids, View3<const float> phi, ClosedRows& closed) const
{
    for (auto first = closed.begin(), last = first; first != closed.end(); first = last) {
        const size_t key = first->first.first;
        Vector6 total = Vector6::Zero();
        for (last = first; last != closed.end() && last->first.first == key; ++last) total += last->second;
        const Int3 cell = cellOf(key);
        for (int axis = 0; axis < 3; ++axis) {
            if (cell[axis] == 0 && !grid.open[axis][0]) total[axis] -= 1;
            if (cell[axis] + 1 == grid.cells[axis] && !grid.open[axis][1]) total[axis] += 1;
        }
        if (phi(cell) < 0 || !solids.isClosed(cell) || total.head<3>().norm() < 1e-6) continue;
        closed.erase(first, last);
    }
}

// The thin liquid between bodies that touch, or between a body and the floor, has cells without an open face. The flow
// into and out of them passes through the nearest cell that has one, and their pressure is that of it, hydrostatically
// continued. With no pressure there, the water above would press bodies onto the floor and onto each other, and no body
// would ever rise from it.
void BodyFlow::mergeClosedCells(const ClosedRows& closed, const Solids& solids, View3<const float> phi,
                                const PoissonLevel& level)
{
    std::set<size_t> is_covered;
    for (const auto& [where, row] : closed) is_covered.insert(where.first);
    const auto isUnknown = [&](Int3 c) { return level.inverse.data()[level.slots.index(c.x, c.y, c.z)] > 0; };
    const auto forNeighbours = [&](Int3 c, const auto& f) {
        for (int n = 0; n < 6; ++n) {
            const Int3 q = n & 1 ? c + unit(n / 2) : c - unit(n / 2);
            if (IndexBox{{0, 0, 0}, grid.cells}.contains(q) && (phi(q) < 0 || solids.isClosed(q))) f(q);
        }
    };
    // From the cells with unknowns outwards, in rounds: each closed cell takes over the cell of the first neighbour.
    std::map<size_t, Int3> source;
    std::vector<size_t> reached;
    for (const size_t key : is_covered) {
        forNeighbours(cellOf(key), [&](Int3 q) {
            if (isUnknown(q) && source.emplace(key, q).second) reached.push_back(key);
        });
    }
    for (size_t n = 0; n < reached.size(); ++n) {
        const Int3 from = source.at(reached[n]);
        forNeighbours(cellOf(reached[n]), [&](Int3 q) {
            const size_t key = keyOf(q);
            if (!isUnknown(q) && is_covered.count(key) && source.emplace(key, from).second) reached.push_back(key);
        });
    }
    for (const auto& [where, row] : closed) {
        const auto at = source.find(where.first);
        if (row.norm() < 1e-6 || at == source.end()) continue;
        const Int3 q = at->second;
        rows[where.second].push_back({level.slots.index(q.x, q.y, q.z), row});
        continued.push_back({where.second, cellOf(where.first) - q, row});
    }
}

// One entry for each cell.
void BodyFlow::mergeEntries()
{
    for (std::vector<BodyEntry>& list : rows) {
        std::stable_sort(list.begin(), list.end(),
                         [](const BodyEntry& a, const BodyEntry& b) { return a.cell < b.cell; });
        size_t count = 0;
        for (size_t n = 0; n < list.size(); ++n)
            if (count > 0 && list[count - 1].cell == list[n].cell)
                list[count - 1].row += list[n].row;
            else
                list[count++] = list[n];
        list.resize(count);
    }
}

}  // namespace flotsam
