// What a validation case is made of: one file validate_<case>.cpp that defines a ValidationCase.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "liquid/step.h"
#include "validation/carried_surface.h"

namespace flotsam {

// One line of the table: a quantity, what it should be, and whether it is near enough.
struct Finding {
    std::string quantity;
    double measured = 0, reference = 0;
    double error = 0;
    std::optional<double> gate;  // the largest error allowed; none: reported, and always passed

    bool pass() const { return !gate || error <= *gate; }  // a NaN does not pass
};

// error = |measured - reference| / |reference|
Finding relativeFinding(std::string quantity, double measured, double reference, std::optional<double> gate);
// error = |measured - reference|
Finding absoluteFinding(std::string quantity, double measured, double reference, std::optional<double> gate);

struct ValidationCase {
    const char* name;
    std::vector<Finding> (*measure)(const std::filesystem::path& pictures);  // a folder for what it draws; empty: none
};

// A new case gets its name here and in validationCases().
extern const ValidationCase still_water, dam_break, sloshing, zalesak, vortex, enright, treatments, taylor_green,
    poiseuille, couette, two_layer, viscous_fall, rotation_case, heat_mode, erf_front, stefan, heat_carried, incline,
    rolling, slide_to_roll, bounce_case, stack, racket, gyroscope, hook, bin, drafts, neutral, added_mass,
    ten_cate_case, dkt_2d, momentum_case, light_case, still_case, leak_case, volume_case;

const std::vector<const ValidationCase*>& validationCases();

// Steps a simulation to t_s, calls `observe` after every step, and says on stderr how far it is.
void simulateTo(double t_s, const char* label, Simulation& sim, const std::function<void(const StepReport&)>& observe);

// Carries a surface to t_s, which is `steps` equal steps from the start.
void carryTo(double t_s, int steps, const char* label, CarriedSurface& surface);

}  // namespace flotsam
