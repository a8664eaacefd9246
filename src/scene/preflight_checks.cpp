#include "scene/preflight_checks.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace flotsam {

namespace {

std::string placed(const std::string& where, const std::string& message)
{
    return where.empty() ? message : fmt::format("{}: {}", where, message);
}

struct Warnings {
    const Scene& scene;
    const SceneShapes& shapes;
    const SceneSample& sample;
    const Preflight& estimate;
    std::vector<std::string> list;

    template <class... Args>
    void add(const std::string& where, fmt::format_string<Args...> text, Args&&... args)
    {
        list.push_back(placed(where, fmt::format(text, std::forward<Args>(args)...)));
    }
};

bool anyOpenFace(const DomainParams& d)
{
    return d.open[0][0] || d.open[0][1] || d.open[1][0] || d.open[1][1] || d.open[2][0] || d.open[2][1];
}

bool meetsDomain(const Bounds& b, const DomainParams& d)
{
    const Vec3 size = d.size_m();
    return b.lo.x < size.x && b.lo.y < size.y && b.lo.z < size.z && b.hi.x > 0 && b.hi.y > 0 && b.hi.z > 0;
}

// Warns if a shape covers no cell; true if it covers some.
bool checkPresence(Warnings& w, const std::string& where, const std::string& name, const Shape& shape, ShapeCount count)
{
    if (count.cells > 0) return true;
    if (meetsDomain(shape.bounds(), w.scene.domain))
        w.add(where, "{} holds no cell's centre; make it larger, or the cells smaller", name);
    else
        w.add(where, "{} lies wholly outside the domain; move it", name);
    return false;
}

// Mesh files are as often in millimetres as in metres.
void checkMeshSize(Warnings& w, const std::string& where, const std::string& name, const ShapeSpec& spec,
                   const Shape& shape)
{
    if (!std::holds_alternative<MeshShape>(spec)) return;
    const Vec3 size = shape.bounds().size(), tank = w.scene.domain.size_m();
    const double largest = std::max({size.x, size.y, size.z});
    if (largest > 10 * std::max({tank.x, tank.y, tank.z}))
        w.add(where,
              "the mesh of {} is {:.4g} m large, the tank {:.4g} m wide; is it in millimetres? then scale = 0.001",
              name, largest, tank.x);
}

void checkDepth(Warnings& w, const RegionSpec& region, const std::string& name)
{
    const auto* pool = std::get_if<PoolShape>(&region.shape);
    const double height_m = w.scene.domain.size_m().y;
    if (pool && pool->depth_m > 1.001 * height_m)
        w.add(region.where,
              "{} is a pool {:.4g} m deep in a tank {:.4g} m high, so it fills the tank; is depth_m in metres?", name,
              pool->depth_m, height_m);
}

void checkRegions(Warnings& w)
{
    for (size_t i = 0; i < w.shapes.regions.size(); ++i) {
        const RegionSpec& r = w.scene.liquid.regions[i];
        const ShapeCount count = w.sample.regions[i];
        const std::string name = fmt::format("liquid.region.{}", i);
        checkMeshSize(w, r.where, name, r.shape, *w.shapes.regions[i]);
        checkDepth(w, r, name);
        if (!checkPresence(w, r.where, name, *w.shapes.regions[i], count)) continue;
        if (count.in_solid > 0 && !std::holds_alternative<PoolShape>(r.shape))
            w.add(r.where, "{} overlaps solids: {:.2g} % of it is left out", name,
                  100. * double(count.in_solid) / double(count.cells));
    }
}

void checkSources(Warnings& w)
{
    for (size_t i = 0; i < w.shapes.sources.size(); ++i) {
        const SourceSpec& s = w.scene.liquid.sources[i];
        const std::string name = fmt::format("liquid.source.{}", i);
        checkMeshSize(w, s.where, name, s.shape, *w.shapes.sources[i]);
        checkPresence(w, s.where, name, *w.shapes.sources[i], w.sample.sources[i]);
        if (s.from_s >= w.scene.time.seconds)
            w.add(s.where, "{} starts at {} s, after the end of the run at {} s", name, s.from_s, w.scene.time.seconds);
        if (s.velocity_m_s == Vec3{}) w.add(s.where, "{} has no velocity_m_s, so it pours nothing", name);
    }
    const double tank_m3 = w.scene.domain.size_m().x * w.scene.domain.size_m().y * w.scene.domain.size_m().z;
    if (!anyOpenFace(w.scene.domain) && w.estimate.inflow_volume_m3 > tank_m3)
        w.add(w.scene.file,
              "the sources pour {:.3g} m3 into a closed tank of {:.3g} m3; open a face or end them earlier",
              w.estimate.inflow_volume_m3, tank_m3);
}

void checkSolids(Warnings& w)
{
    const DomainParams& d = w.scene.domain;
    const TimeParams& t = w.scene.time;
    const double fall_speed = std::sqrt(2 * length(d.gravity_m_s2) * w.sample.fall_m);
    const double dt_s = std::min({t.max_dt_s, 1 / t.fps, fall_speed > 0 ? t.cfl * d.h() / fall_speed : HUGE_VAL});
    for (size_t i = 0; i < w.shapes.solids.size(); ++i) {
        const SolidSpec& s = w.scene.solids[i];
        const std::string name = fmt::format("solid \"{}\"", s.name);
        checkMeshSize(w, s.where, name, s.shape, *w.shapes.solids[i]);
        if (!checkPresence(w, s.where, name, *w.shapes.solids[i], w.sample.solids[i]) && !s.moving()) continue;
        if (const double thick = thickness(s, *w.shapes.solids[i], d) / d.h(); thick < 2)
            w.add(
                s.where,
                "{} is {:.2g} cells thick: nothing leaks through it, but the surface next to it is tracked less well; "
                "use more cells",
                name, thick);
        if (const double ways = fastestPoint(s, *w.shapes.solids[i]) * dt_s / d.h(); ways > 1)
            w.add(s.where, "{} moves up to {:.2g} cells in a step of {:.2g} s; lower time.max_dt_s to {:.2g}", name,
                  ways, dt_s, dt_s / ways);
    }
}

void checkFilling(Warnings& w)
{
    const bool full = w.sample.liquid + w.sample.solid >= w.estimate.cells;
    if (full && !anyOpenFace(w.scene.domain))
        w.add(w.scene.file, "the closed box is full of liquid: there is no air and no surface");
    if (w.sample.liquid > 0 && w.sample.liquid * 1000 < w.estimate.cells && w.shapes.sources.empty())
        w.add(w.scene.file, "only {:.2g} % of the tank holds liquid; are all sizes in metres?",
              100. * double(w.sample.liquid) / double(w.estimate.cells));
}

void checkUnits(Warnings& w)
{
    const std::string& file = w.scene.file;
    const DomainParams& d = w.scene.domain;
    const double g = length(d.gravity_m_s2);
    if (g == 0) w.add(file, "domain.gravity_m_s2 is zero: nothing falls");
    if (g > 100) w.add(file, "gravity is {:.4g} m/s2, {:.2g} times the Earth's; is it in cm/s2 or mm/s2?", g, g / 9.81);
    if (d.gravity_m_s2.y > 0) w.add(file, "gravity points up: y is the height, so it is [0, -9.81, 0] on the Earth");
    if (d.width_m >= 100) w.add(file, "the tank is {:.4g} m wide; is domain.width_m in millimetres?", d.width_m);
    if (d.width_m < 0.01)
        w.add(file, "the tank is {:.4g} m wide: surface tension, which is not simulated, rules at that size",
              d.width_m);
    if (w.scene.liquid.density_kg_m3 < 50)
        w.add(file, "liquid.density_kg_m3 is {:.4g}; is it in g/cm3? water has 1000", w.scene.liquid.density_kg_m3);
}

void checkResources(Warnings& w, std::filesystem::path out)
{
    constexpr double gigabyte = 1e9;
    const double memory = double(sysconf(_SC_PHYS_PAGES)) * double(sysconf(_SC_PAGESIZE));
    const double needed = w.estimate.memory_bytes;
    if (needed > memory)
        throw InputError(placed(
            w.scene.file,
            fmt::format("the run needs about {:.2g} GB of memory, and this machine has {:.2g} GB; use fewer cells",
                        needed / gigabyte, memory / gigabyte)));
    if (needed > 0.8 * memory)
        w.add(w.scene.file,
              "the run needs about {:.2g} GB of memory, and this machine has {:.2g} GB; it may be short of some",
              needed / gigabyte, memory / gigabyte);
    std::error_code error;
    out = std::filesystem::absolute(out, error);
    while (!out.empty() && out != out.root_path() && !std::filesystem::exists(out, error)) out = out.parent_path();
    const auto space = std::filesystem::space(out, error);
    if (!error && double(space.available) < w.estimate.splash_disk_bytes)
        w.add(
            w.scene.file,
            "the output needs about {:.2g} GB of disk, {:.2g} GB where the liquid splashes, and {} has {:.2g} GB left",
            w.estimate.disk_bytes / gigabyte, w.estimate.splash_disk_bytes / gigabyte, out.string(),
            double(space.available) / gigabyte);
}

}  // namespace

void rejectImpossibleScene(const Scene& scene, const SceneSample& sample)
{
    if (sample.solid >= product(scene.domain.cells))
        throw InputError(placed(scene.file, "solids fill the whole domain; shrink them or enlarge the domain"));
    bool any_source = false;
    for (size_t i = 0; i < sample.sources.size(); ++i) {
        const ShapeCount& count = sample.sources[i];
        if (count.cells > 0 && count.in_solid == count.cells)
            throw InputError(placed(scene.liquid.sources[i].where,
                                    fmt::format("liquid.source.{} lies wholly inside solids; move it or them", i)));
        any_source = any_source || count.cells > 0;
    }
    if (sample.liquid == 0 && !any_source && scene.bodies.empty())
        throw InputError(placed(scene.file,
                                "no liquid: every region lies outside the domain or inside solids; check the sizes and "
                                "places of the regions, in metres from the tank's lowest corner"));
}

std::vector<std::string> findWarnings(const Scene& scene, const SceneShapes& shapes, const SceneSample& sample,
                                      const Preflight& estimate, const std::filesystem::path& out)
{
    Warnings w{scene, shapes, sample, estimate, {}};
    checkRegions(w);
    checkSources(w);
    if (scene.hasLiquid()) {
        checkSolids(w);
        checkFilling(w);
    }
    checkUnits(w);
    for (std::string& warning : findHeatWarnings(scene, shapes, estimate)) w.list.push_back(std::move(warning));
    checkResources(w, out);
    return std::move(w.list);
}

}  // namespace flotsam
