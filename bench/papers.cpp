// bench papers: the first second of the papers' scenes with bodies in water (thesis table 8), and the cost of coupling
// as a function of the number of bodies.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "bench/benchmark.h"
#include "bench/dam_break.h"
#include "core/error.h"
#include "validation/coupled_cases.h"

namespace flotsam {

namespace {

struct Case {
    const char* scene;
    double thesis_s;  // for the first second, on a Pentium 4 of 2.8 GHz
    double thesis_coupling;
};
constexpr Case cases[] = {{"gears_and_bunnies", 2 * 3600 + 13 * 60, 0.05},
                          {"gears_and_bunnies_fast", 3600 + 9 * 60, 0.07},
                          {"lead_and_wood", 5 * 3600 + 50 * 60, 0},
                          {"block_splash", 2 * 3600 + 9 * 60, 0.28},
                          {"tumbling_stones", 14 * 3600, 0},
                          {"tumbling_gems", 21 * 3600 + 9 * 60, 0.38}};

Scene sceneOf(const char* name)
{
    const std::filesystem::path file = std::filesystem::path(FLOTSAM_SCENES) / fmt::format("{}.toml", name);
    if (!std::filesystem::exists(file))
        throw IoError(fmt::format("{} is missing; bench papers reads the scenes of the source folder it was built from",
                                  file.string()));
    return loadScene(file.string());
}

struct Shares {
    double coupling = 0, fluid = 0, level_set = 0;
};

// Coupling includes the rigid solver and all distance queries to bodies; measurements and output are left out.
Shares sharesOf(const Profile& profile)
{
    Shares s;
    for (const auto& [stage, seconds] : profile.byStage()) {
        if (stage == "coupling" || stage == "rigid" || stage == "solids")
            s.coupling += seconds;
        else if (stage == "surface" || stage == "particles")
            s.level_set += seconds;
        else if (stage != "measure")
            s.fluid += seconds;
    }
    const double all = s.coupling + s.fluid + s.level_set;
    return {s.coupling / all, s.fluid / all, s.level_set / all};
}

Json measure(const Case& c)
{
    Simulation run(sceneOf(c.scene));
    Profile profile;
    const ProfileScope scope(profile);
    double seconds = 0, worst_volume = 0;
    while (run.liquid.state.t_s < 1 - 1e-9) {
        StepReport step;
        seconds += secondsOf([&] { step = stepTowardsFrame(run); });
        if (run.liquid.state.volume_target_m3 > 0)
            worst_volume =
                std::max(worst_volume, std::abs(step.liquid.volume_m3 / run.liquid.state.volume_target_m3 - 1));
    }
    const Shares shares = sharesOf(profile);
    return {{"name", fmt::format("papers/{}", c.scene)},
            {"seconds", seconds},
            {"steps", run.liquid.state.step},
            {"thesis_seconds", c.thesis_s},
            {"times_faster", c.thesis_s / seconds},
            {"coupling_share", shares.coupling},
            {"thesis_coupling_share", c.thesis_coupling},
            {"fluid_share", shares.fluid},
            {"level_set_share", shares.level_set},
            {"worst_volume_error", worst_volume}};
}

// The given number of balls, 8 cells across, in a full tank of 128 x 64 x 128.
Json measureMany(int bodies)
{
    Scene scene;
    scene.domain.cells = {128, 64, 128};
    scene.domain.open[1][1] = false;
    scene.liquid.regions = {{BoxShape{{-9, -9, -9}, {9, 9, 9}, {}}, {}}};
    for (int n = 0; n < bodies; ++n) {
        BodySpec ball;
        ball.name = fmt::format("ball {}", n + 1);
        ball.shape = BallShape{4.0 / 128};
        ball.density_kg_m3 = n % 2 ? 700 : 2000;
        ball.position_m = Vec3{5.5 + 11.5 * (n % 11), 6.0 + 17 * (n / 121), 5.5 + 11.5 * (n / 11 % 11)} / 128.0;
        scene.bodies.push_back(std::move(ball));
    }
    Simulation run(scene);
    for (int n = 0; n < 2; ++n) stepTowardsFrame(run);
    Profile profile;
    const ProfileScope scope(profile);
    constexpr int steps = 5;
    const double seconds = secondsOf([&] {
        for (int n = 0; n < steps; ++n) stepTowardsFrame(run);
    });
    const Shares shares = sharesOf(profile);
    return {{"name", fmt::format("papers/bodies_{}", bodies)},
            {"seconds_per_step", seconds / steps},
            {"coupling_share", shares.coupling},
            {"coupling_ms_per_step", 1e3 * shares.coupling * seconds / steps},
            {"coupling_ms_per_body", 1e3 * shares.coupling * seconds / steps / bodies}};
}

BenchReport benchPapers(const Machine&)
{
    BenchReport report;
    report.goals = {{"times_faster", "at least 300"}, {"coupling_share", "at most 0.1"}};
    report.notes = {"seconds: wall time of the first simulated second, without files and images.",
                    "The times of the thesis are from its table 8 (Pentium 4, 2.8 GHz); they are not measured here."};
    for (const Case& c : cases) {
        announce(fmt::format("papers: {}", c.scene));
        report.results.push_back(measure(c));
    }
    for (const int bodies : {1, 10, 50, 100, 200}) {
        announce(fmt::format("papers: {} bodies", bodies));
        report.results.push_back(measureMany(bodies));
    }
    return report;
}

}  // namespace

const Benchmark papers_benchmark{"papers", benchPapers};

}  // namespace flotsam
