// Keeps the state before the failed step of a run.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "run/checkpoint.h"

namespace flotsam {

// The last valid step of a run, with the lengths of its files.
struct LastGood {
    RunState run;
    int step;
    double t_s;
};

// Makes the newest checkpoint that of the last valid step, and returns a sentence for the user about it. newest: the
// step of the current newest checkpoint. The state is recomputed from there, bit for bit, so that a run saves no extra
// state before it fails. stop: as for run(); the checkpoint then stays as it is.
std::string keepLastGood(const Scene& scene, const std::filesystem::path& folder, const std::string& identity,
                         const LastGood& good, int newest, const std::atomic<bool>& stop);

}  // namespace flotsam
