// joints.csv: one row per joint and step.
#pragma once

#include <string>

#include "rigid/world.h"

namespace flotsam {

// Angles are of a hinge, or of the entire rotation of the other kinds; the last columns but one are of sliders, whose
// angles are 0. Forces, torques and power are means over the step; t and f act on the second body at its anchor.
inline constexpr char joints_header[] =
    "step,t_s,name,angle_deg,target_deg,error_deg,rate_rad_s,torque_N_m,tx_N_m,ty_N_m,tz_N_m,fx_N,fy_N,fz_N,"
    "gap_m,tilt_deg,power_W,limited,position_m,target_m,error_m,rate_m_s,force_N,broken\n";

// Numbers have enough digits to read back the same double. Targets and errors of joints without a target are nan.
std::string jointLines(int step, const RigidWorld& world);

}  // namespace flotsam
