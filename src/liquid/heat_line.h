// Implicit conduction along one row of cells for one step (thesis eqs. 51, 53-55; table 5).
#pragma once

#include <cstdint>
#include <vector>

#include "scene/heat_params.h"

namespace flotsam {

// n cells in a row. Conductances are per step and full cell: k dt / h^2 times the open fraction of a face.
struct HeatLine {
    std::vector<double> mass;     // liquid fraction, > 0
    std::vector<double> e;        // [K]: before the step, then after it
    std::vector<double> between;  // conductance from cell i to i + 1
    std::vector<double> sink;     // conductance to walls and air
    std::vector<double> sink_K;   // the same times their temperatures
    std::vector<uint8_t> fixed;   // e is prescribed

    std::vector<double> d, l, T;  // scratch
    std::vector<int8_t> phase;    // scratch

    void resize(size_t n);
};

// mass (e' - e) = sum over both sides of between (T_nb' - T') + sink_K - sink T', T = T(e).
void conductAlong(const Melting& melting, HeatLine& line);

}  // namespace flotsam
