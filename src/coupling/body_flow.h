// J by cells, the flow of the bodies out of them: docs/methods/coupling.md, section 2.
#pragma once

#include <map>
#include <set>

#include "coupling/covered_faces.h"
#include "grid/poisson.h"

namespace flotsam {

// The row of a cell for one body.
struct BodyEntry {
    using Vector6 = Eigen::Matrix<double, 6, 1>;

    size_t cell;  // by slots of the pressure
    Vector6 row;
};

class BodyFlow {
public:
    using Vector6 = BodyEntry::Vector6;
    // A row at a cell whose pressure is that of another one, `way` cells from it, hydrostatically continued.
    struct Continued {
        size_t body;
        Int3 way;
        Vector6 row;
    };

    explicit BodyFlow(const Grid& grid_) : grid(grid_) {}

    void assemble(const CoveredFaces& faces, const std::vector<const BodyObstacle*>& bodies, const Solids& solids,
                  View3<const float> phi, const PoissonLevel& level);

    std::vector<std::vector<BodyEntry>> rows;  // by body, ordered by cell
    std::vector<Continued> continued;

private:
    using ClosedRows = std::map<std::pair<size_t, size_t>, Vector6>;  // by cell and body

    void dropDryClosedCells(const Solids& solids,
                            View3<const float> phi, ClosedRows& closed) const;
    void mergeClosedCells(const ClosedRows& closed, const Solids& solids, View3<const float> phi,
                          const PoissonLevel& level);
    void mergeEntries();
    Int3 cellOf(size_t key) const
    {
        const size_t nx = size_t(grid.cells.x), ny = size_t(grid.cells.y);
        return {int(key % nx), int(key / nx % ny), int(key / nx / ny)};
    }
    size_t keyOf(Int3 c) const
    {
        return size_t(c.x) + size_t(grid.cells.x) * (size_t(c.y) + size_t(grid.cells.y) * size_t(c.z));
    }

    const Grid& grid;
};

}  // namespace flotsam
