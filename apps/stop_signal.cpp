#include "apps/stop_signal.h"

#include <unistd.h>
#include <csignal>

#include "apps/commands.h"

namespace flotsam {

namespace {

std::atomic<bool> stop{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

void onSignal(int)
{
    if (stop.exchange(true)) _exit(exit_interrupted);
}

}  // namespace

const std::atomic<bool>& stopRequested()
{
    static const bool installed = [] {
        std::signal(SIGINT, onSignal);
        std::signal(SIGTERM, onSignal);
        return true;
    }();
    (void)installed;
    return stop;
}

}  // namespace flotsam
