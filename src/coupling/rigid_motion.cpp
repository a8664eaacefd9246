#include "coupling/rigid_motion.h"

#include <Eigen/Dense>
#include <cmath>

namespace flotsam {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// Coefficients of the unknowns in the speed of a face: V, and w times size_m (so that all are speeds). 1 for V along
// its axis, (lever x e) / size_m for w, with two nonzero entries.
struct Row {
    Row(const BodyFace& f, double size_m)
        : axis(f.axis),
          next(3 + (f.axis + 1) % 3),
          last(3 + (f.axis + 2) % 3),
          of_next(f.lever_m[last - 3] / size_m),
          of_last(-f.lever_m[next - 3] / size_m)
    {
    }

    int axis, next, last;
    double of_next, of_last;
};

}  // namespace

NormalMatrix normalMatrixOf(const std::vector<BodyFace>& faces, double size_m)
{
    Matrix6 a = Matrix6::Zero();  // below the diagonal
    for (const BodyFace& f : faces) {
        const Row row(f, size_m);
        const double fraction = double(f.fraction);
        a(row.axis, row.axis) += fraction;
        // fma fixes the rounding, as in the products below: compilers fuse only products that are used once.
        a(row.next, row.axis) = std::fma(fraction, row.of_next, a(row.next, row.axis));
        a(row.last, row.axis) = std::fma(fraction, row.of_last, a(row.last, row.axis));
        a(row.next, row.next) += fraction * row.of_next * row.of_next;
        a(row.last, row.last) += fraction * row.of_last * row.of_last;
        if (row.next < row.last)
            a(row.last, row.next) += fraction * row.of_next * row.of_last;
        else
            a(row.next, row.last) += fraction * row.of_last * row.of_next;
    }
    a.diagonal().array() += 1e-9 * double(faces.size()) + 1e-30;
    NormalMatrix matrix;
    Eigen::Map<Matrix6>(matrix.data()) = a.selfadjointView<Eigen::Lower>();
    return matrix;
}

VelocityChange fitResidualRigidMotion(const VelocityChange& of, const std::vector<BodyFace>& faces,
                                      const NormalMatrix& matrix, ConstMacView u, double size_m)
{
    Vector6 rhs = Vector6::Zero();
    for (const BodyFace& f : faces) {
        const Row row(f, size_m);
        const double left = double(f.fraction) * (double(u.u[f.axis](f.at)) - speedAt(of, f));
        rhs[row.axis] += left;
        rhs[row.next] += left * row.of_next;
        rhs[row.last] += left * row.of_last;
    }
    const Vector6 x = Eigen::Map<const Matrix6>(matrix.data()).selfadjointView<Eigen::Lower>().ldlt().solve(rhs);
    return {{x[0], x[1], x[2]}, Vec3{x[3], x[4], x[5]} / size_m};
}

}  // namespace flotsam
