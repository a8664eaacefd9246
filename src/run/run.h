// Runs a scene into an output folder: steps, ledger, frames, checkpoints, resume.
#pragma once

#include <atomic>
#include <filesystem>
#include <functional>
#include <string>

#include "rigid/world.h"
#include "scene/scene.h"

namespace flotsam {

struct RunProgress {
    int step = 0;
    int frame = 0, frames = 0;    // frames: number of the last frame; frame 0 is the start
    double t_s = 0, seconds = 0;  // simulated so far, and in total
    double dt_s = 0;
    double wall_s = 0;                                    // of this process
    double volume_error = 0;                              // relative to the volume added by regions and sources
    double volume_given_back_m3 = 0, volume_lost_m3 = 0;  // of LiquidState
    bool frame_written = false;                           // this call reports a new frame
    std::string warning;                                  // not empty: a solve that did not converge, ...
};

struct RunOptions {
    std::filesystem::path out;
    bool resume = false;
};

enum class RunEnd { done, interrupted };

// world: makeWorld(scene), accepted by inspectCoupled. Throws InputError (nothing written), SimulationError (the ledger
// has the failed step, the message states whether the newest checkpoint is the step before) or IoError (complete files
// stay readable). An earlier run in the folder is kept under another name unless it is resumed. stop: set by Ctrl-C;
// the current step ends, a checkpoint is written, and the run returns interrupted.
RunEnd run(const Scene& scene, RigidWorld world, const RunOptions& options,
           const std::function<void(const RunProgress&)>& report, const std::atomic<bool>& stop);

}  // namespace flotsam
