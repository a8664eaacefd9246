// Named liquids, usable instead of numbers. Values at about 20 C unless stated, from handbooks. A paste or wet sand has
// a Newtonian viscosity that represents its resistance to slow flow.
#pragma once

#include <string>
#include <vector>

#include "core/vec.h"

namespace flotsam {

struct Material {
    const char* word;
    double density_kg_m3;
    double viscosity_m2_s;  // kinematic
    Vec3 color;             // 0..1: transmitted colour, or surface colour if opaque
    Vec3 hot_color;         // the same when hot
    double glow;            // emission when hot, 0..1
    bool opaque;
};

inline constexpr Material materials[] = {
    {"water", 998, 1.0e-6, {0.55, 0.80, 0.90}, {1.00, 0.45, 0.25}, 0, false},
    {"oil", 911, 9.2e-5, {0.95, 0.80, 0.35}, {1.00, 0.50, 0.15}, 0, false},         // olive oil, 84 mPa s
    {"honey", 1420, 7.0e-3, {0.92, 0.55, 0.10}, {1.00, 0.75, 0.30}, 0, false},      // 10 Pa s
    {"wax", 900, 5.0e-2, {0.93, 0.86, 0.70}, {0.97, 0.62, 0.20}, 0, true},          // soft paraffin, 45 Pa s
    {"lava", 2700, 3.7e-2, {0.13, 0.10, 0.09}, {1.00, 0.32, 0.04}, 1, true},        // basalt at 1150 C, 100 Pa s
    {"toothpaste", 1300, 5.4e-2, {0.90, 0.95, 0.97}, {0.97, 0.85, 0.80}, 0, true},  // 70 Pa s
    {"wet sand", 1950, 5.0, {0.76, 0.63, 0.42}, {0.80, 0.55, 0.35}, 0, true},       // 10 kPa s: keeps a drop's shape
};

// Their names, in the same order.
std::vector<std::string> materialWords();

}  // namespace flotsam
