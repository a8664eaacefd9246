// Annotations of the hand-over between threads for the thread sanitizer. oneTBB synchronises with its own atomics, and
// its library is not instrumented: the sanitizer would report every loop. These annotations order the tasks of a loop
// after everything before the loop and before everything after it. The tasks of one loop are not ordered: races between
// them are reported.
#pragma once

#ifdef FLOTSAM_THREAD_SANITIZER
#include <sanitizer/tsan_interface.h>
#endif

namespace flotsam::backend {

class HandOver {
public:
#ifdef FLOTSAM_THREAD_SANITIZER
    void beforeLoop() { __tsan_release(&start); }
    void beforeTask() { __tsan_acquire(&start); }
    void afterTask() { __tsan_release(&end); }
    void afterLoop() { __tsan_acquire(&end); }

private:
    char start = 0, end = 0;  // only their addresses are used
#else
    void beforeLoop() {}
    void beforeTask() {}
    void afterTask() {}
    void afterLoop() {}
#endif
};

}  // namespace flotsam::backend
