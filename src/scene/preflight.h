// What a run of a scene will take, and what its author would want to know before it starts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace flotsam {

// The bodies at the start: how far their highest point can fall inside the domain, and their fastest point.
struct BodySummary {
    double fall_m = 0, speed_m_s = 0;
    long long triangles = 0;  // of their meshes
};

struct Preflight {
    long long cells = 0, liquid_cells = 0, solid_cells = 0, surface_cells = 0;  // at the start
    double liquid_volume_m3 = 0;
    double inflow_volume_m3 = 0;  // of all sources over the whole run
    double fall_m = 0;            // from the highest liquid or source of the start to the domain's lowest point
    double prescribed_m_s = 0;    // the fastest region, source or solid
    double speed_m_s = 0;         // that fall or the one of a body, and what is prescribed or given to a body
    int frames = 0;               // the last frame's number
    long long steps = 0;          // at that speed; jets are faster
    double memory_bytes = 0;
    double disk_bytes = 0;         // if the surface stays as large as it is at the start
    double splash_disk_bytes = 0;  // if it splashes
    std::vector<std::string> warnings;
};

// Throws InputError where a run cannot make sense: no liquid, a solid that fills the domain, a source inside a solid, a
// broken mesh. out: the folder whose disk will hold the output; it need not exist.
Preflight inspect(const Scene& scene, const std::filesystem::path& out = ".", const BodySummary& bodies = {});

}  // namespace flotsam
