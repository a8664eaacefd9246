#pragma once

namespace flotsam {

// Bytes a second of STREAM's triad a = b + s c with the backend's present threads: 24 bytes an element, as STREAM
// counts.
double measureBandwidth();

}  // namespace flotsam
