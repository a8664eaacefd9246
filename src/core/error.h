// The three kinds of trouble and the exit code that each becomes: 2, 3, 4.
#pragma once

#include <stdexcept>
#include <string>

namespace flotsam {

// The user's input is wrong. The message says where, what and the remedy: "scene.toml:12: ...; ...".
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The numerics failed (NaN, runaway speed). The message says the reason and the remedy.
struct SimulationError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reading or writing failed (disk full, no permission). What was complete stays readable.
struct IoError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flotsam
