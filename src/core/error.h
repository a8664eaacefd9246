// The three kinds of error; their exit codes are 2, 3 and 4.
#pragma once

#include <stdexcept>
#include <string>

namespace flotsam {

// Invalid user input. The message has the place, the problem and the remedy: "scene.toml:12: ...; ...".
struct InputError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The numerics failed (NaN, unbounded speed). The message has the reason and the remedy.
struct SimulationError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Reading or writing failed (disk full, no permission). Completed files stay readable.
struct IoError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

}  // namespace flotsam
