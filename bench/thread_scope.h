#pragma once

#include "core/parallel.h"

namespace flotsam {

// Sets the number of threads of the backend for the lifetime of this object.
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
