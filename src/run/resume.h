// Where a run is resumed from, and what is printed where its files are damaged.
#pragma once

#include "run/checkpoint.h"

namespace flotsam {

// Loads the newest checkpoint of a run's folder that can be used with its ledger.jsonl and bodies.csv: readCheckpoint.
CheckpointSearch findCheckpoint(const std::filesystem::path& folder, const std::string& identity, Simulation& sim,
                                RigidWorld& world);

// Prints what of a run is damaged, what is used instead and what is computed again. Renames the unusable checkpoints
// where another one is used. state: the one that was loaded.
void reportDamage(const std::filesystem::path& folder, const CheckpointSearch& search, const LiquidState& state);

// Whether a folder without a usable checkpoint holds something that is worth keeping.
bool hasBegun(const std::filesystem::path& folder, const CheckpointSearch& search);

}  // namespace flotsam
