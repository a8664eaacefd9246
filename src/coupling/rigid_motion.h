// Fits a rigid motion to the velocity field of a region.
#pragma once

#include <array>
#include <vector>

#include "coupling/body_raster.h"

namespace flotsam {

// Fits a rigid motion to the velocities of the body's faces relative to the rigid motion `of`: minimises the sum over
// faces of fraction (u_f - (V + w x r) . e_f)^2. By its normal equations the fit has the momentum and the angular
// momentum of the field in the body: thesis eqs. 77, 78 and table 7 with the mass of eq. 83, on faces. Directions that
// no face constrains get zero. The normal matrix (by rows) depends on the faces alone and is built once per step.
using NormalMatrix = std::array<double, 36>;
NormalMatrix normalMatrixOf(const std::vector<BodyFace>& faces, double size_m);
VelocityChange fitResidualRigidMotion(const VelocityChange& of, const std::vector<BodyFace>& faces,
                                      const NormalMatrix& matrix, ConstMacView u, double size_m);

inline double speedAt(const VelocityChange& motion, const BodyFace& face)
{
    return (motion.v_m_s + cross(motion.w_rad_s, face.lever_m))[face.axis];
}

}  // namespace flotsam
