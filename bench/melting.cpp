// bench melting: complete runs of the scenes of thesis table 6, in seconds per frame and as a multiple of the time to
// read and write the liquid once at memory bandwidth.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/benchmark.h"
#include "bench/dam_break.h"
#include "core/error.h"

namespace flotsam {

namespace {

struct Case {
    const char* scene;
    double thesis_s_per_frame;  // on a Pentium 4 of 2 GHz, without surface extraction
};
constexpr Case cases[] = {{"green_liquid_1", 145. / 300}, {"green_liquid_2", 104. / 300}, {"green_liquid_3", 94. / 300},
                          {"green_liquid_4", 94. / 300},  {"toothpaste", 108. / 330},     {"bunny_melt", 330. / 600},
                          {"drip_sand", 397. / 750}};

// Velocity and phi of a cell read once and written once, with temperature and viscosity if they vary.
double bytesPerCell(const Scene& scene) { return 2 * sizeof(float) * (scene.heat.on ? 6 : 4); }

Scene sceneOf(const Case& c)
{
    const std::filesystem::path file = std::filesystem::path(FLOTSAM_SCENES) / fmt::format("{}.toml", c.scene);
    if (!std::filesystem::exists(file))
        throw IoError(fmt::format(
            "{} is missing; bench melting reads the scenes of the source folder it was built from", file.string()));
    return loadScene(file.string());
}

Json measure(const Machine& machine, const Case& c)
{
    const Scene scene = sceneOf(c);
    Simulation sim(scene);
    const int frames = frameCount(scene.time);
    double seconds = 0, floor_s = 0, iterations = 0, worst_volume = 0, viscous_s = 0;
    int steps = 0, unconverged = 0;
    Profile profile;
    const ProfileScope scope(profile);
    while (sim.liquid.state.t_s < frames / scene.time.fps * (1 - 1e-9)) {
        StepReport step;
        seconds += secondsOf([&] { step = stepTowardsFrame(sim); });
        ++steps;
        floor_s += double(step.liquid.liquid_cells) * bytesPerCell(scene) / machine.bandwidth_B_s;
        iterations += step.viscosity.iterations;
        unconverged += !step.viscosity.converged;
        if (sim.liquid.state.volume_target_m3 > 0)
            worst_volume =
                std::max(worst_volume, std::abs(step.liquid.volume_m3 / sim.liquid.state.volume_target_m3 - 1));
    }
    const auto stages = profile.byStage();
    if (const auto found = stages.find("viscosity"); found != stages.end()) viscous_s = found->second;
    return {{"name", fmt::format("melting/{}", c.scene)}, {"frames", frames},
            {"seconds_per_frame", seconds / frames},      {"thesis_seconds_per_frame", c.thesis_s_per_frame},
            {"steps_per_frame", double(steps) / frames},  {"times_bandwidth_floor", seconds / floor_s},
            {"viscosity_share", viscous_s / seconds},     {"viscosity_iterations_per_step", iterations / steps},
            {"unconverged_steps", unconverged},           {"worst_volume_error", worst_volume}};
}

BenchReport benchMelting(const Machine& machine)
{
    BenchReport report;
    report.goals = {{"worst_volume_error", "below 0.01"}, {"unconverged_steps", "none"}};
    report.notes = {
        "The floor is the time to read and write velocity and phi (with heat: temperature and viscosity too) of the "
        "liquid cells once per step, at the measured bandwidth.",
        "The times of the thesis are from its table 6 (Pentium 4, 2 GHz); they are not measured here."};
    for (const Case& c : cases) {
        announce(fmt::format("melting: {}", c.scene));
        report.results.push_back(measure(machine, c));
    }
    return report;
}

}  // namespace

const Benchmark melting_benchmark{"melting", benchMelting};

}  // namespace flotsam
