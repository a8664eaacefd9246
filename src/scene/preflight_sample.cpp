#include "scene/preflight_sample.h"

#include <fmt/format.h>

#include "core/error.h"
#include "core/parallel.h"

namespace flotsam {

namespace {

constexpr long long most_samples = 1LL << 27;  // above, every second cell along each axis represents eight cells
constexpr int most_tasks = 64;                 // each has its own counts for all shapes

template <class Spec>
std::vector<std::shared_ptr<const Shape>> makeAll(const std::vector<Spec>& specs, double voxel_m)
{
    std::vector<std::shared_ptr<const Shape>> shapes;
    for (const Spec& spec : specs) try {
            shapes.push_back(makeShape(spec.shape, voxel_m));
        } catch (const InputError& e) {
            throw InputError(spec.where.empty() ? e.what() : fmt::format("{}: {}", spec.where, e.what()));
        }
    return shapes;
}

// A shape and its bounds extended by one cell.
struct Probe {
    const Shape* shape;
    size_t number;  // index in its list of the scene
    Vec3 lo, hi;

    bool meets(const Bounds& b) const
    {
        return b.hi.x >= lo.x && b.hi.y >= lo.y && b.hi.z >= lo.z && b.lo.x <= hi.x && b.lo.y <= hi.y && b.lo.z <= hi.z;
    }
    double distance(Vec3 p) const
    {
        const bool near = p.x >= lo.x && p.y >= lo.y && p.z >= lo.z && p.x <= hi.x && p.y <= hi.y && p.z <= hi.z;
        return near ? shape->signedDistance(p) : 1e300;
    }
};

std::vector<Probe> probesOf(const std::vector<std::shared_ptr<const Shape>>& shapes, double h)
{
    std::vector<Probe> probes;
    for (const auto& s : shapes) {
        const Bounds b = s->bounds();
        probes.push_back({s.get(), probes.size(), b.lo - Vec3{h, h, h}, b.hi + Vec3{h, h, h}});
    }
    return probes;
}

std::vector<Probe> probesIn(const std::vector<Probe>& probes, const Bounds& bounds)
{
    std::vector<Probe> near;
    std::copy_if(probes.begin(), probes.end(), std::back_inserter(near),
                 [&](const Probe& probe) { return probe.meets(bounds); });
    return near;
}

struct Probes {
    std::vector<Probe> regions, sources, solids;

    // The shapes that intersect some bounds: of many thousands of shapes few are near a brick.
    Probes in(const Bounds& bounds) const
    {
        return {probesIn(regions, bounds), probesIn(sources, bounds), probesIn(solids, bounds)};
    }
};

struct Sampler {
    double h;
    Int3 cells;
    Vec3 up;  // against gravity

    Bounds boundsOf(IndexBox box) const
    {
        return {h * Vec3{double(box.lo.x), double(box.lo.y), double(box.lo.z)},
                h * Vec3{double(box.hi.x), double(box.hi.y), double(box.hi.z)}};
    }

    // Counts the shapes that contain p; returns the distance of their union.
    static double countShapes(const std::vector<Probe>& probes, Vec3 p, bool in_solid, long long weight,
                              std::vector<ShapeCount>& counts)
    {
        double nearest = 1e300;
        for (const Probe& probe : probes) {
            const double d = probe.distance(p);
            nearest = std::min(nearest, d);
            if (d < 0) counts[probe.number].cells += weight;
            if (d < 0 && in_solid) counts[probe.number].in_solid += weight;
        }
        return nearest;
    }

    // True if the cell at p contains liquid.
    bool add(const Probes& probes, Vec3 p, long long weight, SceneSample& s) const
    {
        const bool in_solid = countShapes(probes.solids, p, false, weight, s.solids) < 0;
        const double phi = countShapes(probes.regions, p, in_solid, weight, s.regions);
        const bool in_source = countShapes(probes.sources, p, in_solid, weight, s.sources) < 0;
        if (in_solid) {
            s.solid += weight;
            return false;
        }
        if (phi < 0 || in_source) s.fall_m = std::max(s.fall_m, dot(up, p));
        if (phi < 0) s.liquid += weight;
        if (phi < 0 && phi > -h) s.surface += weight;
        return phi < 0;
    }

    // One brick; true if it contains liquid.
    bool addBrick(const Probes& row, IndexBox box, int stride, SceneSample& s) const
    {
        const Probes probes = row.in(boundsOf(box));
        bool liquid = false;
        const long long weight = 1LL * stride * stride * stride;
        for (int k = box.lo.z; k < box.hi.z; k += stride)
            for (int j = box.lo.y; j < box.hi.y; j += stride)
                for (int i = box.lo.x; i < box.hi.x; i += stride) {
                    if (!add(probes, h * Vec3{i + 0.5, j + 0.5, k + 0.5}, weight, s)) continue;
                    liquid = true;
                    s.walled += 1LL * stride * stride * sidesReached({i, j, k}, stride);
                }
        return liquid;
    }

    int sidesReached(Int3 c, int stride) const
    {
        int sides = 0;
        for (int a = 0; a < 3; ++a) sides += int(c[a] == 0) + int(c[a] + stride >= cells[a]);
        return sides;
    }
};

void addCounts(const std::vector<ShapeCount>& from, std::vector<ShapeCount>& into)
{
    for (size_t i = 0; i < from.size(); ++i) {
        into[i].cells += from[i].cells;
        into[i].in_solid += from[i].in_solid;
    }
}

void addSample(const SceneSample& from, SceneSample& into)
{
    into.liquid += from.liquid;
    into.solid += from.solid;
    into.surface += from.surface;
    into.walled += from.walled;
    into.fall_m = std::max(into.fall_m, from.fall_m);
    addCounts(from.regions, into.regions);
    addCounts(from.sources, into.sources);
    addCounts(from.solids, into.solids);
}

}  // namespace

SceneShapes makeShapes(const Scene& scene)
{
    const double voxel_m = 0.5 * scene.domain.h();
    return {makeAll(scene.liquid.regions, voxel_m), makeAll(scene.liquid.sources, voxel_m),
            makeAll(scene.solids, voxel_m), makeAll(scene.heat.sources, voxel_m)};
}

SceneSample sampleScene(const Scene& scene, const SceneShapes& shapes)
{
    const DomainParams& d = scene.domain;
    const double h = d.h();
    const Vec3 up = normalized(-d.gravity_m_s2), size = d.size_m();
    const double lowest = std::min(0., up.x) * size.x + std::min(0., up.y) * size.y + std::min(0., up.z) * size.z;
    const Sampler sampler{h, d.cells, up};
    const Probes probes{probesOf(shapes.regions, h), probesOf(shapes.sources, h), probesOf(shapes.solids, h)};
    const int stride = product(d.cells) > most_samples ? 2 : 1;

    const Bricks bricks(d.cells);
    std::vector<uint8_t> wet(size_t(bricks.total()));
    SceneSample start;
    start.regions.resize(probes.regions.size());
    start.sources.resize(probes.sources.size());
    start.solids.resize(probes.solids.size());
    start.fall_m = lowest;
    const int rows = bricks.count.z * bricks.count.y, tasks = std::min(rows, most_tasks);
    std::vector<SceneSample> samples(size_t(tasks), start);
    parallelTasks("check.sample", tasks, [&](int task) {
        for (int row = task; row < rows; row += tasks) {
            const int first = row * bricks.count.x, end = first + bricks.count.x;
            const Probes near = probes.in(sampler.boundsOf({bricks.box(first).lo, bricks.box(end - 1).hi}));
            for (int b = first; b < end; ++b)
                wet[size_t(b)] = sampler.addBrick(near, bricks.box(b), stride, samples[size_t(task)]);
        }
    });
    for (const SceneSample& sample : samples) addSample(sample, start);
    start.fall_m -= lowest;
    for (int b : dilated(bricks, listOf(wet))) start.active += product(bricks.box(b).size());
    return start;
}

}  // namespace flotsam
