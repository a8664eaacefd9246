#include "bench/dam_break.h"

#include "core/error.h"
#include "core/time_loop.h"

namespace flotsam {

Scene damBreak(int cells_along_side, Filling filling, double cfl)
{
    Scene scene;
    scene.domain.cells = {cells_along_side, cells_along_side, cells_along_side};
    scene.time.cfl = cfl;
    const Vec3 corner_m = filling == Filling::dam ? Vec3{0.4, 0.6, 1} : Vec3{1, 0.95, 1};
    scene.liquid.regions.push_back({BoxShape{{0, 0, 0}, corner_m, {}}, {}});
    SolidSpec obstacle;
    obstacle.name = "obstacle";
    obstacle.shape = BoxShape{{0.6, -0.1, 0.35}, {0.75, 0.25, 0.65}, {}};
    scene.solids.push_back(obstacle);
    return scene;
}

StepReport stepTowardsFrame(Simulation& sim)
{
    const StepReport report = sim.stepTowards(frameEnd(sim.t_s(), sim.scene.time.fps));
    if (!std::isfinite(report.liquid.max_speed_m_s))
        throw SimulationError("the benchmark's dam break failed: its speed is not a number");
    return report;
}

}  // namespace flotsam
