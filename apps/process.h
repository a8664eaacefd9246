// Process set-up before the command line is read.
#pragma once

namespace flotsam {

// Opens /dev/null for each standard stream that the caller closed. Otherwise the next file opened would get its
// descriptor, and messages would be written into that file.
void openStandardStreams();

}  // namespace flotsam
