// The loops over time of runs, the C++ API, validation cases and tests. They advance a Simulation, a RigidWorld or any
// other type with
//   double t_s() const                its time
//   Report stepTowards(double t_s)    takes one of the equal steps that end at t_s
//   Report step(double dt_s)          takes a step of dt_s
// `observe` is called with the report of each step and may return false to end the loop.
#pragma once

#include <algorithm>
#include <cmath>
#include <type_traits>

namespace flotsam {

struct NoObserver {
    void operator()(const auto&) const {}
};

// Calls `observe`, and returns whether the loop continues.
template <class Report, class Observe>
bool continues(const Report& report, Observe& observe)
{
    if constexpr (std::is_same_v<decltype(observe(report)), bool>) {
        return observe(report);
    } else {
        observe(report);
        return true;
    }
}

// Steps to t_s, and returns the report of the last step. If t_s is not after the present time, up to rounding, no step
// is taken and the report is empty.
template <class Stepped, class Observe = NoObserver>
auto advanceTo(double t_s, Stepped& stepped, Observe&& observe = {})
{
    decltype(stepped.stepTowards(t_s)) report{};
    while (stepped.t_s() < t_s * (1 - 1e-12)) {
        report = stepped.stepTowards(t_s);
        if (!continues(report, observe)) break;
    }
    return report;
}

// The end of the frame that contains t_s. The end of a frame belongs to the next one, also if rounding makes it
// slightly earlier.
inline double frameEnd(double t_s, double fps) { return (std::floor(t_s * fps + 1e-6) + 1) / fps; }

// As advanceTo, with steps that end on frames, as those of a run do.
template <class Stepped, class Observe = NoObserver>
void advanceByFrames(double t_s, double fps, Stepped& stepped, Observe&& observe = {})
{
    bool on = true;
    while (on && stepped.t_s() < t_s * (1 - 1e-12))
        advanceTo(std::min(frameEnd(stepped.t_s(), fps), t_s), stepped,
                  [&](const auto& report) { return on = continues(report, observe); });
}

// Steps of dt_s each, until t_s is reached or passed.
template <class Stepped, class Observe = NoObserver>
void stepUntil(double t_s, double dt_s, Stepped& stepped, Observe&& observe = {})
{
    while (stepped.t_s() < t_s)
        if (!continues(stepped.step(dt_s), observe)) break;
}

// Takes `count` steps of dt_s.
template <class Stepped, class Observe = NoObserver>
void takeSteps(int count, double dt_s, Stepped& stepped, Observe&& observe = {})
{
    for (int n = 0; n < count; ++n)
        if (!continues(stepped.step(dt_s), observe)) break;
}

}  // namespace flotsam
