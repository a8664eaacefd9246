// Viscous flows with exact solutions: Taylor-Green, Poiseuille, Couette, two layers, free flight, rigid rotation.
#include <fmt/format.h>

#include <cmath>

#include "validation/validate_case.h"
#include "validation/viscous_flows.h"

namespace flotsam {

namespace {

double orderOf(double coarse, double fine) { return std::log2(std::abs(coarse) / std::abs(fine)); }

// The order must be at least this; the error is the shortfall.
Finding orderFinding(std::string quantity, double order, double wanted, double gate)
{
    return {std::move(quantity), order, wanted, std::max(wanted - order, 0.0), gate};
}

std::vector<Finding> measureTaylorGreen(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (ViscousStress stress : {ViscousStress::component, ViscousStress::full}) {
        const char* word = viscous_stress_words[int(stress)];
        const double coarse = taylorGreenAmplitude(16, stress, 0.005) - 1;
        const double fine = taylorGreenAmplitude(32, stress, 0.005) - 1;
        findings.push_back(absoluteFinding(fmt::format("{}: amplitude error in space, 32 cells", word), fine, 0, 1e-3));
        findings.push_back(orderFinding(fmt::format("{}: order in space", word), orderOf(coarse, fine), 2, 0.2));
    }
    const double coarse = taylorGreenOfSteps(32, Advection::maccormack) - 1;
    const double fine = taylorGreenOfSteps(64, Advection::maccormack) - 1;
    findings.push_back(absoluteFinding("all stages, maccormack: amplitude error", fine, 0, 0.02));
    findings.push_back(orderFinding("all stages, dt ~ h: order (backward Euler)", orderOf(coarse, fine), 1, 0.2));
    return findings;
}

std::vector<Finding> measurePoiseuille(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (ViscousStress stress : {ViscousStress::component, ViscousStress::full}) {
        const char* word = viscous_stress_words[int(stress)];
        const double coarse = poiseuilleError(16, stress), fine = poiseuilleError(32, stress);
        findings.push_back(absoluteFinding(fmt::format("{}: largest error / u_max, 16 cells", word), coarse, 0, 0.01));
        findings.push_back(orderFinding(fmt::format("{}: order, 16 to 32", word), orderOf(coarse, fine), 2, 0.2));
    }
    return findings;
}

std::vector<Finding> measureCouette(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (ViscousStress stress : {ViscousStress::component, ViscousStress::full}) {
        const char* word = viscous_stress_words[int(stress)];
        findings.push_back(
            absoluteFinding(fmt::format("{}: steady, 16 cells", word), couetteError(16, stress, 1), 0, 0.01));
        findings.push_back(absoluteFinding(fmt::format("{}: steady, lid inside a cell", word),
                                           couetteError(16, stress, 1 - 0.37 / 16), 0, 0.01));
        const double coarse = couetteStartError(8, stress, 2e-4), fine = couetteStartError(16, stress, 2e-4);
        findings.push_back(absoluteFinding(fmt::format("{}: start-up at 0.1 H2/nu, 16 cells", word), fine, 0, 0.01));
        findings.push_back(
            orderFinding(fmt::format("{}: start-up, order 8 to 16", word), orderOf(coarse, fine), 2, 0.3));
    }
    return findings;
}

std::vector<Finding> measureTwoLayer(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (ViscosityMean mean : {ViscosityMean::geometric, ViscosityMean::arithmetic, ViscosityMean::harmonic}) {
        const char* word = viscosity_mean_words[int(mean)];
        const TwoLayerFlow flow = twoLayerFlow(32, mean, ViscousStress::full);
        const auto gate = mean == LiquidParams{}.viscosity_mean ? std::optional(0.03) : std::nullopt;
        findings.push_back(
            relativeFinding(fmt::format("{}: speed at the interface", word), flow.interface_m_s, 0.022727, gate));
        findings.push_back(relativeFinding(fmt::format("{}: flux below", word), flow.flux_below_m2_s, 0.016098, gate));
        findings.push_back(relativeFinding(fmt::format("{}: flux above", word), flow.flux_above_m2_s, 0.006723, gate));
    }
    return findings;
}

std::vector<Finding> measureViscousFall(const std::filesystem::path&)
{
    std::vector<Finding> findings;
    for (ViscousStress stress : {ViscousStress::component, ViscousStress::full})
        for (Loop loop : {Loop::two_projections, Loop::one_projection})
            findings.push_back(
                absoluteFinding(fmt::format("{}, {}: max |v + g t| / g t", viscous_stress_words[int(stress)],
                                            loop == Loop::two_projections ? "two projections" : "one projection"),
                                viscousFallError(stress, loop), 0, 1e-3));
    return findings;
}

std::vector<Finding> measureRotation(const std::filesystem::path&)
{
    return {
        absoluteFinding("full: angular momentum after one revolution", angularMomentumLeft(32, ViscousStress::full), 1,
                        0.01),
        absoluteFinding("component: angular momentum left", angularMomentumLeft(32, ViscousStress::component), 1, {})};
}

}  // namespace

const ValidationCase taylor_green{"taylor-green", measureTaylorGreen};
const ValidationCase poiseuille{"poiseuille", measurePoiseuille};
const ValidationCase couette{"couette", measureCouette};
const ValidationCase two_layer{"two-layer", measureTwoLayer};
const ValidationCase viscous_fall{"viscous-fall", measureViscousFall};
const ValidationCase rotation_case{"rotation", measureRotation};

}  // namespace flotsam
