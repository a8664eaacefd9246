#include "liquid/heat_viscosity.h"

#include <gtest/gtest.h>

#include <cmath>

namespace flotsam {
namespace {

HeatParams ramp(ViscosityLaw law)
{
    HeatParams heat;
    heat.on = true;
    heat.viscosity = {law, 300, 320, 1e4, 0.1, {}};
    return heat;
}

TEST(HeatViscosity, ARampGoesFromTheSolidsToTheLiquids)
{
    for (ViscosityLaw law : {ViscosityLaw::linear, ViscosityLaw::quadratic}) {
        const HeatParams heat = ramp(law);
        EXPECT_FLOAT_EQ(viscosityAt(heat, 250), 1e4f);
        EXPECT_FLOAT_EQ(viscosityAt(heat, 300), 1e4f);
        EXPECT_FLOAT_EQ(viscosityAt(heat, 320), 0.1f);
        EXPECT_FLOAT_EQ(viscosityAt(heat, 400), 0.1f);
    }
    EXPECT_FLOAT_EQ(viscosityAt(ramp(ViscosityLaw::linear), 315), float(0.1 + 0.25 * 9999.9));
    EXPECT_FLOAT_EQ(viscosityAt(ramp(ViscosityLaw::quadratic), 315), float(0.1 + 0.0625 * 9999.9));
}

TEST(HeatViscosity, ATableIsInterpolatedInLogNu)
{
    HeatParams heat = ramp(ViscosityLaw::table);
    heat.viscosity.table = {{300, 1e4}, {310, 1}, {330, 0.01}};
    EXPECT_FLOAT_EQ(viscosityAt(heat, 200), 1e4f);
    EXPECT_FLOAT_EQ(viscosityAt(heat, 305), 100);
    EXPECT_FLOAT_EQ(viscosityAt(heat, 310), 1);
    EXPECT_FLOAT_EQ(viscosityAt(heat, 320), 0.1f);
    EXPECT_FLOAT_EQ(viscosityAt(heat, 330), 0.01f);
    EXPECT_FLOAT_EQ(viscosityAt(heat, 900), 0.01f);
}

TEST(HeatViscosity, AConstantLawIsTheLiquidsAndDoesNotVary)
{
    const HeatParams heat = ramp(ViscosityLaw::constant);
    EXPECT_FLOAT_EQ(viscosityAt(heat, 250), 0.1f);
    EXPECT_FALSE(viscosityVaries(heat));
    EXPECT_TRUE(viscosityVaries(ramp(ViscosityLaw::linear)));
}

TEST(HeatViscosity, FillsCellsWhoseTemperatureIsKnown)
{
    const Int3 cells{20, 9, 3};
    const Bricks bricks(cells);
    Field3<float> T(cells), nu(cells);
    forEachCell({{0, 0, 0}, cells}, [&](int i, int j, int k) {
        T.view()(i, j, k) = i == 7 ? 0 : 295 + float(i);
        nu.view()(i, j, k) = -1;
    });
    const HeatParams heat = ramp(ViscosityLaw::linear);
    fillViscosity(heat, BrickSet(bricks, listOf(std::vector<uint8_t>(size_t(bricks.total()), 1))), T, nu);
    EXPECT_EQ(nu.view()(7, 4, 1), -1);
    EXPECT_EQ(nu.view()(12, 8, 2), viscosityAt(heat, 307));
    EXPECT_EQ(nu.view()(0, 0, 0), 1e4f);
}

}  // namespace
}  // namespace flotsam
