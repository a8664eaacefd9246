#include "core/time_loop.h"

#include <gtest/gtest.h>

#include <vector>

namespace flotsam {
namespace {

// Steps of 0.3 s at most; a report is the length of its step.
struct Clock {
    double t_s() const { return now_s; }
    double step(double dt_s)
    {
        now_s += dt_s;
        return dt_s;
    }
    double stepTowards(double end_s)
    {
        const double rest_s = end_s - now_s;
        return step(rest_s / std::ceil(rest_s / 0.3));
    }

    double now_s = 0;
};

TEST(TimeLoop, EqualStepsEndAtTheTime)
{
    Clock clock;
    std::vector<double> steps;
    EXPECT_DOUBLE_EQ(advanceTo(1, clock, [&](double dt_s) { steps.push_back(dt_s); }), 0.25);
    EXPECT_EQ(steps.size(), 4u);
    EXPECT_DOUBLE_EQ(clock.t_s(), 1);
}

TEST(TimeLoop, NoStepIsAsShortAsRounding)
{
    Clock clock{0.3};
    EXPECT_EQ(advanceTo(0.1 + 0.2, clock), 0);
    EXPECT_EQ(clock.t_s(), 0.3);
}

TEST(TimeLoop, AnObserverMayEndIt)
{
    Clock clock;
    int steps = 0;
    const auto two = [&](double) { return ++steps % 2 != 0; };
    advanceTo(3, clock, two);
    EXPECT_EQ(steps, 2);
    advanceByFrames(6, 4, clock, two);
    EXPECT_EQ(steps, 4);
    stepUntil(9, 0.1, clock, two);
    EXPECT_EQ(steps, 6);
    takeSteps(9, 0.1, clock, two);
    EXPECT_EQ(steps, 8);
}

TEST(TimeLoop, StepsByFramesEndOnEachAndAtTheTime)
{
    Clock clock;
    std::vector<double> ends;
    advanceByFrames(1.1, 2, clock, [&](double) { ends.push_back(clock.t_s()); });
    ASSERT_EQ(ends.size(), 5u);
    for (int n = 0; n < 4; ++n) EXPECT_DOUBLE_EQ(ends[size_t(n)], 0.25 * (n + 1));
    EXPECT_DOUBLE_EQ(ends[4], 1.1);
}

TEST(TimeLoop, FixedStepsReachTheTimeOrPassIt)
{
    Clock clock;
    stepUntil(1, 0.4, clock);
    EXPECT_DOUBLE_EQ(clock.t_s(), 1.2);
    takeSteps(2, 0.4, clock);
    EXPECT_DOUBLE_EQ(clock.t_s(), 2);
}

}  // namespace
}  // namespace flotsam
