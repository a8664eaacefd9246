#include "core/profile.h"

namespace flotsam {

namespace {
thread_local Profile* current_profile = nullptr;
thread_local int depth = 0;
}  // namespace

std::map<std::string, double> Profile::byStage() const
{
    std::map<std::string, double> stages;
    for (const auto& [label, s] : seconds) stages[label.substr(0, label.find('.'))] += s;
    return stages;
}

ProfileScope::ProfileScope(Profile& profile) : outer(current_profile) { current_profile = &profile; }
ProfileScope::~ProfileScope() { current_profile = outer; }

KernelTimer::KernelTimer(const char* label_)
    : label(label_),
      counts(current_profile && depth == 0),
      start(counts ? std::chrono::steady_clock::now() : decltype(start){})
{
    ++depth;
}

KernelTimer::~KernelTimer()
{
    --depth;
    if (counts)
        current_profile->seconds[label] +=
            std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

}  // namespace flotsam
