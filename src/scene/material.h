// Liquids by name: what a user may say instead of numbers. Values at about 20 C unless said, from handbooks; a
// Newtonian viscosity stands for what a paste or wet sand resists slow flow with.
#pragma once

#include <string>
#include <vector>

#include "core/vec.h"

namespace flotsam {

struct Material {
    const char* word;
    double density_kg_m3;
    double viscosity_m2_s;  // kinematic
    Vec3 color;             // 0..1: what the liquid lets through, or of its surface where it is opaque
    bool opaque;
};

inline constexpr Material materials[] = {
    {"water", 998, 1.0e-6, {0.55, 0.80, 0.90}, false},
    {"oil", 911, 9.2e-5, {0.95, 0.80, 0.35}, false},         // olive oil, 84 mPa s
    {"honey", 1420, 7.0e-3, {0.92, 0.55, 0.10}, false},      // 10 Pa s
    {"wax", 900, 5.0e-2, {0.93, 0.86, 0.70}, true},          // soft paraffin, 45 Pa s
    {"lava", 2700, 3.7e-2, {0.85, 0.25, 0.06}, true},        // basalt at 1150 C, 100 Pa s
    {"toothpaste", 1300, 5.4e-2, {0.90, 0.95, 0.97}, true},  // 70 Pa s
    {"wet sand", 1950, 5.0, {0.76, 0.63, 0.42}, true},       // 10 kPa s: keeps a drop's shape for seconds
};

// Their words, in the same order.
std::vector<std::string> materialWords();

}  // namespace flotsam
