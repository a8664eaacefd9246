// Pressure modes of a body, the fields near it that its motions cause: docs/methods/coupling.md, section 2.
#pragma once

#include <Eigen/Dense>
#include <vector>

#include "coupling/body_flow.h"

namespace flotsam {

// The six motions of a body, that with the largest added mass relative to the mass of the body first.
struct AddedMass {
    using Matrix6 = Eigen::Matrix<double, 6, 6>;

    Matrix6 flows;          // J^T times a column is the flow out of the cells
    double ratios[6] = {};  // added mass over mass, estimated; descending
    int countAbove(double ratio) const;
};

// z approximates A^-1 J^T f for some of these columns f, in a box around the body, scaled so that z . A z = 1.
struct BodyModes {
    IndexBox box;               // A z is zero outside it; so is z in its outermost layer within the domain
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
// inverse_mass: of the body, times the mass of a full cell of liquid.
AddedMass addedMass(const std::vector<BodyEntry>& entries, const AddedMass::Matrix6& inverse_mass,
                    const PoissonLevel& level);
// The modes of the first `count` motions.
void fillModes(const std::vector<BodyEntry>& entries, const AddedMass& motions, int count, const PoissonLevel& level,
               BodyModes& modes);

}  // namespace flotsam
