// bench_memory CELLS dam|full-tank THREADS: two steps of the benchmark dam break, then the surface of a frame; prints
// the peak resident memory as a line of JSON on stderr.
#include <fmt/format.h>

#include <cstdlib>
#include <fstream>
#include <string>

#include "bench/dam_break.h"
#include "liquid/extract.h"

namespace flotsam {

namespace {

constexpr int steps = 2;

// VmHWM of this process.
double peakBytes()
{
    std::ifstream status("/proc/self/status");
    for (std::string line; std::getline(status, line);)
        if (line.starts_with("VmHWM:")) return 1024 * std::atof(line.c_str() + 6);
    throw std::runtime_error("/proc/self/status does not say VmHWM");
}

void measureMemory(int cells_along_side, Filling filling)
{
    Simulation sim(damBreak(cells_along_side, filling));
    const double cells = double(product(sim.liquid.grid.cells)), start = peakBytes();
    long long liquid_cells = 0;
    for (int n = 0; n < steps; ++n) liquid_cells = stepTowardsFrame(sim).liquid.liquid_cells;
    const double stepped = peakBytes();
    const size_t triangles =
        extractSurface(sim.liquid.grid, sim.liquid.solids, {sim.scene.surface.tetrahedra}, sim.liquid.state)
            .triangles.size();
    fmt::print(stderr,
               "{{\"bytes_per_cell\": {}, \"bytes_per_cell_with_frame\": {}, \"bytes_per_cell_before_steps\": {}, "
               "\"peak_MiB\": {}, \"liquid_cells\": {}, "
               "\"frame_triangles\": {}}}\n",
               stepped / cells, peakBytes() / cells, start / cells, stepped / (1 << 20), liquid_cells, triangles);
}

}  // namespace

}  // namespace flotsam

int main(int argc, char** argv)
{
    if (argc != 4) return 2;
    try {
        flotsam::backend::setThreads(std::atoi(argv[3]));
        flotsam::measureMemory(std::atoi(argv[1]),
                               argv[2] == std::string("dam") ? flotsam::Filling::dam : flotsam::Filling::full_tank);
        return 0;
    } catch (const std::exception& e) {
        fmt::print(stderr, "{}\n", e.what());
        return 3;
    }
}
