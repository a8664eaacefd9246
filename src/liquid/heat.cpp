#include "liquid/heat.h"

#include <algorithm>
#include <cmath>

#include "liquid/heat_rounding.h"
#include "liquid/liquid_fraction.h"

namespace flotsam {

namespace {

// The cells whose centres lie in the bounds of a shape, grown by one cell.
IndexBox cellsOf(const Grid& grid, const Shape& shape)
{
    const Bounds b = shape.bounds();
    IndexBox box;
    for (int a = 0; a < 3; ++a) {
        box.lo[a] = int(std::clamp(std::floor(b.lo[a] / grid.h) - 1, 0.0, double(grid.cells[a])));
        box.hi[a] = int(std::clamp(std::ceil(b.hi[a] / grid.h) + 1, 0.0, double(grid.cells[a])));
    }
    return box;
}

float fixedEnthalpy(const HeatParams& heat, double temperature_K)
{
    return float(Melting(heat).enthalpyOf(temperature_K));
}

}  // namespace

std::vector<HeatSource> makeHeatSources(const Grid& grid, const std::vector<HeatSourceSpec>& specs)
{
    std::vector<HeatSource> sources;
    for (const HeatSourceSpec& spec : specs) {
        HeatSource source{spec, {}};
        const auto shape = makeShape(spec.shape, 0.5 * grid.h);
        forEachCell(cellsOf(grid, *shape), [&](int i, int j, int k) {
            if (shape->signedDistance(cellPosition(grid.h, {i, j, k})) < 0) source.cells.push_back({i, j, k});
        });
        sources.push_back(std::move(source));
    }
    return sources;
}

void loadEnthalpy(const Grid& grid, const HeatParams& heat, LiquidState& s, View3<float> e)
{
    const BrickSet around(grid.bricks, dilated(grid.bricks, s.active.list));
    const View3<const float> T = s.temperature, melted = s.melted;
    const float latent = float(Melting(heat).latent_K);
    parallelFor("heat.load", around, [=](int i, int j, int k) {
        e(i, j, k) = latent > 0 && T(i, j, k) != 0 ? T(i, j, k) + latent * melted(i, j, k) : T(i, j, k);
    });
}

void storeEnthalpy(const HeatParams& heat, const BrickSet& set, View3<const float> e, LiquidState& s)
{
    const View3<float> T = s.temperature, melted = s.melted;
    const Melting melting(heat);
    parallelFor("heat.store", set, [=](int i, int j, int k) {
        T(i, j, k) = melting.latent_K > 0 ? float(melting.temperatureOf(e(i, j, k))) : e(i, j, k);
        if (melting.latent_K > 0) melted(i, j, k) = float(melting.meltedFraction(e(i, j, k)));
    });
}

void fillLiquidFractions(const Grid& grid, const Solids& barriers, LiquidState& s, LiquidScratch& w)
{
    const LiquidFraction fraction_of(grid, barriers, s.phi);
    const View3<float> fraction = w.heat.fraction;
    const BrickSet left(grid.bricks, without(grid.bricks, w.heat.filled, s.active.list));
    parallelFor("heat.fractions", left, [=](int i, int j, int k) { fraction(i, j, k) = 0; });
    w.heat.filled = s.active.list;
    parallelBoxes("heat.fractions", s.active, [&](IndexBox strip) {
        barriers.forBricks(strip, [&](IndexBox box, bool solid) {
            forEachCell(box, [&](int i, int j, int k) { fraction(i, j, k) = fraction_of({i, j, k}, solid); });
        });
    });
}

HeatTotals measureHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, LiquidState& s)
{
    const LiquidFraction fraction_of(grid, barriers, s.phi);
    const View3<const float> T = s.temperature, melted = s.melted;
    const double latent = Melting(heat).latent_K;
    return parallelSum<HeatTotals>("heat.measure", s.active, [&](IndexBox strip) {
        HeatTotals totals;
        barriers.forBricks(strip, [&](IndexBox box, bool solid) {
            forEachCell(box, [&](int i, int j, int k) {
                const double fraction = fraction_of({i, j, k}, solid);
                if (fraction == 0) return;
                totals += {fraction, fraction * (T(i, j, k) + (latent > 0 ? latent * melted(i, j, k) : 0))};
            });
        });
        return totals;
    });
}

double leavingHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, LiquidState& s)
{
    const LiquidFraction fraction_of(grid, barriers, s.phi);
    const double latent = Melting(heat).latent_K;
    HeatTotals totals;
    for (int a = 0; a < 3; ++a)
        for (int side = 0; side < 2; ++side) {
            if (!grid.open[a][side]) continue;
            totals += parallelSum<HeatTotals>("heat.leaving", s.active, [&](IndexBox box) {
                HeatTotals part;
                if (side == 0 ? box.lo[a] != 0 : box.hi[a] != grid.cells[a]) return part;
                (side == 0 ? box.hi[a] : box.lo[a]) = side == 0 ? 1 : grid.cells[a] - 1;
                forEachCell(box, [&](int i, int j, int k) {
                    const Int3 c{i, j, k}, face = side == 0 ? c : c + unit(a);
                    const double speed = (side == 0 ? -1 : 1) * double(s.u.u[a].view()(face));
                    const double out = double(fraction_of(c, barriers.touches(c))) * std::max(speed, 0.0) *
                                       double(barriers.openFraction(a, face.x, face.y, face.z));
                    if (out == 0) return;
                    const double e = s.temperature.view()(c) + (latent > 0 ? latent * s.melted.view()(c) : 0);
                    part += {out, out * e};
                });
                return part;
            });
        }
    return totals.mean_K();
}

// A cell has the temperature of the last region that contains its centre, or else of the nearest region.
void startHeat(const Grid& grid, const Solids& barriers, const Scene& scene, LiquidState& s, LiquidScratch& w)
{
    struct Region {
        std::shared_ptr<const Shape> shape;
        float e;
    };
    std::vector<Region> regions;
    for (const RegionSpec& r : scene.liquid.regions)
        regions.push_back({makeShape(r.shape, 0.5 * grid.h),
                           fixedEnthalpy(scene.heat, r.temperature_K.value_or(scene.heat.temperature_K))});
    fillLiquidFractions(grid, barriers, s, w);
    loadEnthalpy(grid, scene.heat, s, w.heat.e);
    const View3<float> e = w.heat.e;
    const View3<const float> fraction = w.heat.fraction;
    parallelFor("heat.start", s.active, [&](int i, int j, int k) {
        if (fraction(i, j, k) == 0) return;
        double least = HUGE_VAL;
        for (const Region& region : regions) {
            const double d = region.shape->signedDistance(cellPosition(grid.h, {i, j, k}));
            if (d > std::max(least, 0.0)) continue;
            least = d;
            e(i, j, k) = region.e;
        }
    });
    extendHeat(grid, barriers, scene.heat, s, w);
}

// The temperature of a source also applies in the cells whose velocity the source prescribes.
void heatInflows(const Grid& grid, const std::vector<Source>& sources, const HeatParams& heat, LiquidState& s)
{
    const Melting melting(heat);
    for (const Source& source : sources) {
        if (!isOpen(source.spec, s.t_s)) continue;
        const double e = melting.enthalpyOf(source.spec.temperature_K.value_or(heat.temperature_K));
        forEachCell(cellsOf(grid, *source.shape), [&](int i, int j, int k) {
            if (source.shape->signedDistance(cellPosition(grid.h, {i, j, k})) >= 0.5 * grid.h) return;
            s.temperature.view()(i, j, k) = float(melting.temperatureOf(e));
            if (melting.latent_K > 0) s.melted.view()(i, j, k) = float(melting.meltedFraction(e));
        });
    }
}

// The power of a source is distributed over the liquid in its shape; without liquid there, no heat is added.
void applyHeatSources(const LiquidParams& liquid, const HeatParams& heat, const std::vector<HeatSource>& sources,
                      double dt_s, LiquidState& s, LiquidScratch& w)
{
    const View3<float> e = w.heat.e;
    const View3<const float> fraction = w.heat.fraction;
    const View3<uint8_t> fixed = w.heat.fixed;
    parallelFor("heat.sources", s.active, [=](int i, int j, int k) { fixed(i, j, k) = 0; });
    const double all = parallelSum<double>("heat.sources", s.active, [&](IndexBox box) {
        double sum = 0;
        forEachCell(box, [&](int i, int j, int k) { sum += fraction(i, j, k); });
        return sum;
    });
    for (const HeatSource& source : sources) {
        if (!isOpen(source.spec, s.t_s)) continue;
        double inside = 0;
        for (Int3 c : source.cells) inside += fraction(c);
        if (inside == 0) continue;
        const double cell_m3 = s.volume_target_m3 / all;
        const double capacity_J_K = liquid.density_kg_m3 * heat.specific_heat_J_kg_K * cell_m3 * inside;
        for (Int3 c : source.cells) {
            if (fraction(c) == 0) continue;
            fixed(c) = source.spec.temperature_K ? 1 : fixed(c);
            if (source.spec.temperature_K)
                e(c) = fixedEnthalpy(heat, *source.spec.temperature_K);
            else if (capacity_J_K > 0)
                e(c) = roundByChance(e(c) + *source.spec.power_W * dt_s / capacity_J_K, uint64_t(s.step),
                                     uint64_t(&e(c) - e.origin), 3 + uint64_t(&source - sources.data()));
        }
    }
}

}  // namespace flotsam
