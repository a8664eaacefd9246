#include <fmt/format.h>
#include <unistd.h>

#include <cmath>

#include "core/time_loop.h"
#include "validation/validate_case.h"

namespace flotsam {

const std::vector<const ValidationCase*>& validationCases()
{
    static const std::vector<const ValidationCase*> cases{
        &still_water,  &dam_break,     &sloshing,        &zalesak,          &vortex,
        &enright,      &treatments,    &taylor_green,    &poiseuille,       &couette,
        &two_layer,    &viscous_fall,  &rotation_case,   &heat_mode,        &erf_front,
        &stefan,       &heat_carried,  &incline,         &rolling,          &slide_to_roll,
        &bounce_case,  &stack,         &racket,          &gyroscope,        &hook,
        &bin,          &drafts,        &neutral,         &added_mass,       &ten_cate_case,
        &dkt_2d,       &momentum_case, &light_case,      &still_case,       &leak_case,
        &volume_case,  &rod_pendulum,  &double_pendulum, &spatial_pendulum, &four_bar,
        &chain_case,   &heavy_end,     &ragdoll,         &momentum_joints,  &motor_energy,
        &torque_limit, &mesh_edges,    &arch_case,       &three_balls,      &turntable,
        &bowl,         &calm_case,     &rest_case,       &plug_case,        &tub_case,
        &small_case,   &welded_case,   &heave_case,      &honey_ball};
    return cases;
}

Finding relativeFinding(std::string quantity, double measured, double reference, std::optional<double> gate)
{
    return {std::move(quantity), measured, reference, std::abs(measured - reference) / std::abs(reference), gate};
}

Finding absoluteFinding(std::string quantity, double measured, double reference, std::optional<double> gate)
{
    return {std::move(quantity), measured, reference, std::abs(measured - reference), gate};
}

namespace {

// One line per tenth of the run; on a terminal a single line with a counter.
class ProgressLine {
public:
    ProgressLine(const char* label_, double seconds_)
        : label(label_), seconds(seconds_), terminal(isatty(STDERR_FILENO))
    {
    }
    ~ProgressLine()
    {
        if (terminal) fmt::print(stderr, "\r\x1b[K");
    }
    ProgressLine(const ProgressLine&) = delete;
    ProgressLine& operator=(const ProgressLine&) = delete;

    void show(double t_s, int step)
    {
        const int tenth = int(10 * t_s / seconds + 1e-9);
        if (terminal)
            fmt::print(stderr, "\r{}: {:3.0f} %, t = {:.4f} s, step {}\x1b[K", label, 100 * t_s / seconds, t_s, step);
        else if (tenth != shown)
            fmt::print(stderr, "{}: {} %, t = {:.4f} s, step {}\n", label, 10 * tenth, t_s, step);
        shown = tenth;
    }

private:
    const char* label;
    double seconds;
    bool terminal;
    int shown = 0;
};

}  // namespace

void simulateTo(double t_s, const char* label, Simulation& sim, const std::function<void(const StepReport&)>& observe)
{
    ProgressLine progress(label, t_s);
    advanceTo(t_s, sim, [&](const StepReport& step) {
        observe(step);
        progress.show(sim.liquid.state.t_s, sim.liquid.state.step);
    });
}

void carryTo(double t_s, int steps, const char* label, CarriedSurface& surface)
{
    ProgressLine progress(label, t_s);
    while (surface.state.step < steps) {
        surface.step((t_s - surface.state.t_s) / (steps - surface.state.step));
        progress.show(surface.state.t_s, surface.state.step);
    }
}

}  // namespace flotsam
