#include <fmt/format.h>

#include <algorithm>

#include "scene/preflight_checks.h"

namespace flotsam {

namespace {

constexpr double boiling_K = 373.15;   // of water
constexpr double much_hotter_K = 100;  // for liquids hotter than that from the start

std::string placed(const std::string& where, const std::string& message)
{
    return where.empty() ? message : fmt::format("{}: {}", where, message);
}

bool liesOutside(const Bounds& b, const DomainParams& d)
{
    const Vec3 size = d.size_m();
    for (int a = 0; a < 3; ++a)
        if (b.lo[a] >= size[a] || b.hi[a] <= 0) return true;
    return false;
}

double warmestStart(const Scene& scene)
{
    double warmest = 0;
    for (const RegionSpec& r : scene.liquid.regions)
        warmest = std::max(warmest, r.temperature_K.value_or(scene.heat.temperature_K));
    for (const SourceSpec& s : scene.liquid.sources)
        warmest = std::max(warmest, s.temperature_K.value_or(scene.heat.temperature_K));
    return warmest;
}

// Total energy of the sources with a power over the run [J].
double energyOf(const Scene& scene)
{
    double joules = 0;
    for (const HeatSourceSpec& s : scene.heat.sources)
        joules += s.power_W.value_or(0) * std::max(std::min(s.to_s, scene.time.seconds) - s.from_s, 0.0);
    return joules;
}

}  // namespace

std::vector<std::string> findHeatWarnings(const Scene& scene, const SceneShapes& shapes, const Preflight& estimate)
{
    std::vector<std::string> list;
    if (!scene.heat.on) return list;
    for (size_t i = 0; i < shapes.heat_sources.size(); ++i) {
        const HeatSourceSpec& s = scene.heat.sources[i];
        if (liesOutside(shapes.heat_sources[i]->bounds(), scene.domain))
            list.push_back(placed(s.where, fmt::format("heat.source.{} lies wholly outside the domain; move it", i)));
        if (s.from_s >= scene.time.seconds)
            list.push_back(
                placed(s.where, fmt::format("heat.source.{} starts at {} s, after the end of the run at {} s", i,
                                            s.from_s, scene.time.seconds)));
    }
    const double capacity_J_K = scene.liquid.density_kg_m3 * scene.heat.specific_heat_J_kg_K *
                                (estimate.liquid_volume_m3 + estimate.inflow_volume_m3);
    const double start_K = warmestStart(scene), end_K = start_K + energyOf(scene) / std::max(capacity_J_K, 1e-300);
    if (end_K > std::max(boiling_K, start_K + much_hotter_K))
        list.push_back(placed(scene.file, fmt::format("the heat sources would bring the liquid from {:.4g} K to about "
                                                      "{:.4g} K; it would boil, which is not simulated: lower power_W",
                                                      start_K, end_K)));
    return list;
}

}  // namespace flotsam
