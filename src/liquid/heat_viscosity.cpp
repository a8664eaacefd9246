#include "liquid/heat_viscosity.h"

#include <algorithm>
#include <cmath>

namespace flotsam {

namespace {

// Linear in log nu: wax and oil differ by five powers of ten, and halfway is their geometric mean.
double interpolated(const std::vector<HeatViscosity::Entry>& table, double T)
{
    if (!(T > table.front().temperature_K)) return table.front().viscosity_m2_s;
    if (T >= table.back().temperature_K) return table.back().viscosity_m2_s;
    const auto above = std::upper_bound(table.begin(), table.end(), T,
                                        [](double t, const HeatViscosity::Entry& e) { return t < e.temperature_K; });
    const auto below = above - 1;
    const double t = (T - below->temperature_K) / (above->temperature_K - below->temperature_K);
    return below->viscosity_m2_s * std::pow(above->viscosity_m2_s / below->viscosity_m2_s, t);
}

}  // namespace

float viscosityAt(const HeatParams& heat, float temperature_K)
{
    const HeatViscosity& v = heat.viscosity;
    if (v.law == ViscosityLaw::constant) return float(v.liquid_m2_s);
    if (v.law == ViscosityLaw::table) return float(interpolated(v.table, temperature_K));
    // 1 at from_K, 0 at to_K. Quadratic: its slope is zero where it meets the viscosity of the liquid.
    const double solid = std::clamp((v.to_K - temperature_K) / (v.to_K - v.from_K), 0.0, 1.0);
    const double part = v.law == ViscosityLaw::linear ? solid : solid * solid;
    return float(v.liquid_m2_s + part * (v.solid_m2_s - v.liquid_m2_s));
}

void fillViscosity(const HeatParams& heat, const BrickSet& set, View3<const float> temperature_K,
                   View3<float> viscosity_m2_s)
{
    parallelFor("heat.viscosity", set, [&](int i, int j, int k) {
        if (temperature_K(i, j, k) != 0) viscosity_m2_s(i, j, k) = viscosityAt(heat, temperature_K(i, j, k));
    });
}

}  // namespace flotsam
