// Annotations of the hand-over between threads for the thread sanitizer. oneTBB synchronises with its own atomics, and
// its library is not instrumented: the sanitizer would report every loop. These annotations order the tasks of a loop
// after everything before the loop and before everything after it, also where a task throws. The tasks of one loop are
// not ordered: races between them are reported.
#pragma once

#ifdef FLOTSAM_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace flotsam::backend {

// In the thread that starts the loop, for as long as the loop runs.
class HandOver {
public:
    HandOver(const HandOver&) = delete;
    HandOver& operator=(const HandOver&) = delete;
#ifdef FLOTSAM_THREAD_SANITIZER
    HandOver() { __tsan_release(&start); }
    ~HandOver() { __tsan_acquire(&end); }
    void beginTask() { __tsan_acquire(&start); }
    void endTask() { __tsan_release(&end); }

private:
    char start = 0, end = 0;  // only their addresses are used
#else
    HandOver() {}
    ~HandOver() {}
    void beginTask() {}
    void endTask() {}
#endif
};

// In the thread of a task, for as long as the task runs.
class TaskHandOver {
public:
    explicit TaskHandOver(HandOver& of) : loop(of) { loop.beginTask(); }
    ~TaskHandOver() { loop.endTask(); }
    TaskHandOver(const TaskHandOver&) = delete;
    TaskHandOver& operator=(const TaskHandOver&) = delete;

private:
    HandOver& loop;
};

}  // namespace flotsam::backend
