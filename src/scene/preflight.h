// What a run of a scene will take, and what its author would want to know before it starts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace flotsam {

struct Preflight {
    long long cells = 0, liquid_cells = 0, solid_cells = 0, surface_cells = 0;  // at the start
    double liquid_volume_m3 = 0;
    double inflow_volume_m3 = 0;  // of all sources over the whole run
    double fall_m = 0;            // from the highest liquid or source of the start to the domain's lowest point
    double prescribed_m_s = 0;    // the fastest region, source or solid
    double speed_m_s = 0;         // the highest to expect: that fall, and what is prescribed
    int frames = 0;               // the last frame's number
    long long steps = 0;
    double memory_bytes = 0, disk_bytes = 0;
    std::vector<std::string> warnings;
};

// Throws InputError where a run cannot make sense: no liquid, a solid that fills the domain, a source inside a solid, a
// broken mesh. out: the folder whose disk will hold the output; it need not exist.
Preflight inspect(const Scene& scene, const std::filesystem::path& out = ".");

}  // namespace flotsam
