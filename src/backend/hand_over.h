// How work goes from thread to thread, for the thread sanitizer. oneTBB does it with atomics of its own, and its
// library is not instrumented: the sanitizer would report every loop. It is told instead that a loop's tasks start
// after what came before the loop and end before what comes after. Nothing orders the tasks of one loop: races between
// them show.
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
    char start = 0, end = 0;  // their addresses count
#else
    void beforeLoop() {}
    void beforeTask() {}
    void afterTask() {}
    void afterLoop() {}
#endif
};

}  // namespace flotsam::backend
