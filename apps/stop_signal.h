// Ctrl-C, SIGTERM and SIGHUP (the terminal closes) request a stop at the next safe point. A second Ctrl-C or SIGTERM
// ends the program at once.
#pragma once

#include <atomic>

namespace flotsam {

// Installs the handlers on first use. The flag becomes true when a signal arrives.
const std::atomic<bool>& stopRequested();

}  // namespace flotsam
