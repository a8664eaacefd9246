// Lasting contact: a box on a turntable, a ball in a bowl.
#include <cmath>

#include "validation/lasting_cases.h"
#include "validation/validate_case.h"

namespace flotsam {
namespace {

constexpr double dt_s = 1.0 / 120;

// The order of accuracy from the errors of steps of twice the length and of the length.
double orderOf(double coarse, double fine) { return std::log2(std::abs(coarse) / std::abs(fine)); }

std::vector<Finding> measureTurntable(const std::filesystem::path&)
{
    const double half = rideTurntable(0.5, 20, dt_s).drift_m, finer = rideTurntable(0.5, 20, 0.5 * dt_s).drift_m;
    return {absoluteFinding("w2 r = 0.5 mu g, 20 s: drift [m]", half, 0, 1e-3),
            absoluteFinding("w2 r = 0.97 mu g, 20 s: drift [m]", rideTurntable(0.97, 20, dt_s).drift_m, 0, 1e-3),
            absoluteFinding("w2 r = 1.05 mu g: leaves", double(rideTurntable(1.05, 20, dt_s).drift_m > 0.05), 1, 0),
            absoluteFinding("w2 r = 0.5 mu g: order of the drift", orderOf(half, finer), 2, {})};
}

std::vector<Finding> measureBowl(const std::filesystem::path&)
{
    BowlSetup setup;
    const double period_s = bowlPeriod(setup), exact = bowlAngle(setup, 2);
    const BowlSwing swing = swingInBowl(setup, 8, dt_s);
    const double coarse = swingInBowl(setup, 2, 2 * dt_s).last_rad - exact,
                 fine = swingInBowl(setup, 2, dt_s).last_rad - exact;
    setup.mesh = true;
    const BowlSwing mesh = swingInBowl(setup, 8, dt_s);
    setup.mesh = false;
    setup.friction = 0;
    const BowlSwing sliding = swingInBowl(setup, 8, dt_s);
    return {absoluteFinding("exact shape, 8 s: amplitude left", swing.left, 1, 0.05),
            relativeFinding("exact shape: period [s]", swing.period_s, period_s, 0.01),
            absoluteFinding("mesh, 8 s: amplitude left", mesh.left, 1, 0.1),
            relativeFinding("mesh: period [s]", mesh.period_s, period_s, 0.01),
            absoluteFinding("without friction, 8 s: amplitude left", sliding.left, 1, 0.05),
            relativeFinding("without friction: period [s]", sliding.period_s, bowlPeriod(setup), 0.01),
            absoluteFinding("exact shape, 2 s: order of the angle", orderOf(coarse, fine), 2, {})};
}

}  // namespace

const ValidationCase turntable{"turntable", measureTurntable}, bowl{"bowl", measureBowl};

}  // namespace flotsam
