// bodies.csv: one row a body a step.
#pragma once

#include <string>

#include "rigid/world.h"

namespace flotsam {

inline constexpr char bodies_header[] =
    "step,t_s,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,wet\n";

// Numbers with the digits that give the same double again.
std::string bodyRows(int step, const RigidWorld& world);

}  // namespace flotsam
