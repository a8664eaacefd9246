#include "bench/rigid_joints.h"

#include <fmt/format.h>

#include <algorithm>

#include "bench/helper_program.h"
#include "bench/joined_worlds.h"
#include "bench/thread_scope.h"
#include "core/error.h"
#include "validation/mechanisms.h"

namespace flotsam {

namespace {

// The figure with its 16 joints fixed: 96 rows.
RigidWorld fixedFigure()
{
    RigidWorld world = drivenFigure();
    std::vector<Joint> joints = world.joints.list;
    for (Joint& joint : joints) {
        joint.kind = JointKind::fixed;
        joint.motor = {};
    }
    world.setJoints(joints);
    return world;
}

Json timeSolve()
{
    constexpr int solves = 1000;
    const RigidWorld world = fixedFigure();
    std::vector<Impulse> impulses(size_t(world.moving()), Impulse{{1, 2, 3}, {0.1, 0.2, 0.3}});
    std::vector<VelocityChange> changes(impulses.size());
    const auto repeat = [&](bool factor) {
        return leastSecondsOf(5,
                              [&] {
                                  for (int n = 0; n < solves; ++n) {
                                      if (factor) world.forgetFactors();
                                      world.applyInverseMass(impulses, changes);
                                  }
                              }) /
               solves;
    };
    const double all_s = repeat(true), solve_s = repeat(false);
    return {{"name", "rigid/joints_solve"},
            {"seconds", all_s},
            {"rows", 96},
            {"us_factor_and_solve", 1e6 * all_s},
            {"us_solve", 1e6 * solve_s}};
}

struct Rival {
    const char *name, *program, *package;
};
constexpr Rival rivals[] = {{"bullet", "bench_bullet_joints", "Bullet"}, {"ode", "bench_ode_joints", "ODE"}};

void compareWith(const Rival& rival, const char* mechanism, Json& ours, std::vector<std::string>& notes)
{
    const auto program = findHelper(rival.program);
    try {
        if (program.empty())
            throw IoError("it was not installed when this program was built (tools/install.sh --bench)");
        announce(fmt::format("rigid: {} with {}", mechanism, rival.package));
        const Json measured = runHelper({program.string(), mechanism});
        const double seconds = measured.at("seconds");
        ours[rival.name] = {{"ms_per_step", 1e3 * seconds},
                            {"gap_m", measured.at("gap_m")},
                            {"times_slower", seconds / ours.at("seconds").get<double>()}};
    } catch (const IoError& e) {
        const std::string note = fmt::format("{} was not compared: {}", rival.package, e.what());
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
}

Json timeWorld(const JoinedWorld& joined, std::vector<std::string>& notes)
{
    announce(fmt::format("rigid: {}", joined.name));
    const ThreadScope one(1);
    RigidWorld world = joined.make();
    double seconds = 0, gap_m = 0;
    for (int n = 0; n < joined_steps; ++n) {
        seconds += secondsOf([&] { world.step(joined_dt_s); }) / joined_steps;
        gap_m = std::max(gap_m, measureJoints(world).gap_m);
    }
    Json result{{"name", fmt::format("rigid/{}", joined.name)},
                {"seconds", seconds},
                {"ms_per_step", 1e3 * seconds},
                {"gap_m", gap_m},
                {"of_real_time", seconds / joined_dt_s}};
    for (const Rival& rival : rivals)
        if (joined.compared) compareWith(rival, joined.name, result, notes);
    return result;
}

}  // namespace

void benchJoints(BenchReport& report)
{
    report.goals.insert(report.goals.end(), {{"us_factor_and_solve", "at most 60"},
                                             {"times_100_links", "at most 12"},
                                             {"of_real_time", "figures100: below 1"}});
    report.notes.push_back(
        fmt::format("joints: {} steps of 1/120 s, one thread; gap is the largest of all steps", joined_steps));
    announce("rigid: a figure with 96 rows");
    report.results.push_back(timeSolve());
    double of_100_links = 0;
    for (const JoinedWorld& joined : joined_worlds) {
        report.results.push_back(timeWorld(joined, report.notes));
        const double seconds = report.results.back().at("seconds");
        if (joined.name == std::string("chain100")) of_100_links = seconds;
        if (joined.name == std::string("chain1000")) report.results.back()["times_100_links"] = seconds / of_100_links;
    }
}

}  // namespace flotsam
