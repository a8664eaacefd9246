// Run time by kernel label. A run owns a Profile and makes it the current one of its thread while it is measured.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace flotsam {

struct Profile {
    std::map<std::string, double> seconds;  // by label, "stage.kernel"

    // Seconds by stage: the prefix of a label before its dot.
    std::map<std::string, double> byStage() const;
};

class ProfileScope {
public:
    explicit ProfileScope(Profile& profile);
    ~ProfileScope();
    ProfileScope(const ProfileScope&) = delete;
    ProfileScope& operator=(const ProfileScope&) = delete;

private:
    Profile* outer;
};

// Adds its lifetime to the current profile; of nested timers only the outer one counts.
class KernelTimer {
public:
    explicit KernelTimer(const char* label);
    ~KernelTimer();
    KernelTimer(const KernelTimer&) = delete;
    KernelTimer& operator=(const KernelTimer&) = delete;

private:
    const char* label;
    bool counts;
    std::chrono::steady_clock::time_point start;
};

}  // namespace flotsam
