// The state of a run on disk: everything that the next step needs, and the lengths of the growing files. A resumed run
// gives the same results as an uninterrupted one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "coupling/simulation.h"
#include "rigid/world.h"

namespace flotsam {

struct RunState {
    int frame = 0;              // the last frame written
    int unused = 0;             // instead of padding: every byte of a checkpoint is hashed
    uint64_t ledger_bytes = 0;  // of ledger.jsonl when the checkpoint was made
    uint64_t bodies_bytes = 0;  // of bodies.csv
    uint64_t joints_bytes = 0;  // of joints.csv; 0 without joints
};

// A checkpoint that cannot be resumed from, and why.
struct UnusableCheckpoint {
    std::filesystem::path file;
    std::string reason;
};

struct CheckpointSearch {
    std::filesystem::path file;                // the newest usable one
    std::optional<RunState> run;               // of that file; none: no usable checkpoint, nothing was loaded
    std::vector<UnusableCheckpoint> unusable;  // newer than that file
};

// Writes a new checkpoint file and deletes all but it and the previous one. identity: sceneIdentity().
void writeCheckpoint(const std::filesystem::path& folder, const std::string& identity, const RunState& run,
                     Simulation& sim);

// Loads the newest usable checkpoint into sim: complete, not corrupted and without objection. objection: why the files
// of the run do not fit a checkpoint, or empty. Throws InputError with the key that differs when the newest valid one
// belongs to another scene. No file is changed.
CheckpointSearch readCheckpoint(const std::filesystem::path& folder, const std::string& identity,
                                const std::function<std::string(const RunState&)>& objection, Simulation& sim);

// Appends ".unusable" to the name of a checkpoint so that it is not found again. Returns the new path.
std::filesystem::path setAside(const std::filesystem::path& checkpoint);

}  // namespace flotsam
