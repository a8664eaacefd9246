// bench extract: speed of the surface extraction of a frame, and of its volume measurement.
#include <fmt/format.h>

#include "bench/benchmark.h"
#include "bench/dam_break.h"
#include "liquid/extract.h"
#include "liquid/measure.h"

namespace flotsam {

namespace {

constexpr int cells = 128, repetitions = 5;
constexpr double splash_s = 0.5;  // the wave has reached the obstacle
constexpr double cfl = 4;         // reaches that time sooner; only the surface is timed

Json measureExtraction(Simulation& sim, int tetrahedra)
{
    SurfaceMesh mesh;
    const double s = leastSecondsOf(repetitions, [&] {
        mesh =
            extractSurface(sim.liquid.grid, sim.liquid.solids, {tetrahedra, 0.5 * sim.liquid.grid.h}, sim.liquid.state);
    });
    return {{"name", fmt::format("extract/{}/{}", cells, tetrahedra)},
            {"seconds", s},
            {"triangles", int64_t(mesh.triangles.size())},
            {"vertices", int64_t(mesh.positions.size())},
            {"million_triangles_per_second", 1e-6 * double(mesh.triangles.size()) / s}};
}

BenchReport benchExtract(const Machine&)
{
    BenchReport report;
    report.goals = {{"million_triangles_per_second", "at least 2, with 24 tetrahedra on two cores"}};
    report.notes = {
        "The dam break after 0.5 s of simulated time. Extraction is from phi to the finished mesh, with "
        "normals and velocities."};
    announce(fmt::format("extract: a dam break at {}^3 until {} s", cells, splash_s));
    Simulation sim(damBreak(cells, Filling::dam, cfl));
    while (sim.liquid.state.t_s < splash_s * (1 - 1e-9)) stepTowardsFrame(sim);
    for (int tetrahedra : {6, 24, 48, 192}) report.results.push_back(measureExtraction(sim, tetrahedra));
    const double volume_s =
        leastSecondsOf(repetitions, [&] { liquidVolume(sim.liquid.grid, sim.liquid.solids, sim.liquid.state); });
    report.results.push_back({{"name", fmt::format("extract/{}/volume", cells)}, {"seconds", volume_s}});
    return report;
}

}  // namespace

const Benchmark extract_benchmark{"extract", benchExtract};

}  // namespace flotsam
