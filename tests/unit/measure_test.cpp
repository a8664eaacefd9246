#include "liquid/measure.h"

#include <gtest/gtest.h>

#include "tests/physics/scenes.h"

namespace flotsam {
namespace {

Simulation fullTank()
{
    Scene scene = closedTank({40, 20, 20});
    scene.liquid.regions = {liquidEverywhere()};
    return Simulation(scene);
}

TEST(FastestFace, IsWhereTheSpeedIs)
{
    Simulation sim = fullTank();
    setVelocity(sim, [](Vec3) { return Vec3{0.5, 0.25, 0}; });
    sim.liquid.state.u.u[1].view()(33, 7, 18) = -2;
    const FastestFace found = fastestFace(sim.liquid.grid, sim.liquid.state);
    EXPECT_EQ(found.speed_m_s, 2);
    EXPECT_EQ(found.speed_m_s, maxSpeed(sim.liquid.grid, sim.liquid.state));
    EXPECT_LT(length(found.at_m - centerOfFace(sim.liquid.grid, 1, {33, 7, 18})), 1e-12);
    EXPECT_LT(length(sim.liquid.measureNow().max_speed_at_m - found.at_m), 1e-12);
}

TEST(FastestFace, OfSeveralIsTheFirst)
{
    Simulation sim = fullTank();
    for (Int3 c : {Int3{35, 18, 18}, Int3{3, 2, 12}, Int3{20, 2, 1}}) sim.liquid.state.u.u[2].view()(c) = 1;
    for (int threads : {1, 2, 5}) {
        backend::setThreads(threads);
        EXPECT_LT(
            length(fastestFace(sim.liquid.grid, sim.liquid.state).at_m - centerOfFace(sim.liquid.grid, 2, {20, 2, 1})),
            1e-12);
    }
    backend::setThreads(0);
}

TEST(FastestFace, IsNowhereInStillLiquidAndAtTheFirstVelocityThatIsNotFinite)
{
    Simulation sim = fullTank();
    EXPECT_EQ(fastestFace(sim.liquid.grid, sim.liquid.state).speed_m_s, 0);
    EXPECT_TRUE(std::isnan(fastestFace(sim.liquid.grid, sim.liquid.state).at_m.x));
    sim.liquid.state.u.u[0].view()(4, 4, 4) = 7;
    sim.liquid.state.u.u[1].view()(30, 10, 10) = NAN;
    const FastestFace found = fastestFace(sim.liquid.grid, sim.liquid.state);
    EXPECT_TRUE(std::isnan(found.speed_m_s));
    EXPECT_LT(length(found.at_m - centerOfFace(sim.liquid.grid, 1, {30, 10, 10})), 1e-12);
}

}  // namespace
}  // namespace flotsam
