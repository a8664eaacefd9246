// The only file that uses oneTBB.
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/info.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <cerrno>
#include <memory>
#include <stdexcept>
#include <string_view>
#include <system_error>

#include "backend/hand_over.h"
#include "core/parallel.h"

namespace flotsam::backend {

namespace {
std::unique_ptr<tbb::task_arena> arena;
std::unique_ptr<tbb::global_control> limit;
int thread_count = 0;
}  // namespace

void setThreads(int count)
{
    thread_count = count > 0 ? count : tbb::info::default_concurrency();
    limit = std::make_unique<tbb::global_control>(tbb::global_control::max_allowed_parallelism, size_t(thread_count));
    arena = std::make_unique<tbb::task_arena>(thread_count);
}

int threads()
{
    if (!thread_count) setThreads(0);
    return thread_count;
}

void runTasks(int count, void (*task)(const void*, int), const void* context)
{
    if (threads() == 1 || count <= 1) {
        for (int i = 0; i < count; ++i) task(context, i);
        return;
    }
    try {
        HandOver hand_over;
        arena->execute([&] {
            tbb::parallel_for(tbb::blocked_range<int>(0, count), [&](const tbb::blocked_range<int>& r) {
                const TaskHandOver part(hand_over);
                for (int i = r.begin(); i < r.end(); ++i) task(context, i);
            });
        });
    } catch (const std::runtime_error& e) {
        // oneTBB throws a plain runtime_error if the system cannot create a thread.
        if (!std::string_view(e.what()).starts_with("pthread_")) throw;
        throw std::system_error(EAGAIN, std::generic_category(), "no more threads");
    }
}

}  // namespace flotsam::backend
