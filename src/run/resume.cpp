#include "run/resume.h"

#include <fmt/format.h>

#include <algorithm>

#include "cache/safe_file.h"
#include "core/print.h"

namespace flotsam {

namespace {

namespace fs = std::filesystem;

uint64_t bytesOf(const fs::path& file)
{
    std::error_code none;
    const auto bytes = fs::file_size(file, none);
    return none ? 0 : bytes;
}

// Lines of the ledger, including an incomplete last one.
long long stepsIn(const fs::path& ledger)
{
    if (bytesOf(ledger) == 0) return 0;
    const std::string text = readWholeFile(ledger);
    return std::count(text.begin(), text.end(), '\n') + (text.back() != '\n');
}

// Why a checkpoint does not fit the growing files, which are truncated to the lengths it records.
std::string tooShort(const fs::path& folder, const RunState& run)
{
    std::string reason;
    const auto compare = [&](const char* name, uint64_t needed) {
        if (const uint64_t bytes = bytesOf(folder / name); bytes < needed)
            reason += fmt::format("{}{} has {} of the {} bytes that it had then", reason.empty() ? "" : "; ", name,
                                  bytes, needed);
    };
    compare("ledger.jsonl", run.ledger_bytes);
    compare("bodies.csv", run.bodies_bytes);
    compare("joints.csv", run.joints_bytes);
    return reason;
}

}  // namespace

CheckpointSearch findCheckpoint(const fs::path& folder, const std::string& identity, Simulation& sim)
{
    return readCheckpoint(
        folder / "checkpoint", identity, [&](const RunState& run) { return tooShort(folder, run); }, sim);
}

void reportDamage(const fs::path& folder, const CheckpointSearch& search, const LiquidState& state)
{
    const long long steps = stepsIn(folder / "ledger.jsonl");
    for (const UnusableCheckpoint& c : search.unusable) {
        const std::string kept =
            search.run ? fmt::format("; it is kept as {}", setAside(c.file).filename().string()) : "";
        print(stderr, "warning: {} cannot be used: {}{}\n", c.file.string(), c.reason, kept);
    }
    if (search.run && !search.unusable.empty())
        print(stderr, "warning: resuming from {} instead, at step {} (t = {:.4f} s); {} computed again\n",
              search.file.string(), state.step, state.t_s,
              steps > state.step ? fmt::format("steps {} to {} are", state.step + 1, steps) : "later steps are");
    if (!search.run && (steps > 0 || !search.unusable.empty()))
        print(stderr,
              "warning: {} has no usable checkpoint; the run starts from the beginning, and {} computed again\n",
              folder.string(), steps > 0 ? fmt::format("all of its {} steps are", steps) : "all of its steps are");
}

bool hasBegun(const fs::path& folder, const CheckpointSearch& search)
{
    return !search.unusable.empty() || bytesOf(folder / "ledger.jsonl") > 0;
}

}  // namespace flotsam
