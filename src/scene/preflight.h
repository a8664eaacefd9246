// Estimated cost of a run, and warnings to its author before it starts.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace flotsam {

// Bodies at the start: the largest fall height of their highest points inside the domain, and their fastest point.
struct BodySummary {
    double fall_m = 0, speed_m_s = 0;
    long long triangles = 0;  // of their meshes
};

struct Preflight {
    long long cells = 0, liquid_cells = 0, solid_cells = 0, surface_cells = 0;  // at the start
    double liquid_volume_m3 = 0;
    double inflow_volume_m3 = 0;  // of all sources over the entire run
    double fall_m = 0;            // from the highest initial liquid or source to the lowest point of the domain
    double prescribed_m_s = 0;    // the fastest region, source or solid
    double speed_m_s = 0;         // by that fall or that of a body, and prescribed or initial speeds
    int frames = 0;               // number of the last frame
    long long steps = 0;          // at that speed; jets are faster
    double memory_bytes = 0;
    double disk_bytes = 0;         // if the surface keeps its initial size
    double splash_disk_bytes = 0;  // if it splashes
    std::vector<std::string> warnings;
};

// Throws InputError if a run makes no sense: no liquid, a solid that fills the domain, a source inside a solid, a
// broken mesh. out: the folder on whose disk the output will be written; it need not exist.
Preflight inspect(const Scene& scene, const std::filesystem::path& out = ".", const BodySummary& bodies = {});

}  // namespace flotsam
