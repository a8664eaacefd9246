#include "coupling/rigid_motion.h"

#include <Eigen/Dense>

namespace flotsam {

namespace {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;

// What the unknowns, V and w times size_m, add to a face's speed.
Vector6 rowOf(const BodyFace& f, double size_m)
{
    Vec3 e{};
    e[f.axis] = 1;
    const Vec3 turn = cross(f.lever_m, e) / size_m;  // makes the angular unknowns speeds as well
    Vector6 row;
    row << e.x, e.y, e.z, turn.x, turn.y, turn.z;
    return row;
}

}  // namespace

NormalMatrix normalMatrixOf(const std::vector<BodyFace>& faces, double size_m)
{
    Matrix6 a = Matrix6::Zero();
    for (const BodyFace& f : faces) a.selfadjointView<Eigen::Lower>().rankUpdate(rowOf(f, size_m), double(f.part));
    a.diagonal().array() += 1e-9 * double(faces.size()) + 1e-30;
    NormalMatrix matrix;
    Eigen::Map<Matrix6>(matrix.data()) = a.selfadjointView<Eigen::Lower>();
    return matrix;
}

VelocityChange rigidMotionBeside(const VelocityChange& of, const std::vector<BodyFace>& faces,
                                 const NormalMatrix& matrix, ConstMacView u, double size_m)
{
    Vector6 rhs = Vector6::Zero();
    for (const BodyFace& f : faces) {
        // Its row: the others of the six are zero.
        const double left = double(f.part) * (double(u.u[f.axis](f.at)) - speedAt(of, f));
        const int next = (f.axis + 1) % 3, last = (f.axis + 2) % 3;
        rhs[f.axis] += left;
        rhs[3 + next] += left * (f.lever_m[last] / size_m);
        rhs[3 + last] += left * (-f.lever_m[next] / size_m);
    }
    const Vector6 x = Eigen::Map<const Matrix6>(matrix.data()).selfadjointView<Eigen::Lower>().ldlt().solve(rhs);
    return {{x[0], x[1], x[2]}, Vec3{x[3], x[4], x[5]} / size_m};
}

}  // namespace flotsam
