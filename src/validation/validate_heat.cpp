// Heat in liquid at rest: a cosine decays by the discrete factor of the scheme, the front at a hot wall follows
// Fourier's solution, and melting with latent heat follows Stefan's.
#include <cmath>

#include "validation/heat_cases.h"
#include "validation/validate_case.h"

namespace flotsam {

namespace {

std::vector<Finding> measureHeatMode(const std::filesystem::path&)
{
    CosineMode mode({48, 32, 24}, 1e-3);
    for (int n = 0; n < 50; ++n) mode.step(0.4);
    return {absoluteFinding("max |T - factor^50 mode| / amplitude", mode.error(), 0, 1e-6),
            absoluteFinding("change of the total heat", mode.sim.liquid.heatNow() / mode.heat_J - 1, 0, 1e-8)};
}

std::vector<Finding> measureErfFront(const std::filesystem::path&)
{
    return {absoluteFinding("64 cells: max |T - T0 erfc| / T0", erfError(64, 256), 0, 0.01),
            absoluteFinding("128 cells: max |T - T0 erfc| / T0", erfError(128, 1024), 0, {})};
}

std::vector<Finding> measureStefan(const std::filesystem::path&)
{
    struct Case {
        const char* what;
        double stefan_number, lambda;
    };
    std::vector<Finding> findings;
    for (const Case& c : {Case{"St 0.1, 64 cells", 0.1, 0.2200163}, Case{"St 1, 64 cells", 1, 0.6200626}}) {
        double front_m = 0, exact_m = 0;
        const double worst = stefanError(64, c.stefan_number, c.lambda, front_m, exact_m);
        findings.push_back(relativeFinding(std::string(c.what) + ": front at 3/4 [m]", front_m, exact_m, 0.02));
        findings.push_back(absoluteFinding(std::string(c.what) + ": worst of 1/4 to 3/4", worst, 0, 0.02));
    }
    return findings;
}

// A hot spot after one revolution, by each scheme, and heat in a closed sloshing tank.
std::vector<Finding> measureHeatCarried(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (HeatConvection scheme : {HeatConvection::upwind, HeatConvection::semi_lagrangian, HeatConvection::cubic}) {
        const std::string name = heat_convection_words[int(scheme)];
        const TurnedSpot spot = rotateHotSpot(scheme, 64, 200);
        findings.push_back(absoluteFinding(name + ": peak after one revolution", spot.peak, 1, {}));
        findings.push_back(absoluteFinding(name + ": error, one revolution", spot.error, 0, {}));
        findings.push_back(absoluteFinding(name + ": corrected, one revolution", spot.corrected, 0, {}));
        const SloshedHeat tank = sloshHeat(scheme, {64, 48, 1}, 2);
        findings.push_back(absoluteFinding(name + ": sloshing, change of heat", tank.change, 0, 1e-5));
        findings.push_back(
            absoluteFinding(name + ": sloshing, out of range [K]", std::max(tank.below_K, tank.above_K), 0, {}));
        findings.push_back(absoluteFinding(name + ": sloshing, corrected", tank.corrected, 0, {}));
    }
    return findings;
}

}  // namespace

const ValidationCase heat_mode{"heat-mode", measureHeatMode};
const ValidationCase erf_front{"erf-front", measureErfFront};
const ValidationCase stefan{"stefan", measureStefan};

const ValidationCase heat_carried{"heat-carried", measureHeatCarried};

}  // namespace flotsam
