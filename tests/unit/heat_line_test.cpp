#include "liquid/heat_line.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"

namespace flotsam {
namespace {

// Cells of random liquid fraction and state, faces of random open fraction, with some walls and air.
HeatLine randomLine(uint64_t seed, size_t n, const Melting& melting, bool insulated)
{
    HeatLine line;
    line.resize(n);
    for (size_t i = 0; i < n; ++i) {
        const auto r = [&](uint64_t what) { return randomUnit(seed, i, what); };
        line.mass[i] = 0.001 + 0.999 * r(0);
        line.e[i] = melting.melting_K - 40 + (80 + melting.latent_K) * r(1);
        line.between[i] = r(2) < 0.1 || i + 1 == n ? 0 : std::pow(10, 3 * r(3) - 1);
        const double wall_K = melting.melting_K - 60 + 120 * r(4);
        line.sink[i] = insulated || r(5) < 0.7 ? 0 : 5 * r(6);
        line.sink_K[i] = line.sink[i] * wall_K;
        line.fixed[i] = !insulated && r(7) < 0.05;
    }
    return line;
}

// The largest |mass (e' - e) - inflow of heat by the temperatures T(e')|.
double residual(const Melting& melting, const HeatLine& before, const HeatLine& after)
{
    double worst = 0;
    const size_t n = before.mass.size();
    const auto T = [&](size_t i) { return melting.temperatureOf(after.e[i]); };
    for (size_t i = 0; i < n; ++i) {
        double gain = before.sink_K[i] - before.sink[i] * T(i);
        if (i > 0) gain += before.between[i - 1] * (T(i - 1) - T(i));
        if (i + 1 < n) gain += before.between[i] * (T(i + 1) - T(i));
        const double wrong =
            before.fixed[i] ? after.e[i] - before.e[i] : before.mass[i] * (after.e[i] - before.e[i]) - gain;
        worst = std::max(worst, std::abs(wrong));
    }
    return worst;
}

TEST(HeatLine, SolvesTheImplicitStepOfAnyRow)
{
    const Melting none(0, 300);
    for (uint64_t seed = 1; seed <= 200; ++seed) {
        const HeatLine before = randomLine(seed, 1 + seed % 40, none, false);
        HeatLine after = before;
        conductAlong(none, after);
        EXPECT_LT(residual(none, before, after), 1e-9) << seed;
    }
}

TEST(HeatLine, SolvesTheImplicitStepOfAnyRowThatMelts)
{
    const Melting melting(30, 300);
    for (uint64_t seed = 1; seed <= 500; ++seed) {
        const HeatLine before = randomLine(seed, 1 + seed % 60, melting, false);
        HeatLine after = before;
        conductAlong(melting, after);
        EXPECT_LT(residual(melting, before, after), 1e-6) << seed;
    }
}

TEST(HeatLine, AnInsulatedRowKeepsItsHeat)
{
    for (double latent_K : {0.0, 30.0}) {
        const Melting melting(latent_K, 300);
        for (uint64_t seed = 1; seed <= 50; ++seed) {
            HeatLine line = randomLine(seed, 40, melting, true);
            double before = 0, after = 0;
            for (size_t i = 0; i < 40; ++i) before += line.mass[i] * line.e[i];
            conductAlong(melting, line);
            for (size_t i = 0; i < 40; ++i) after += line.mass[i] * line.e[i];
            EXPECT_NEAR(after / before, 1, 1e-12);
        }
    }
}

TEST(HeatLine, MeltingTakesItsLatentHeatBeforeItGetsWarmer)
{
    const Melting melting(30, 300);
    HeatLine line;
    line.resize(1);
    line.mass[0] = 1, line.e[0] = 295, line.between[0] = 0, line.fixed[0] = 0;
    line.sink[0] = 0, line.sink_K[0] = 20;  // 20 K worth of heat per step
    conductAlong(melting, line);
    EXPECT_DOUBLE_EQ(line.e[0], 315);
    EXPECT_DOUBLE_EQ(melting.temperatureOf(line.e[0]), 300);
    EXPECT_DOUBLE_EQ(melting.meltedFraction(line.e[0]), 0.5);
    conductAlong(melting, line);
    EXPECT_DOUBLE_EQ(melting.temperatureOf(line.e[0]), 305);
    EXPECT_DOUBLE_EQ(melting.meltedFraction(line.e[0]), 1);
}

}  // namespace
}  // namespace flotsam
