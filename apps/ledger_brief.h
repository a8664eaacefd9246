// Summary of a ledger: printed by `info` and at the end of a run.
#pragma once

#include <array>
#include <filesystem>
#include <map>
#include <optional>
#include <string>

#include "scene/scene.h"

namespace flotsam {

// The fastest step of a run. Empty if the ledger lacks these keys.
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
    double last_target_m3 = 0, largest_target_m3 = 0;  // volume added by regions and sources minus the outflow
    bool has_account = false;                          // of the volume redistributed and lost
    double given_back_m3 = 0, lost_m3 = 0;
    double travelled_m = 0;  // distance covered by the fastest point of each step, summed over all steps
    long long iterations = 0, solves = 0;
    double overlap_m = 0;
    int contacts = 0;  // of the last step
    int most_iterations = 0;
    std::map<std::string, double> stage_s;

    // Relative to the largest target volume of the run.
    double givenBack() const { return largest_target_m3 > 0 ? given_back_m3 / largest_target_m3 : 0; }
    double lost() const { return largest_target_m3 > 0 ? lost_m3 / largest_target_m3 : 0; }
};

// Ignores an incomplete last line, which a killed run may leave.
LedgerBrief readLedger(const std::filesystem::path& file);

// "0.31 % of the liquid lost by the surface, ..."; empty if the ledger has no volume account.
std::string volumeAccountText(const LedgerBrief& b);
// Empty if at most 5 % of the volume was redistributed. scene: none if it cannot be read.
std::string volumeWarning(const LedgerBrief& b, const Scene* scene);
// "3.12 m/s at t = ..., (...) m; ...: explained".
std::string fastestText(const FastestStep& f, const Scene* scene);

}  // namespace flotsam
