// A ledger in brief: what info prints, and the end of a run.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "scene/scene.h"

namespace flotsam {

// The fastest step of a run. What older ledgers do not have is none.
struct FastestStep {
    double speed_m_s = 0, t_s = 0;
    bool of_body = false;
    std::optional<std::array<double, 3>> at_m;
    std::optional<double> energy_speed_m_s;
};

struct LedgerBrief {
    int steps = 0, frame = 0, unreadable_lines = 0;
    double t_s = 0, wall_s = 0;
    std::string failure;  // why the last step ended the run; empty where it did not
    FastestStep fastest;
    double first_volume_m3 = 0, last_volume_m3 = 0;
    double last_target_m3 = 0, largest_target_m3 = 0;  // what regions and sources put in, less what left
    bool has_account = false;                          // of what was given back and lost
    double given_back_m3 = 0, lost_m3 = 0;
    double travelled_m = 0;  // by the fastest of each step, in all steps together
    long long iterations = 0, solves = 0;
    double overlap_m = 0;
    int contacts = 0;  // of the last step
    int most_iterations = 0;
    std::map<std::string, double> stage_s;

    // Relative to the most liquid that there should have been.
    double givenBack() const { return largest_target_m3 > 0 ? given_back_m3 / largest_target_m3 : 0; }
    double lost() const { return largest_target_m3 > 0 ? lost_m3 / largest_target_m3 : 0; }
};

// A run that was killed may leave half a line.
LedgerBrief readLedger(const std::filesystem::path& file);

// "0.31 % of the liquid lost by the surface, ..."; empty where the ledger has no account of it.
std::string volumeAccountText(const LedgerBrief& b);
// Empty where at most 5 % were given back. scene: none where it cannot be read.
std::string volumeWarning(const LedgerBrief& b, const Scene* scene);
// "3.12 m/s at t = ..., (...) m; ...: explained".
std::string fastestText(const FastestStep& f, const Scene* scene);

}  // namespace flotsam
