// The loops over time: runs, the C++ API, validation cases and tests step by these. What is stepped is a Model, a
// Simulation, a RigidWorld or anything else with
//   double t_s() const            its time
//   Report stepTowards(double)    one step, of the equal ones that end at a time
//   Report step(double dt_s)      one step of a length
// `observe` is called with the report of every step, after it; it may return false to end the loop.
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

// Steps to t_s, and returns the report of the last step. When t_s is, but for rounding, not after the time there is,
// nothing happens and the report is empty.
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

// The end of the frame that t_s is in; the end of one belongs to the next, even where rounding puts it before.
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
