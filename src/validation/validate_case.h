// Interface of a validation case: one file validate_<case>.cpp that defines a ValidationCase.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coupling/simulation.h"
#include "validation/carried_surface.h"

namespace flotsam {

// One line of the table: a quantity, its reference, and whether the error is small enough.
struct Finding {
    std::string quantity;
    double measured = 0, reference = 0;
    double error = 0;
    std::optional<double> gate;  // the largest error allowed; none: reported, always passes

    bool pass() const { return !gate || error <= *gate; }  // a NaN fails
};

// error = |measured - reference| / |reference|
Finding relativeFinding(std::string quantity, double measured, double reference, std::optional<double> gate);
// error = |measured - reference|
Finding absoluteFinding(std::string quantity, double measured, double reference, std::optional<double> gate);

struct ValidationCase {
    const char* name;
    std::vector<Finding> (*measure)(const std::filesystem::path& pictures);  // a folder for images; empty: none
};

// A new case is declared here and added to validationCases().
extern const ValidationCase still_water, dam_break, sloshing, zalesak, vortex, enright, treatments, taylor_green,
    poiseuille, couette, two_layer, viscous_fall, rotation_case, heat_mode, erf_front, stefan, heat_carried, incline,
    rolling, slide_to_roll, bounce_case, three_balls, stack, racket, gyroscope, hook, bin, drafts, neutral, added_mass,
    ten_cate_case, dkt_2d, momentum_case, light_case, still_case, leak_case, volume_case, rod_pendulum, double_pendulum,
    spatial_pendulum, four_bar, chain_case, heavy_end, ragdoll, momentum_joints, motor_energy, torque_limit, mesh_edges,
    arch_case, turntable, bowl, calm_case, rest_case, plug_case, tub_case, small_case, welded_case, heave_case,
    honey_ball;

const std::vector<const ValidationCase*>& validationCases();

// Steps a simulation to t_s, calls `observe` after every step, and prints the progress to stderr.
void simulateTo(double t_s, const char* label, Simulation& sim, const std::function<void(const StepReport&)>& observe);

// Advects a surface to t_s in `steps` equal steps from the start.
void carryTo(double t_s, int steps, const char* label, CarriedSurface& surface);

}  // namespace flotsam
