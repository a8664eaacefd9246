#include "liquid/cell_viscosity.h"

#include <cmath>

#include "liquid/solids.h"

namespace flotsam {

namespace {

constexpr float none = -1e30f;             // in a field of logarithms
constexpr float least_viscosity = 1e-12f;  // lower bound, in place of zero [m2/s]

float logOf(float nu) { return nu > 0 ? std::log(nu) : none; }

// Linear interpolation between the samples that have a value, `none` if there are none; `complete`: whether all eight
// have one.
struct Sample {
    float value, least, most;
    bool complete;
};
Sample sampleAt(View3<const float> f, Int3 cells, Float3 index)
{
    const GridPoint g(index);
    float sum = 0, weights = 0, least = 1e30f, most = none;
    bool complete = true;
    for (int n = 0; n < 8; ++n) {
        const int dx = n & 1, dy = n >> 1 & 1, dz = n >> 2;
        const Int3 c = min(max(Int3{g.i + dx, g.j + dy, g.k + dz}, {0, 0, 0}), cells - Int3{1, 1, 1});
        const float v = f(c);
        if (v == none) {
            complete = false;
            continue;
        }
        const float weight = (dx ? g.fx : 1 - g.fx) * (dy ? g.fy : 1 - g.fy) * (dz ? g.fz : 1 - g.fz);
        sum += weight * v;
        weights += weight;
        least = std::min(least, v);
        most = std::max(most, v);
    }
    return {weights > 1e-6f ? sum / weights : none, least, most, complete};
}

Float3 departurePoint(const ConstMacView& u, Int3 cells, float dt, int i, int j, int k)
{
    const Float3 x{float(i) + 0.5f, float(j) + 0.5f, float(k) + 0.5f};
    const Float3 half = clampTo(x - 0.5f * dt * velocityAt(u, x), cells);
    return clampTo(x - dt * velocityAt(u, half), cells);
}

}  // namespace

float CellViscosity::mean(const Int3* cells, int count) const
{
    if (!varies) return constant;
    float v[4];
    for (int n = 0; n < count; ++n) v[n] = at(cells[n]);
    if (count == 1) return v[0];
    float sum = 0;
    switch (kind) {
        case ViscosityMean::geometric:
            if (count == 4) return std::sqrt(std::sqrt(v[0] * v[1]) * std::sqrt(v[2] * v[3]));
            if (count == 2) return std::sqrt(v[0] * v[1]);
            return std::cbrt(v[0] * v[1] * v[2]);
        case ViscosityMean::arithmetic:
            for (int n = 0; n < count; ++n) sum += v[n];
            return sum / float(count);
        case ViscosityMean::harmonic:
            for (int n = 0; n < count; ++n) sum += 1 / v[n];
            return float(count) / sum;
    }
    return constant;
}

CellViscosity cellViscosity(const LiquidParams& prm, LiquidState& s)
{
    return {s.viscosity_varies, float(prm.viscosity_m2_s), prm.viscosity_mean, s.viscosity};
}

double largestViscosity(const CellViscosity& nu, LiquidState& s)
{
    if (!nu.varies) return double(nu.constant);
    return parallelMax("viscosity.largest", s.active, 0.0, [&](IndexBox box) {
        float most = 0;
        forEachCell(box, [&](int i, int j, int k) { most = std::max(most, nu.field(i, j, k)); });
        return double(most);
    });
}

bool viscosityVaries(const LiquidParams& prm)
{
    const auto differs = [&](const auto& spec) {
        return spec.viscosity_m2_s && *spec.viscosity_m2_s != prm.viscosity_m2_s;
    };
    for (const RegionSpec& region : prm.regions)
        if (differs(region)) return true;
    for (const SourceSpec& source : prm.sources)
        if (differs(source)) return true;
    return false;
}

void setViscosity(const Grid& grid, const Shape& shape, double viscosity_m2_s, LiquidState& s)
{
    const Bounds b = shape.bounds();
    IndexBox reach;
    for (int a = 0; a < 3; ++a) {
        reach.lo[a] = int(std::clamp(std::floor(b.lo[a] / grid.h), 0.0, double(grid.cells[a])));
        reach.hi[a] = int(std::clamp(std::ceil(b.hi[a] / grid.h), 0.0, double(grid.cells[a])));
    }
    const float nu = std::max(float(viscosity_m2_s), least_viscosity);
    parallelBoxes("viscosity.set", s.active, [&, field = s.viscosity.view()](IndexBox box) {
        forEachCell(intersection(box, reach), [&](int i, int j, int k) {
            if (shape.signedDistance(grid.h * Vec3{i + 0.5, j + 0.5, k + 0.5}) < 0) field(i, j, k) = nu;
        });
    });
}

void moveViscosity(const Grid& grid, double dt_s, LiquidState& s, LiquidScratch& w)
{
    const float dt = float(dt_s / grid.h), reach = float(grid.h) * float(grid.extension_layers);
    const Int3 cells = grid.cells;
    const ConstMacView u = s.u;
    const View3<const float> phi = s.phi;
    const View3<float> nu = s.viscosity, before = w.phi_new, after = w.distance;
    const BrickSet around(grid.bricks, dilated(grid.bricks, s.active.list));
    parallelFor("viscosity.logarithm", around, [=](int i, int j, int k) {
        before(i, j, k) = logOf(nu(i, j, k));
        after(i, j, k) = none;
    });
    parallelFor("viscosity.move", s.active, [=](int i, int j, int k) {
        if (phi(i, j, k) < reach)
            after(i, j, k) = sampleAt(before, cells, centerIndex(departurePoint(u, cells, dt, i, j, k))).value;
    });
    parallelFor("viscosity.correct", s.active, [=](int i, int j, int k) {
        const float there = after(i, j, k), old = before(i, j, k);
        nu(i, j, k) = 0;
        if (there == none) return;
        nu(i, j, k) = std::exp(there);
        if (old == none) return;
        const Sample from = sampleAt(before, cells, centerIndex(departurePoint(u, cells, dt, i, j, k)));
        const Sample back = sampleAt(after, cells, centerIndex(departurePoint(u, cells, -dt, i, j, k)));
        if (from.complete && back.complete)
            nu(i, j, k) = std::exp(std::clamp(there + 0.5f * (old - back.value), from.least, from.most));
    });
}

void extendViscosity(const Grid& grid, const LiquidParams& prm, LiquidState& s, LiquidScratch& w)
{
    const float reach = float(grid.h) * float(grid.extension_layers + 1);
    const float liquid = logOf(std::max(float(prm.viscosity_m2_s), least_viscosity));
    const View3<const float> phi = s.phi;
    const View3<float> nu = s.viscosity;
    View3<float> from = w.phi_new, to = w.distance;
    const BrickSet around(grid.bricks, dilated(grid.bricks, s.active.list));
    parallelBoxes("viscosity.extend", around, [&](IndexBox box) {
        for (int a = 0; a < 3; ++a) {  // no value comes from outside the domain
            if (box.lo[a] == 0) box.lo[a] = -1;
            if (box.hi[a] == grid.cells[a]) ++box.hi[a];
        }
        forEachCell(box, [=](int i, int j, int k) { from(i, j, k) = to(i, j, k) = none; });
    });
    parallelFor("viscosity.extend", s.active, [=](int i, int j, int k) {
        if (phi(i, j, k) < 0) from(i, j, k) = logOf(nu(i, j, k));
    });
    for (int pass = 0; pass <= grid.extension_layers; ++pass) {
        parallelFor("viscosity.extend", s.active, [=](int i, int j, int k) {
            float value = from(i, j, k);
            if (value == none && phi(i, j, k) < reach) {
                float sum = 0;
                int count = 0;
                for (float v : {from(i - 1, j, k), from(i + 1, j, k), from(i, j - 1, k), from(i, j + 1, k),
                                from(i, j, k - 1), from(i, j, k + 1)})
                    if (v != none) sum += v, ++count;
                if (count > 0) value = sum / float(count);
            }
            to(i, j, k) = value;
        });
        std::swap(from, to);
    }
    parallelFor("viscosity.extend", s.active, [=](int i, int j, int k) {
        const float value = from(i, j, k) == none && phi(i, j, k) < 0 ? liquid : from(i, j, k);
        nu(i, j, k) = value == none ? 0.0f : std::exp(value);
    });
}

}  // namespace flotsam
