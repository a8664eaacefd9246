// The state of a run on disk: what the next step needs, and how long the growing files were. A resumed run cannot be
// told from an unbroken one.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>

#include "liquid/step.h"
#include "rigid/world.h"

namespace flotsam {

struct RunState {
    int frame = 0;              // the last one written
    int unused = 0;             // in place of padding: every byte of a checkpoint is hashed
    uint64_t ledger_bytes = 0;  // of ledger.jsonl when the checkpoint was made
    uint64_t bodies_bytes = 0;  // of bodies.csv
};

// Writes a checkpoint of its own name and removes all but it and the one before.
void writeCheckpoint(const std::filesystem::path& folder, uint64_t scene_hash, const RunState& run, Simulation& sim,
                     const RigidWorld& world);

// Loads the newest whole checkpoint of this scene into sim and world. None: nothing is changed. Throws InputError when
// the newest whole one belongs to another scene.
std::optional<RunState> readCheckpoint(const std::filesystem::path& folder, uint64_t scene_hash, Simulation& sim,
                                       RigidWorld& world);

}  // namespace flotsam
