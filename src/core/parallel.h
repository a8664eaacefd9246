// Kernels are lambdas run over fixed work items; the backend assigns items to threads. Results do not depend on that:
// the items are the same for any number of threads, and sums add them in order.
#pragma once

#include <vector>

#include "core/bricks.h"
#include "core/profile.h"

namespace flotsam {

namespace backend {
// Calls task(context, i) for 0 <= i < count, in any order, on the backend's threads.
void runTasks(int count, void (*task)(const void* context, int i), const void* context);
void setThreads(int count);  // 0: as many as the machine has
int threads();
}  // namespace backend

// f(i) for 0 <= i < count. The label is the entry in the profile: "stage.kernel".
template <class F>
void parallelTasks(const char* label, int count, const F& f)
{
    const KernelTimer timer(label);
    backend::runTasks(
        count, [](const void* context, int i) { (*static_cast<const F*>(context))(i); }, &f);
}

// f(box) for each strip of a set of bricks.
template <class F>
void parallelBoxes(const char* label, const BrickSet& set, const F& f)
{
    parallelTasks(label, int(set.strips.size()), [&](int s) { f(set.strips[size_t(s)]); });
}

template <class F>
void forEachCell(IndexBox box, const F& f)
{
    for (int k = box.lo.z; k < box.hi.z; ++k)
        for (int j = box.lo.y; j < box.hi.y; ++j)
            for (int i = box.lo.x; i < box.hi.x; ++i) f(i, j, k);
}

// f(i, j, k) for each cell of the bricks.
template <class F>
void parallelFor(const char* label, const BrickSet& set, const F& f)
{
    parallelBoxes(label, set, [&](IndexBox box) { forEachCell(box, f); });
}

// The sum of f(box) over the strips: bitwise the same for any number of threads. T needs T{} and +=.
template <class T, class F>
T parallelSum(const char* label, const BrickSet& set, const F& f)
{
    std::vector<T> part(set.strips.size());
    parallelTasks(label, int(part.size()), [&](int s) { part[size_t(s)] = f(set.strips[size_t(s)]); });
    T sum{};
    for (const T& p : part) sum += p;
    return sum;
}

// The maximum of f(box) over the strips; start is the result for no strips.
template <class F>
double parallelMax(const char* label, const BrickSet& set, double start, const F& f)
{
    std::vector<double> part(set.strips.size());
    parallelTasks(label, int(part.size()), [&](int s) { part[size_t(s)] = f(set.strips[size_t(s)]); });
    for (double p : part) start = p > start || p != p ? p : start;  // a NaN wins, so that it is not hidden
    return start;
}

}  // namespace flotsam
