// Pressure fields near a body that its light directions of motion cause: docs/methods/coupling.md, section 2.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "grid/poisson.h"

namespace flotsam {

// An entry of J: the row of a cell for one body.
struct BodyEntry {
    using Vector6 = Eigen::Matrix<double, 6, 1>;

    size_t cell;  // by slots of the pressure
    Vector6 row;
};

// The directions of motion in which liquid moves along with a body, lightest first.
struct LightDirections {
    using Matrix6 = Eigen::Matrix<double, 6, 6>;

    Matrix6 impulses;  // columns: J^T times them is the flow of the body
    int count = 0;
    double largest_ratio = 0;  // of added mass to mass, estimated
};

// z approximates A^-1 J^T f for each of these directions f, in a box around the body, scaled so that z . A z = 1.
struct BodyModes {
    IndexBox box;               // A z is zero outside; z is zero in its outermost layer as well
    int count = 0, stride = 0;  // modes; floats per cell
    std::vector<float> z, az;   // by cell of the box

    size_t rowAt(int j, int k) const  // of the first cell of a row
    {
        const Int3 n = box.size();
        return size_t(n.x) * (size_t(j - box.lo.y) + size_t(n.y) * size_t(k - box.lo.z)) * size_t(stride);
    }
};

Int3 cellAt(const BrickSlots& slots, size_t index);
// The smallest box that contains the cells of a body.
IndexBox boxOf(const std::vector<BodyEntry>& entries, const BrickSlots& slots);
// inverse_mass: of the body, in masses of a full cell of liquid.
LightDirections lightDirections(const std::vector<BodyEntry>& entries, const LightDirections::Matrix6& inverse_mass,
                                const PoissonLevel& level);
void fillModes(const std::vector<BodyEntry>& entries, const LightDirections& directions, const PoissonLevel& level,
               BodyModes& modes);

}  // namespace flotsam
