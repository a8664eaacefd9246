// Selects the checkpoint to resume from, and reports damaged files.
#pragma once

#include "run/checkpoint.h"

namespace flotsam {

// Loads the newest checkpoint of a run that is usable with its ledger.jsonl, bodies.csv and joints.csv: readCheckpoint.
CheckpointSearch findCheckpoint(const std::filesystem::path& folder, const std::string& identity, Simulation& sim);

// Prints which files of a run are damaged, what is used instead and what is recomputed. Renames the unusable
// checkpoints if another one is used. state: the one that was loaded.
void reportDamage(const std::filesystem::path& folder, const CheckpointSearch& search, const LiquidState& state);

// Whether a folder without a usable checkpoint contains results worth keeping.
bool hasBegun(const std::filesystem::path& folder, const CheckpointSearch& search);

}  // namespace flotsam
