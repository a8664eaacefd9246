#pragma once

namespace flotsam {

// Bytes per second of the STREAM triad a = b + s c with the current number of threads: 24 bytes per element, as STREAM
// counts.
double measureBandwidth();

}  // namespace flotsam
