// Where the time goes: every kernel's label is an entry. A run owns a Profile and makes it the current one of its
// thread for as long as it wants to be measured.
#pragma once

#include <chrono>
#include <map>
#include <string>

namespace flotsam {

struct Profile {
    std::map<std::string, double> seconds;  // by label, "stage.kernel"

    // Seconds by stage: the part of a label before its dot.
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

// Adds its life to the current profile; one inside another counts only the outer one.
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
