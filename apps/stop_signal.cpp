#include "apps/stop_signal.h"

#include <unistd.h>

#include <csignal>

#include "apps/commands.h"

namespace flotsam {

namespace {

std::atomic<bool> stop{false}, asked_twice_ends{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may touch it");

// A closing terminal sends SIGHUP, often twice: from the shell and from the kernel. Only a second Ctrl-C or SIGTERM
// ends the program at once.
void onSignal(int signal)
{
    stop = true;
    if (signal != SIGHUP && asked_twice_ends.exchange(true)) _exit(exit_interrupted);
}

// nohup and background jobs of simple shells ignore signals; handlers are not installed for those.
void handle(int signal)
{
    if (std::signal(signal, onSignal) == SIG_IGN) std::signal(signal, SIG_IGN);
}

}  // namespace

const std::atomic<bool>& stopRequested()
{
    static const bool installed = [] {
        for (const int signal : {SIGINT, SIGTERM, SIGHUP}) handle(signal);
        return true;
    }();
    (void)installed;
    return stop;
}

}  // namespace flotsam
