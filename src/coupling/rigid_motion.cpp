#include "coupling/rigid_motion.h"

#include <Eigen/Dense>

namespace flotsam {

VelocityChange rigidMotionBeside(const VelocityChange& of, const std::vector<BodyFace>& faces, ConstMacView u,
                                 double size_m)
{
    using Vector6 = Eigen::Matrix<double, 6, 1>;
    using Matrix6 = Eigen::Matrix<double, 6, 6>;
    Matrix6 a = Matrix6::Zero();
    Vector6 rhs = Vector6::Zero();
    for (const BodyFace& f : faces) {
        Vec3 e{};
        e[f.axis] = 1;
        const Vec3 turn = cross(f.lever_m, e) / size_m;  // makes the angular unknowns speeds as well
        Vector6 row;
        row << e.x, e.y, e.z, turn.x, turn.y, turn.z;
        const double part = double(f.part);
        a.selfadjointView<Eigen::Lower>().rankUpdate(row, part);
        rhs += part * (double(u.u[f.axis](f.at)) - speedAt(of, f)) * row;
    }
    a.diagonal().array() += 1e-9 * double(faces.size()) + 1e-30;
    const Vector6 x = a.selfadjointView<Eigen::Lower>().ldlt().solve(rhs);
    return {{x[0], x[1], x[2]}, Vec3{x[3], x[4], x[5]} / size_m};
}

}  // namespace flotsam
