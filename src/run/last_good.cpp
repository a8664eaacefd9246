#include "run/last_good.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/time_loop.h"
#include "coupling/simulation.h"

namespace flotsam {

namespace {

namespace fs = std::filesystem;

// Returns whether the step was reached before `stop`.
bool computeAgain(const Scene& scene, const fs::path& folder, const std::string& identity, const LastGood& good,
                  const std::atomic<bool>& stop)
{
    Simulation sim(scene);
    const CheckpointSearch search = readCheckpoint(
        folder, identity, [](const RunState&) { return std::string(); }, sim);
    if (!search.run) throw IoError(fmt::format("{}: no checkpoint can be read", folder.string()));
    const auto there = [&] { return sim.liquid.state.step >= good.step || stop; };
    for (int frame = search.run->frame; !there(); ++frame)
        advanceTo((frame + 1) / scene.time.fps, sim, [&](const StepReport&) { return !there(); });
    if (sim.liquid.state.step < good.step) return false;
    writeCheckpoint(folder, identity, good.run, sim);
    return true;
}

}  // namespace

std::string keepLastGood(const Scene& scene, const fs::path& folder, const std::string& identity, const LastGood& good,
                         int newest, const std::atomic<bool>& stop)
{
    try {
        if (newest == good.step || computeAgain(scene, folder, identity, good, stop))
            return fmt::format("The newest checkpoint is the last good state: step {}, t = {:.4f} s.", good.step,
                               good.t_s);
        return fmt::format("Interrupted before the last good state was kept; the newest checkpoint is of step {}.",
                           newest);
    } catch (const std::exception& e) {
        return fmt::format("The last good state could not be kept ({}); the newest checkpoint is of step {}.", e.what(),
                           newest);
    }
}

}  // namespace flotsam
