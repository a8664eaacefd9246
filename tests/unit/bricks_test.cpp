#include "core/bricks.h"

#include <gtest/gtest.h>

#include <vector>

#include "core/parallel.h"

namespace flotsam {
namespace {

BrickList allOf(const Bricks& bricks) { return listOf(std::vector<uint8_t>(size_t(bricks.total()), 1)); }

TEST(Bricks, CoverEveryCellOnce)
{
    for (const Int3 cells : {Int3{1, 1, 1}, {16, 8, 8}, {17, 9, 1}, {300, 20, 11}}) {
        const Bricks bricks(cells);
        const BrickSet set(bricks, allOf(bricks));
        std::vector<int> visits(size_t(cells.x * cells.y * cells.z), 0);
        for (const IndexBox& strip : set.strips)
            forEachCell(strip, [&](int i, int j, int k) { ++visits[size_t(i + cells.x * (j + cells.y * k))]; });
        for (int n : visits) ASSERT_EQ(n, 1);
    }
}

TEST(Bricks, IndexAndPlaceAreInverse)
{
    const Bricks bricks({70, 30, 20});
    for (int b = 0; b < bricks.total(); ++b) {
        EXPECT_EQ(bricks.index(bricks.at(b)), b);
        EXPECT_EQ(bricks.index(bricks.ofCell(bricks.box(b).lo)), b);
        EXPECT_EQ(bricks.index(bricks.ofCell(bricks.box(b).hi - Int3{1, 1, 1})), b);
    }
}

TEST(Bricks, StripsJoinNeighboursAlongXAndNothingElse)
{
    const Bricks bricks({48, 16, 8});  // 3 x 2 x 1 bricks
    const BrickSet set(bricks, {0, 1, 2, 3, 5});
    ASSERT_EQ(set.strips.size(), 3u);
    EXPECT_EQ(set.strips[0].size(), (Int3{48, 8, 8}));
    EXPECT_EQ(set.strips[1].lo, (Int3{0, 8, 0}));  // a new row of bricks begins a new strip
    EXPECT_EQ(set.strips[2].lo, (Int3{32, 8, 0}));
}

TEST(Bricks, StripsHaveALongestLength)
{
    const Bricks bricks({16 * 40, 8, 8});
    const BrickSet set(bricks, allOf(bricks));
    ASSERT_EQ(set.strips.size(), 3u);
    for (const IndexBox& strip : set.strips) EXPECT_LE(strip.size().x, 16 * BrickSet::longest_strip);
}

TEST(Bricks, ListsAreSets)
{
    const Bricks bricks({160, 8, 8});
    EXPECT_EQ(common({1, 3, 5}, {3, 4, 5}), (BrickList{3, 5}));
    EXPECT_EQ(joined({1, 3}, {2, 3}), (BrickList{1, 2, 3}));
    EXPECT_EQ(without(bricks, {1, 2, 3}, {2}), (BrickList{1, 3}));
    EXPECT_EQ(dilated(bricks, {0, 5}), (BrickList{0, 1, 4, 5, 6}));
}

TEST(Bricks, DilationReachesTheTwentySixAround)
{
    const Bricks bricks({48, 24, 24});  // 3 x 3 x 3
    EXPECT_EQ(dilated(bricks, {13}).size(), 27u);
    EXPECT_EQ(dilated(bricks, {0}).size(), 8u);
}

TEST(Parallel, SumsAreTheSameForAnyNumberOfThreads)
{
    const Bricks bricks({100, 50, 40});
    const BrickSet set(bricks, allOf(bricks));
    const auto sum = [&](int threads) {
        backend::setThreads(threads);
        return parallelSum<double>("test.sum", set, [](IndexBox box) {
            double part = 0;
            forEachCell(box, [&](int i, int j, int k) { part += 1.0 / (1 + i + 3 * j + 7 * k); });
            return part;
        });
    };
    const double one = sum(1);
    EXPECT_EQ(sum(2), one);
    EXPECT_EQ(sum(5), one);
    backend::setThreads(0);
}

TEST(Parallel, ANaNWinsTheMaximum)
{
    const Bricks bricks({64, 8, 8});
    const BrickSet set(bricks, {0, 2});
    const double most =
        parallelMax("test.max", set, 0.0, [](IndexBox box) { return box.lo.x == 0 ? double(NAN) : 3.0; });
    EXPECT_TRUE(std::isnan(most));
}

// With the thread sanitizer also: what a task wrote before it threw may be read by who catches it.
TEST(Parallel, WhatATaskThrowsReachesTheCallerWithAllItWrote)
{
    struct Thrown {
        int task;
    };
    constexpr int count = 64;
    backend::setThreads(4);
    for (int bad = 0; bad < count; ++bad) {
        std::vector<int> written(count, -1);
        int caught = -1;
        try {
            parallelTasks("test.throw", count, [&](int i) {
                written[size_t(i)] = i;
                if (i == bad) throw Thrown{i};
            });
        } catch (const Thrown& t) {
            caught = t.task;
        }
        EXPECT_EQ(caught, bad);
        EXPECT_EQ(written[size_t(bad)], bad);
        for (int i = 0; i < count; ++i) EXPECT_TRUE(written[size_t(i)] == -1 || written[size_t(i)] == i);
    }
    backend::setThreads(0);
}

}  // namespace
}  // namespace flotsam
