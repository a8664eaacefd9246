// The time of a run without liquid: the steps are max_dt_s long, the bodies divide them as they need.
#pragma once

#include <cmath>

#include "liquid/step.h"

namespace flotsam {

inline double stepTowards(double t_end_s, const Simulation& sim)
{
    if (sim.scene.hasLiquid()) return sim.stepTowards(t_end_s);
    const double rest_s = t_end_s - sim.state.t_s;
    return rest_s / std::ceil(rest_s / sim.scene.time.max_dt_s * (1 - 1e-9));
}

inline StepReport stepClock(double dt_s, Simulation& sim)
{
    StepReport report;
    report.dt_s = dt_s;
    sim.state.t_s += dt_s;
    ++sim.state.step;
    return report;
}

}  // namespace flotsam
