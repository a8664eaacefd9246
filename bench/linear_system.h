// A pressure system as plain arrays: the input of the rival solvers, and the common measure of every solution.
#pragma once

#include <filesystem>
#include <vector>

#include "core/vec.h"

namespace flotsam {

// (A x)_i = sum over faces of c_f (x_i - x_nb) + tied_i x_i = rhs_i on a box of cells, x fastest. Cells without an
// unknown are zero.
struct LinearSystem {
    explicit LinearSystem(Int3 cells = {});

    size_t size() const { return tied.size(); }
    size_t index(int i, int j, int k) const
    {
        return size_t(i) + size_t(cells.x) * (size_t(j) + size_t(cells.y) * size_t(k));
    }
    // Coupling across the low or high face; zero on the boundary of the box.
    double low(int axis, Int3 c) const { return c[axis] > 0 ? double(coupling[axis][index(c.x, c.y, c.z)]) : 0; }
    double high(int axis, Int3 c) const { return c[axis] + 1 < cells[axis] ? low(axis, c + unit(axis)) : 0; }
    double diagonal(Int3 c) const;  // zero: no unknown

    Int3 cells;
    std::vector<float> coupling[3], tied, rhs;
};

long long countUnknowns(const LinearSystem& system);

// |b - A x| / |b|, in double.
double trueResidual(const LinearSystem& system, const std::vector<double>& x);

// A binary file in native number formats, for the program of a rival solver. Both throw IoError.
void writeSystem(const std::filesystem::path& path, const LinearSystem& system);
LinearSystem readSystem(const std::filesystem::path& path);

}  // namespace flotsam
