// bodies.csv: one row per body and step.
#pragma once

#include <span>
#include <string>

#include "coupling/simulation.h"

namespace flotsam {

// The velocity is the one that moved the body to its current position. After `wet`: the impulses that led to it, linear
// [N s] and angular [N m s] about the centre of mass; pressure and viscosity are from the fluid solve before the move.
// Between two rows the momentum of a body changes by the sum of the five.
inline constexpr char bodies_header[] =
    "step,t_s,name,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,wx_rad_s,wy_rad_s,wz_rad_s,wet,"
    "pressure_x_N_s,pressure_y_N_s,pressure_z_N_s,viscosity_x_N_s,viscosity_y_N_s,viscosity_z_N_s,"
    "contact_x_N_s,contact_y_N_s,contact_z_N_s,gravity_x_N_s,gravity_y_N_s,gravity_z_N_s,"
    "pressure_x_N_m_s,pressure_y_N_m_s,pressure_z_N_m_s,viscosity_x_N_m_s,viscosity_y_N_m_s,viscosity_z_N_m_s,"
    "contact_x_N_m_s,contact_y_N_m_s,contact_z_N_m_s,"
    "joint_x_N_s,joint_y_N_s,joint_z_N_s,joint_x_N_m_s,joint_y_N_m_s,joint_z_N_m_s\n";

// Numbers have enough digits to read back the same double. impulses: by moving body, or none at the start.
std::string bodyRows(const Simulation& sim, std::span<const StepImpulses> impulses = {});

}  // namespace flotsam
