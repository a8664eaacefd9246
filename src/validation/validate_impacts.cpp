// Collisions of several bodies at the same time.
#include <algorithm>

#include "validation/impact_cases.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

std::vector<Finding> measureThreeBalls(const std::filesystem::path&)
{
    double asymmetry = 0, momentum = 0, energy = 0, cue = 0;
    ThreeBalls setup;
    do {
        const ThreeBallsResult r = strikeTwoBalls(setup);
        asymmetry = std::max(asymmetry, r.asymmetry());
        momentum = std::max(momentum, r.momentum_error);
        energy = std::max(energy, r.energy_error);
        cue = r.cue_m_s.x;
    } while (std::next_permutation(setup.order.begin(), setup.order.end()));
    // A collision uses the normals at the start of its substep, at which the balls are still apart.
    setup.flight_m = 0.047;
    const ThreeBallsResult flown = strikeTwoBalls(setup);
    return {absoluteFinding("cue ball at 1 m/s, touching: speed [m/s]", cue, -0.2, 1e-9),
            absoluteFinding("6 orders of bodies: asymmetry [m/s]", asymmetry, 0, 1e-9),
            absoluteFinding("6 orders of bodies: momentum, relative", momentum, 0, 1e-9),
            absoluteFinding("6 orders of bodies: energy, relative", energy, 0, 1e-9),
            absoluteFinding("after a flight of 47 mm: asymmetry [m/s]", flown.asymmetry(), 0, 1e-9),
            absoluteFinding("after a flight of 47 mm: speed [m/s]", flown.cue_m_s.x, -0.2, std::nullopt)};
}

}  // namespace

const ValidationCase three_balls{"three-balls", measureThreeBalls};

}  // namespace flotsam
