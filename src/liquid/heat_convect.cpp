// Heat advection: a scheme that is not conservative, and a correction that makes it so.
#include <algorithm>
#include <cmath>

#include "liquid/heat.h"
#include "liquid/heat_rounding.h"

namespace flotsam {

namespace {

// Whether no thin solid or body separates two cells that are at most a few cells apart.
bool isSeen(const Solids& barriers, Int3 from, Int3 to)
{
    return !barriers.isNearThin(from) || barriers.sees(from, to);
}

// Interpolated heat at a point and the range of its samples; value 0: not known there.
struct HeatSample {
    float value = 0, low = 0, high = 0;
};

// Index of a sample along an axis and its neighbours, within the domain.
struct AxisIndex {
    int at[4];  // one below, the sample below, the one above, one further
    float t;

    AxisIndex(float index, int cells)
    {
        const float below = std::floor(index);
        t = index - below;
        for (int n = 0; n < 4; ++n) at[n] = std::clamp(int(below) - 1 + n, 0, cells - 1);
    }
};

void cubicWeights(float t, float (&w)[4])
{
    w[0] = t * (-0.5f + t * (1 - 0.5f * t));
    w[1] = 1 + t * t * (-2.5f + 1.5f * t);
    w[2] = t * (0.5f + t * (2 - 1.5f * t));
    w[3] = t * t * (-0.5f + 0.5f * t);
}

// Catmull-Rom interpolation; 0 if one of the 64 samples is not known.
float cubicAt(View3<const float> e, const AxisIndex& x, const AxisIndex& y, const AxisIndex& z)
{
    float wx[4], wy[4], wz[4], sum = 0;
    cubicWeights(x.t, wx), cubicWeights(y.t, wy), cubicWeights(z.t, wz);
    for (int c = 0; c < 4; ++c)
        for (int b = 0; b < 4; ++b) {
            const float* row = e.row(y.at[b], z.at[c]);
            const float v[4] = {row[x.at[0]], row[x.at[1]], row[x.at[2]], row[x.at[3]]};
            if (v[0] == 0 || v[1] == 0 || v[2] == 0 || v[3] == 0) return 0;
            sum += wy[b] * wz[c] * ((wx[0] * v[0] + wx[1] * v[1]) + (wx[2] * v[2] + wx[3] * v[3]));
        }
    return sum;
}

// Linear interpolation of the known samples among the eight; cubic where possible, limited to the range of the eight.
HeatSample sampleHeat(View3<const float> e, Float3 index, Int3 cells, bool cubic)
{
    const AxisIndex x(index.x, cells.x), y(index.y, cells.y), z(index.z, cells.z);
    float sum = 0, weights = 0;
    HeatSample s{0, HUGE_VALF, 0};
    for (int n = 0; n < 8; ++n) {
        const float weight = (n & 1 ? x.t : 1 - x.t) * (n & 2 ? y.t : 1 - y.t) * (n & 4 ? z.t : 1 - z.t);
        const float v = e(x.at[1 + (n & 1)], y.at[1 + (n >> 1 & 1)], z.at[1 + (n >> 2)]);
        if (v == 0 || weight == 0) continue;
        sum += weight * v, weights += weight;
        s.low = std::min(s.low, v), s.high = std::max(s.high, v);
    }
    if (weights == 0) return {};
    const float smooth = cubic ? cubicAt(e, x, y, z) : 0;
    s.value = std::clamp(smooth != 0 ? smooth : sum / weights, s.low, s.high);
    return s;
}

// Next to solids and bodies too thin for the grid to resolve: linear interpolation of the known samples among the eight
// that such a body does not hide from the cell.
HeatSample sampleSeenHeat(const Solids& barriers, View3<const float> e, Int3 from, Float3 index, Int3 cells)
{
    const AxisIndex x(index.x, cells.x), y(index.y, cells.y), z(index.z, cells.z);
    float sum = 0, weights = 0;
    HeatSample s{0, HUGE_VALF, 0};
    for (int n = 0; n < 8; ++n) {
        const Int3 q{x.at[1 + (n & 1)], y.at[1 + (n >> 1 & 1)], z.at[1 + (n >> 2)]};
        const float weight = (n & 1 ? x.t : 1 - x.t) * (n & 2 ? y.t : 1 - y.t) * (n & 4 ? z.t : 1 - z.t);
        if (e(q) == 0 || weight == 0 || !barriers.sees(from, q)) continue;
        sum += weight * e(q), weights += weight;
        s.low = std::min(s.low, e(q)), s.high = std::max(s.high, e(q));
    }
    if (weights == 0) return {};
    s.value = std::clamp(sum / weights, s.low, s.high);
    return s;
}

// For a cell whose departure point has no known heat: the mean of the known values around it, or mean_K if there are
// none.
HeatSample nearbyHeat(const Solids& barriers, View3<const float> e, Int3 c, Int3 cells, float mean_K)
{
    double sum = 0;
    int count = 0;
    forEachCell({max(c - Int3{1, 1, 1}, {0, 0, 0}), min(c + Int3{2, 2, 2}, cells)}, [&](int i, int j, int k) {
        if (e(i, j, k) != 0 && isSeen(barriers, c, {i, j, k})) sum += e(i, j, k), ++count;
    });
    const float v = count > 0 ? float(sum / count) : mean_K;
    return {v, v, v};
}

// e at the departure point of a cell's centre, by the midpoint rule.
void followPaths(const Grid& grid, const Solids& barriers, bool cubic, double dt_s, float mean_K, LiquidState& s,
                 HeatScratch& w)
{
    const View3<const float> e = w.e, fraction = w.fraction;
    const View3<float> out = w.e_new, low = w.low, high = w.high;
    const ConstMacView u = s.u;
    const float dt = float(dt_s / grid.h);
    const Int3 cells = grid.cells;
    parallelFor("heat.convect", s.active, [=, &barriers](int i, int j, int k) {
        const Int3 c{i, j, k};
        out(c) = 0;
        if (fraction(c) == 0) return;
        const Float3 x{float(i) + 0.5f, float(j) + 0.5f, float(k) + 0.5f};
        const Float3 half = clampTo(x - (0.5f * dt) * velocityAt(u, x), cells);
        const Float3 departure = clampTo(x - dt * velocityAt(u, half), cells);
        const Float3 index = centerIndex(departure);
        HeatSample h =
            barriers.isNearThin(c) ? sampleSeenHeat(barriers, e, c, index, cells) : sampleHeat(e, index, cells, cubic);
        if (h.value == 0) h = nearbyHeat(barriers, e, c, cells, mean_K);
        out(c) = h.value, low(c) = h.low, high(c) = h.high;
    });
}

// The largest |u| + |v| + |w| of a cell [m/s].
double largestSum(LiquidState& s)
{
    const ConstMacView u = s.u;
    return parallelMax("heat.convect", s.active, 0, [&](IndexBox box) {
        float most = 0;
        forEachCell(box, [&](int i, int j, int k) {
            most = std::max(most, 0.5f * (std::abs(u.u[0](i, j, k) + u.u[0](i + 1, j, k)) +
                                          std::abs(u.u[1](i, j, k) + u.u[1](i, j + 1, k)) +
                                          std::abs(u.u[2](i, j, k) + u.u[2](i, j, k + 1))));
        });
        return double(most);
    });
}

// One substep of T_t = -(u . grad) T with upwind differences (thesis 4.2), on every cell whose heat is known.
void upwindStep(const Grid& grid, const Solids& barriers, float dt, const BrickSet& set, const ConstMacView& u,
                View3<const float> e, View3<float> out)
{
    const Int3 cells = grid.cells;
    parallelFor("heat.convect", set, [=, &barriers](int i, int j, int k) {
        const Int3 c{i, j, k};
        const float here = e(c);
        float change = 0;
        for (int a = 0; a < 3 && here != 0; ++a) {
            const float v = 0.5f * (u.u[a](c) + u.u[a](c + unit(a)));
            Int3 q = c;
            q[a] = std::clamp(v > 0 ? c[a] - 1 : c[a] + 1, 0, cells[a] - 1);
            change += e(q) != 0 && isSeen(barriers, c, q) ? std::abs(v) * (e(q) - here) : 0;
        }
        out(c) = here + dt * change;
    });
}

void goUpwind(const Grid& grid, const Solids& barriers, double dt_s, float mean_K, LiquidState& s, HeatScratch& w)
{
    const Int3 cells = grid.cells;
    const View3<float> first = w.e, low = w.low, high = w.high, out = w.e_new;
    const View3<const float> fraction = w.fraction;
    parallelFor("heat.convect", s.active, [=, &barriers](int i, int j, int k) {
        const Int3 c{i, j, k};
        HeatSample h =
            first(c) != 0 ? HeatSample{first(c), first(c), first(c)} : nearbyHeat(barriers, first, c, cells, mean_K);
        for (int a = 0; a < 3; ++a)
            for (int side = -1; side <= 1; side += 2) {
                Int3 q = c;
                q[a] = std::clamp(c[a] + side, 0, cells[a] - 1);
                if (first(q) == 0 || !isSeen(barriers, c, q)) continue;
                h.low = std::min(h.low, first(q)), h.high = std::max(h.high, first(q));
            }
        low(c) = h.low, high(c) = h.high;
    });
    const double crossed = largestSum(s) * dt_s / grid.h;
    const int substeps = std::max(1, int(std::ceil(std::min(crossed, 100.0) / 0.9)));
    View3<float> from = w.e, to = w.e_new;
    for (int n = 0; n < substeps; ++n, std::swap(from, to))
        upwindStep(grid, barriers, float(dt_s / substeps / grid.h), s.active, s.u, from, to);
    parallelFor("heat.convect", s.active, [=](int i, int j, int k) {
        const float v = from(i, j, k) != 0 ? from(i, j, k) : low(i, j, k);
        out(i, j, k) = fraction(i, j, k) > 0 ? v : 0;
    });
}

struct Balance {
    double cells = 0, sum_K = 0;
    double bottom_K = 0, top_K = 0;             // sums of the lower and the upper limit of each cell
    double lowest_K = HUGE_VAL, highest_K = 0;  // over all cells
    Balance& operator+=(const Balance& o)
    {
        cells += o.cells, sum_K += o.sum_K, bottom_K += o.bottom_K, top_K += o.top_K;
        lowest_K = std::min(lowest_K, o.lowest_K), highest_K = std::max(highest_K, o.highest_K);
        return *this;
    }
};

Balance measureBalance(const BrickSet& set, HeatScratch& w)
{
    const View3<const float> e = w.e_new, low = w.low, high = w.high, fraction = w.fraction;
    return parallelSum<Balance>("heat.balance", set, [=](IndexBox box) {
        Balance b;
        forEachCell(box, [&](int i, int j, int k) {
            const double p = fraction(i, j, k), v = e(i, j, k);
            if (p == 0) return;
            const double bottom = std::min<double>(low(i, j, k), v), top = std::max<double>(high(i, j, k), v);
            b += {p, p * v, p * bottom, p * top, bottom, top};
        });
        return b;
    });
}

// How far each cell moves towards the limit of its own range and then, if that is not enough, towards that of all the
// liquid. The remainder is distributed evenly.
struct Shares {
    double own = 0, common = 0, rest_K = 0;

    Shares(double lack_K, double own_room_K, double common_room_K, double cells)
    {
        own = own_room_K > 0 ? std::min(lack_K / own_room_K, 1.0) : 0;
        lack_K -= own * own_room_K;
        common = common_room_K > 0 ? std::min(lack_K / common_room_K, 1.0) : 0;
        rest_K = (lack_K - common * common_room_K) / cells;
    }
};

// Corrects the heat that the scheme lost or gained (after Bermejo and Conde 2002). Each cell changes in proportion to
// its distance from the limit of the values that it was interpolated from. So no new extrema appear, a uniform
// temperature stays uniform, and unmixed liquid does not change. If that is not enough (a hot and a cold drop far
// apart, one of which grows in the level set), the range of all the liquid is used. Returns the error of the mean.
double balanceHeat(double mean_K, const BrickSet& set, uint64_t step, HeatScratch& w)
{
    constexpr uint64_t stage = ~uint64_t(0);  // random key, unlike those of the conduction axes and the sources
    const Balance b = measureBalance(set, w);
    const double lack = mean_K * b.cells - b.sum_K;
    // Rounding of the sums is not an error: correcting it would make a uniform temperature non-uniform.
    if (b.cells == 0 || std::abs(lack) < 1e-12 * b.sum_K) return 0;
    const bool up = lack > 0;
    const double end_K = up ? b.highest_K : b.lowest_K, sum_of_ends_K = up ? b.top_K : b.bottom_K;
    const Shares share(std::abs(lack), std::abs(sum_of_ends_K - b.sum_K), std::abs(end_K * b.cells - sum_of_ends_K),
                       b.cells);
    const double rest_K = up ? share.rest_K : -share.rest_K;
    const View3<const float> low = w.low, high = w.high, fraction = w.fraction;
    const View3<float> e = w.e_new;
    parallelFor("heat.balance", set, [=](int i, int j, int k) {
        if (fraction(i, j, k) == 0) return;
        float& to = e(i, j, k);
        const double v = to, own = up ? std::max<double>(high(i, j, k), v) : std::min<double>(low(i, j, k), v);
        const double better = v + share.own * (own - v) + share.common * (end_K - own) + rest_K;
        to = roundByChance(better, step, uint64_t(&to - e.origin), stage);
    });
    return -lack / b.cells;
}

}  // namespace

double convectHeat(const Grid& grid, const Solids& barriers, const HeatParams& heat, double dt_s, double mean_K,
                   LiquidState& s, LiquidScratch& w)
{
    fillLiquidFractions(grid, barriers, s, w);
    loadEnthalpy(grid, heat, s, w.heat.e);
    loadEnthalpy(grid, heat, s, w.heat.e_new);
    if (heat.convection == HeatConvection::upwind)
        goUpwind(grid, barriers, dt_s, float(mean_K), s, w.heat);
    else
        followPaths(grid, barriers, heat.convection == HeatConvection::cubic, dt_s, float(mean_K), s, w.heat);
    const double missed_K = balanceHeat(mean_K, s.active, uint64_t(s.step), w.heat);
    storeEnthalpy(heat, s.active, w.heat.e_new, s);
    return missed_K;
}

}  // namespace flotsam
