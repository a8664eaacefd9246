// bodies.csv: one row a body a step.
#pragma once

#include <span>
#include <string>

#include "coupling/immersed_bodies.h"
#include "rigid/world.h"

namespace flotsam {

// The velocity is the one that brought the body where it is. After `wet`: the impulses that made it what it is, linear
// [N s] and angular [N m s] about the centre of mass; those of pressure and viscosity are from the solve before the
// move. Between two rows a body's momentum changes by the sum of the four.
inline constexpr char bodies_header[] =
    "step,t_s,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,wet,"
    "pressure_x_N_s,pressure_y_N_s,pressure_z_N_s,viscosity_x_N_s,viscosity_y_N_s,viscosity_z_N_s,"
    "contact_x_N_s,contact_y_N_s,contact_z_N_s,gravity_x_N_s,gravity_y_N_s,gravity_z_N_s,"
    "pressure_x_N_m_s,pressure_y_N_m_s,pressure_z_N_m_s,viscosity_x_N_m_s,viscosity_y_N_m_s,viscosity_z_N_m_s,"
    "contact_x_N_m_s,contact_y_N_m_s,contact_z_N_m_s\n";

// Numbers with the digits that give the same double again. impulses: by moving body, or none at the start.
std::string bodyRows(int step, const RigidWorld& world, std::span<const StepImpulses> impulses = {});

}  // namespace flotsam
