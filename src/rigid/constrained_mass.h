// The inverse mass of bodies with constraints enforced: docs/methods/joints.md, section 3.
//
// Applied to impulses f it solves
//     M dv = f + J^T l,       J dv + S l = 0
// for rows J of joints and of contacts that act, and compliances S. One sparse factorisation of J M^-1 J^T + S serves
// any number of impulses.
#pragma once

#include <Eigen/Dense>
#include <memory>
#include <span>
#include <vector>

#include "rigid/joint_rows.h"

namespace flotsam {

// A constraint between two bodies; world_body or an index beyond the moving ones: does not move.
struct HeldRow {
    int a = 0, b = world_body;
    ConstraintRow row;
    double compliance = 0;
    int pair = -1;  // of a contact: the index of its pair
};

class ConstrainedMass {
public:
    using Vector6 = Eigen::Matrix<double, 6, 1>;
    using Matrix6 = Eigen::Matrix<double, 6, 6>;

    // inverse_mass: by moving body, any symmetric matrices: those of the bodies alone, or with added mass.
    void factor(std::span<const HeldRow> rows, std::span<const Matrix6> inverse_mass);
    // One impulse and one change per moving body.
    void apply(std::span<const Impulse> impulses, std::span<VelocityChange> changes) const;
    // l, one number per row.
    std::vector<double> impulsesOfRows(std::span<const Impulse> impulses) const;

    // M^-1 of a body.
    const Matrix6& inverseOf(size_t body) const { return inverse[body]; }
    // The rows, scaled: N with N M^-1 N^T + S of diagonal 1, by the bodies that they act on.
    size_t rowCount() const;
    struct Entry {
        int row;
        Vector6 on_body;  // the impulse on the body per unit impulse of the row
    };
    std::vector<Entry> scaledRows(size_t body) const;
    // N M^-1 N^T + S, its lower half.
    struct Element {
        int row, column;
        double value;
    };
    std::vector<Element> scaledResponse() const;

private:
    std::vector<Vector6> withoutRows(std::span<const Impulse> impulses) const;
    Eigen::VectorXd rowImpulses(const std::vector<Vector6>& free) const;

    std::vector<Matrix6> inverse;
    std::vector<std::vector<Entry>> of_body;
    struct Response;
    std::shared_ptr<const Response> response;  // null without rows; never changed, so that copies may share it
};

}  // namespace flotsam
