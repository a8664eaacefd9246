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
    int frame = 0, frames = 0;    // frames: the last frame's number; frame 0 is the start
    double t_s = 0, seconds = 0;  // simulated so far, and in all
    double dt_s = 0;
    double wall_s = 0;                                    // of this process
    double volume_error = 0;                              // relative to what regions and sources put in
    double volume_given_back_m3 = 0, volume_lost_m3 = 0;  // of LiquidState
    bool frame_written = false;                           // this call announces a frame
    std::string warning;                                  // not empty: a solve that did not converge, ...
};

struct RunOptions {
    std::filesystem::path out;
    bool resume = false;
};

enum class RunEnd { done, interrupted };

// world: makeWorld(scene), which inspectCoupled did not refuse.
// Throws InputError (nothing written), SimulationError (the ledger has the step that failed, the message tells whether
// the newest checkpoint is the step before) or IoError (what was complete stays readable). An earlier run in the folder
// is kept under another name unless it is resumed. stop: set by Ctrl-C; the step ends, a checkpoint is written, and the
// run returns interrupted.
RunEnd run(const Scene& scene, RigidWorld world, const RunOptions& options,
           const std::function<void(const RunProgress&)>& report, const std::atomic<bool>& stop);

}  // namespace flotsam
