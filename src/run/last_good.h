// What is kept of a run that failed: the state before the step that failed.
#pragma once

#include <atomic>
#include <filesystem>
#include <string>

#include "run/checkpoint.h"

namespace flotsam {

// The last step of a run that was good, with the lengths of its files.
struct LastGood {
    RunState run;
    int step;
    double t_s;
};

// Makes the newest checkpoint that of the last good step, and returns a sentence for the user of what it is then.
// newest: the step that it has now. The state is computed again from there, with the same bits, so that a run pays
// nothing for a failure before it fails. stop: as for run(); then the checkpoint stays as it is.
std::string keepLastGood(const Scene& scene, const std::filesystem::path& folder, const std::string& identity,
                         const LastGood& good, int newest, const std::atomic<bool>& stop);

}  // namespace flotsam
