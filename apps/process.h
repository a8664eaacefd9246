// What the process needs before its command line is read.
#pragma once

namespace flotsam {

// A standard stream that the caller closed becomes /dev/null; otherwise the next file opened would take its number, and
// messages would go into it.
void openStandardStreams();

}  // namespace flotsam
