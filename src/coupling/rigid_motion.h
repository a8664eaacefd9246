// The rigid motion in a part of the velocity field.
#pragma once

#include <array>
#include <vector>

#include "coupling/body_raster.h"

namespace flotsam {

// What the body's faces have beside the rigid motion `of`, as a rigid motion: the least squares
//   sum over faces of part (u_f - (V + w x r) . e_f)^2
// whose normal equations say that it has the momentum and the angular momentum of the body's part of the field: thesis
// eqs. 77, 78 and table 7 with eq. 83's mass, on faces. Directions that no face tells anything of get none.
// Their matrix, by rows, knows the faces alone: a step makes it once.
using NormalMatrix = std::array<double, 36>;
NormalMatrix normalMatrixOf(const std::vector<BodyFace>& faces, double size_m);
VelocityChange fitResidualRigidMotion(const VelocityChange& of, const std::vector<BodyFace>& faces,
                                      const NormalMatrix& matrix, ConstMacView u, double size_m);

inline double speedAt(const VelocityChange& motion, const BodyFace& face)
{
    return (motion.v_m_s + cross(motion.w_rad_s, face.lever_m))[face.axis];
}

}  // namespace flotsam
