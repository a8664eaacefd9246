// bench rigid: steps of piles and heaps, compared with other engines in the same run.
#include <fmt/format.h>

#include <algorithm>

#include "bench/benchmark.h"
#include "bench/helper_program.h"
#include "bench/rigid_heaps.h"
#include "bench/rigid_joints.h"
#include "bench/thread_scope.h"
#include "core/error.h"
#include "geometry/bunny_toy.h"
#include "geometry/mesh_distance.h"

namespace flotsam {

namespace {

struct Timing {
    double seconds = 0, settled_seconds = 0;  // per step: over all steps, and over the last quarter
    Profile profile;
    RigidReport last;
};

Timing timeHeap(const Heap& heap, int threads)
{
    const ThreadScope scope(threads);
    RigidWorld world = makeHeap(heap);
    Timing t;
    const ProfileScope profiling(t.profile);
    for (int n = 0; n < heap_steps; ++n) {
        const double s = secondsOf([&] { t.last = world.step(heap_dt_s); });
        t.seconds += s / heap_steps;
        if (n >= heap_steps - heap_steps / 4) t.settled_seconds += s / (heap_steps / 4);
    }
    return t;
}

struct Rival {
    const char* name;     // in the result keys
    const char* program;  // run for comparison
    const char* package;
};
constexpr Rival rivals[] = {{"bullet", "bench_bullet_heap", "Bullet"}, {"ode", "bench_ode_heap", "ODE"}};

void compareWith(const Rival& rival, const Heap& heap, Json& ours, std::vector<std::string>& notes)
{
    const auto program = findHelper(rival.program);
    try {
        if (program.empty())
            throw IoError("it was not installed when this program was built (tools/install.sh --bench)");
        announce(fmt::format("rigid: {} with {}", heap.name, rival.package));
        const Json measured = runHelper({program.string(), heap.name});
        const double seconds = measured.at("seconds"), settled = measured.at("settled_seconds");
        ours[rival.name] = {{"ms_per_step", 1e3 * seconds},
                            {"settled_ms_per_step", 1e3 * settled},
                            {"lowest_m", measured.at("lowest_m")},
                            {"times_slower", seconds / ours.at("seconds").get<double>()},
                            {"times_slower_than_two_threads", seconds / ours.at("seconds_two_threads").get<double>()}};
    } catch (const IoError& e) {
        const std::string note = fmt::format("{} was not compared: {}", rival.package, e.what());
        if (std::find(notes.begin(), notes.end(), note) == notes.end()) notes.push_back(note);
    }
}

Json measure(const Heap& heap, std::vector<std::string>& notes)
{
    announce(fmt::format("rigid: {}", heap.name));
    const Timing one = timeHeap(heap, 1), two = timeHeap(heap, 2);
    Json result{{"name", fmt::format("rigid/{}", heap.name)},
                {"seconds", one.seconds},
                {"seconds_two_threads", two.seconds},
                {"ms_per_step", 1e3 * one.seconds},
                {"settled_ms_per_step", 1e3 * one.settled_seconds},
                {"two_threads_ms_per_step", 1e3 * two.seconds},
                {"contacts", one.last.contacts},
                {"overlap_of_size", one.last.deepest_of_size}};
    for (const auto& [label, seconds] : one.profile.seconds)
        result["share"][label] = seconds / heap_steps / one.seconds;
    for (const Rival& rival : rivals) compareWith(rival, heap, result, notes);
    return result;
}

BenchReport benchRigid(const Machine&)
{
    BenchReport report;
    report.goals = {{"bullet times_slower_than_two_threads", "boxes: at least 0.5; gears: above 1"},
                    {"ode times_slower", "gears: about 1"},
                    {"ms_per_step", "gears_toys: below 2"},
                    {"distance_ms", "well below 1000"}};
    report.notes = {
        fmt::format("{} steps of 1/120 s from the start of the fall; settled is the last quarter", heap_steps),
        "Bullet: one thread, ten iterations, no sleeping; GImpact for gears and toys",
        "ODE: one thread, twenty iterations, no sleeping; triangle meshes for gears and toys"};
    for (const Heap& heap : heaps) report.results.push_back(measure(heap, report.notes));
    announce("rigid: the distance of a toy");
    const TriangleMesh toy = bunnyToyMesh();
    report.results.back()["distance_ms"] = 1e3 * leastSecondsOf(3, [&] { distanceGridOf(toy, 1.0 / 64); });
    benchJoints(report);
    return report;
}

}  // namespace

const Benchmark rigid_benchmark{"rigid", benchRigid};

}  // namespace flotsam
