#pragma once

#include "core/parallel.h"

namespace flotsam {

// The backend uses this many threads for as long as it lives.
class ThreadScope {
public:
    explicit ThreadScope(int threads) : outer(backend::threads()) { backend::setThreads(threads); }
    ~ThreadScope() { backend::setThreads(outer); }
    ThreadScope(const ThreadScope&) = delete;
    ThreadScope& operator=(const ThreadScope&) = delete;

private:
    int outer;
};

}  // namespace flotsam
