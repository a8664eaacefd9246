#include "liquid/one_cell_wide.h"

#include <gtest/gtest.h>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

constexpr Int3 middle{8, 8, 0};

// phi at the central cell after a step of 0.01 s, in cells. A sheet of the given width, of liquid or of air, is centred
// there; its normal is x, along which the velocity grows by strain_1_s.
double phiInTheMiddle(double width_cells, bool liquid, double strain_1_s)
{
    Scene scene = closedTank({17, 17, 1});
    scene.liquid.regions = {liquidEverywhere()};
    Simulation sim(scene);
    const double h = sim.liquid.grid.h, x_m = 8.5 * h;
    setPhi(sim, [&](Vec3 p) { return (liquid ? 1 : -1) * (std::abs(p.x - x_m) - 0.5 * width_cells * h); });
    setVelocity(sim, [&](Vec3 p) { return Vec3{strain_1_s * (p.x - x_m), -strain_1_s * p.y, 0}; });
    moveOneCellWide(sim.liquid.grid, sim.liquid.solids, 0.01, sim.liquid.state);
    return double(sim.liquid.state.phi.view()(middle)) / h;
}

TEST(OneCellWide, AThreadThatIsStretchedThinsInProportion)
{
    EXPECT_NEAR(phiInTheMiddle(1.0, true, -2), -0.5 * 0.98, 1e-5);
    EXPECT_NEAR(phiInTheMiddle(0.4, true, -2), -0.2 * 0.98, 1e-5);
    EXPECT_NEAR(phiInTheMiddle(1.0, true, 2), -0.5 * 1.02, 1e-5);
    EXPECT_EQ(phiInTheMiddle(0.4, true, -200), 0);  // no further than to zero
}

TEST(OneCellWide, AGapClosesAndOpensWithTheLiquidNextToIt)
{
    EXPECT_NEAR(phiInTheMiddle(1.0, false, -2), 0.5 - 0.01, 1e-5);
    EXPECT_NEAR(phiInTheMiddle(0.6, false, -2), 0.3 - 0.01, 1e-5);
    EXPECT_NEAR(phiInTheMiddle(0.6, false, 2), 0.3 + 0.01, 1e-5);
    EXPECT_LT(phiInTheMiddle(0.6, false, -100), 0);  // closed
}

TEST(OneCellWide, AnythingWiderIsLeftToTheTransport)
{
    EXPECT_NEAR(phiInTheMiddle(3.2, true, -2), -1.6, 1e-5);
    EXPECT_NEAR(phiInTheMiddle(3.2, false, -2), 1.6, 1e-5);
}

}  // namespace
}  // namespace flotsam
